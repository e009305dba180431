#ifndef PASSGATE_CMICROHTTPD_SHIM_H
#define PASSGATE_CMICROHTTPD_SHIM_H
#include <sys/types.h>
#include <sys/socket.h>
#include <microhttpd.h>
#endif
