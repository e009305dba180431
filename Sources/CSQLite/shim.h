#ifndef PASSGATE_CSQLITE_SHIM_H
#define PASSGATE_CSQLITE_SHIM_H
/* SQLite, with fixed arguments where Swift cannot import its variadic calls and macros. */
#include <sqlite3.h>

/* The bytes are read where they stand: they must stay until the bindings are cleared. */
static inline int passgate_bind_text(sqlite3_stmt *statement, int index, const void *text, int length) {
    return sqlite3_bind_text(statement, index, length == 0 ? "" : (const char *)text, length, SQLITE_STATIC);
}
static inline int passgate_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return length == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                       : sqlite3_bind_blob(statement, index, bytes, length, SQLITE_STATIC);
}
/* SQL cannot damage the file, a schema from elsewhere is not trusted, and double quotes never mean a text. */
static inline void passgate_harden(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}
#endif
