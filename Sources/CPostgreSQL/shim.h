#ifndef PASSGATE_CPOSTGRESQL_SHIM_H
#define PASSGATE_CPOSTGRESQL_SHIM_H
/* libpq, with a receiver that keeps what a server merely remarks from being printed: it may quote values. */
#include <libpq-fe.h>

static inline void passgate_drop_notice(void *context, const PGresult *notice) {
    (void)context;
    (void)notice;
}
static inline void passgate_silence(PGconn *connection) {
    PQsetNoticeReceiver(connection, passgate_drop_notice, 0);
}
#endif
