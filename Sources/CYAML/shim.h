#ifndef PASSGATE_CYAML_SHIM_H
#define PASSGATE_CYAML_SHIM_H
#include <yaml.h>
#endif
