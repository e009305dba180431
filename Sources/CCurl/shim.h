#ifndef PASSGATE_CCURL_SHIM_H
#define PASSGATE_CCURL_SHIM_H
#include <curl/curl.h>
#endif
