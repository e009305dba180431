#ifndef PASSGATE_CMICROHTTPD_SHIM_H
#define PASSGATE_CMICROHTTPD_SHIM_H
/* libmicrohttpd, with fixed arguments for its variadic calls, and the few socket calls that only the server needs. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <microhttpd.h>

/* What the library calls back, each with `context` first. */
struct passgate_mhd_callbacks {
    void *context;
    MHD_AccessHandlerCallback access;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    void (*message)(void *context);
};

static inline size_t passgate_mhd_leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/* That there is a message is all that is passed on: its arguments may hold what the client sent. */
static inline void passgate_mhd_message(void *context, const char *format, va_list arguments) {
    const struct passgate_mhd_callbacks *callbacks = (const struct passgate_mhd_callbacks *)context;
    (void)format;
    (void)arguments;
    callbacks->message(callbacks->context);
}

/* A daemon that is driven by our event loop, accepts nothing by itself and has no timers. `callbacks` must outlive it. */
static inline struct MHD_Daemon *passgate_mhd_start(
    const struct passgate_mhd_callbacks *callbacks, size_t bytes_per_connection, unsigned int connections) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO | MHD_USE_ERROR_LOG, 0,
        NULL, NULL, callbacks->access, callbacks->context,
        MHD_OPTION_EXTERNAL_LOGGER, passgate_mhd_message, (void *)callbacks,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, callbacks->context,
        MHD_OPTION_UNESCAPE_CALLBACK, passgate_mhd_leave_escaped, (void *)NULL,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, bytes_per_connection,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, 0u,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
}

static inline int passgate_mhd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/* What was stored as the connection's context when it started; NULL before. */
static inline void *passgate_mhd_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* From the first byte of the request line to the empty line, inclusive; 0 before the head is complete. */
static inline size_t passgate_mhd_head_bytes(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/* Has the library close the connection once nothing has happened on it for a second. */
static inline void passgate_mhd_expire(struct MHD_Connection *connection) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 1u);
}

/* The status of the answer that the connection has, whoever gave it; 0 while it has none. */
static inline unsigned int passgate_mhd_status(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    return info ? info->http_status : 0;
}

extern int dup3(int from, int to, int flags);
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
static inline int passgate_accept_with_address(int fd, struct sockaddr_storage *address, socklen_t *length) {
    *length = sizeof *address;
    return accept4(fd, (struct sockaddr *)address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* The peer's address as text, an IPv4 address in an IPv6 one as IPv4. 0 on success. */
static inline int passgate_address_text(const struct sockaddr_storage *address, char *text, socklen_t size) {
    if (address->ss_family == AF_INET)
        return inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, size) ? 0 : -1;
    if (address->ss_family != AF_INET6) return -1;
    const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(six)) return inet_ntop(AF_INET, &six->s6_addr[12], text, size) ? 0 : -1;
    return inet_ntop(AF_INET6, six, text, size) ? 0 : -1;
}

/* A bound stream socket that does not listen yet; -1 with errno. EINVAL: the host is no numeric address. */
static inline int passgate_bind(const char *host, uint16_t port, int shared) {
    struct sockaddr_storage address;
    socklen_t length;
    int one = 1;
    memset(&address, 0, sizeof address);
    struct sockaddr_in *four = (struct sockaddr_in *)&address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&address;
    if (inet_pton(AF_INET, host, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(port);
        length = sizeof *four;
    } else if (inet_pton(AF_INET6, host, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(port);
        length = sizeof *six;
    } else {
        errno = EINVAL;
        return -1;
    }
    int fd = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0
        || (shared && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one) != 0)
        || bind(fd, (struct sockaddr *)&address, length) != 0) {
        int code = errno;
        close(fd);
        errno = code;
        return -1;
    }
    return fd;
}

/* The port that a socket is bound to; 0 on failure. */
static inline uint16_t passgate_bound_port(int fd) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return 0;
    return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                               : ((struct sockaddr_in *)&address)->sin_port);
}

/* Whether a TCP connection still stands, and how many bytes it has received in all.
   The kernel's struct is longer than the C library's: the two members are read at their fixed places. */
static inline int passgate_tcp_progress(int fd, int *is_gone, uint64_t *received) {
    unsigned char info[192];
    socklen_t length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &length) != 0 || length < 136) return -1;
    *is_gone = info[0] == TCP_CLOSE;
    memcpy(received, info + 128, sizeof *received);
    /* The kernel counts the peer's end as one. */
    if (info[0] == TCP_CLOSE_WAIT && *received > 0) *received -= 1;
    return 0;
}

static inline int passgate_unread_bytes(int fd) {
    int count = 0;
    return ioctl(fd, FIONREAD, &count) == 0 ? count : -1;
}

/* Breaks a connection with a reset, at once. */
static inline void passgate_reset(int fd) {
    struct sockaddr nowhere;
    memset(&nowhere, 0, sizeof nowhere);
    nowhere.sa_family = AF_UNSPEC;
    connect(fd, &nowhere, sizeof nowhere);
}

/* Another descriptor of the same socket; -1 with errno. */
static inline int passgate_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 0); }
/* Makes `fd` another descriptor of what `with` is. */
static inline void passgate_replace(int with, int fd) { dup3(with, fd, O_CLOEXEC); }

static inline ssize_t passgate_peek(int fd, void *bytes, size_t count) { return recv(fd, bytes, count, MSG_PEEK); }
static inline ssize_t passgate_send(int fd, const void *bytes, size_t count) {
    return send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The time now as HTTP spells it: 29 characters and a zero. */
static inline void passgate_http_date(char text[30]) {
    static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    snprintf(text, 30, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT", days + 3 * utc.tm_wday, utc.tm_mday,
             months + 3 * utc.tm_mon, utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
}
#endif
