#ifndef PASSGATE_CSQLITE_SHIM_H
#define PASSGATE_CSQLITE_SHIM_H
#include <sqlite3.h>
#endif
