#ifndef PASSGATE_COPENSSL_SHIM_H
#define PASSGATE_COPENSSL_SHIM_H
#include <openssl/evp.h>
#endif
