#ifndef PASSGATE_CCURL_SHIM_H
#define PASSGATE_CCURL_SHIM_H
/* libcurl, with fixed arguments for its variadic calls. */
#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static inline CURLcode passgate_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_ALL); }
/* Whether libcurl was built with one file of authorities to trust, beside or instead of a folder. */
static inline int passgate_curl_has_authorities_file(void) {
    return curl_version_info(CURLVERSION_NOW)->cainfo != NULL;
}
/* OpenSSL writes with write(2): without this, a peer that has gone ends the process. */
static inline void passgate_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

static inline CURLcode passgate_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode passgate_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode passgate_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode passgate_curl_set_url(CURL *easy, CURLU *url) {
    return curl_easy_setopt(easy, CURLOPT_CURLU, url);
}
static inline CURLcode passgate_curl_set_headers(CURL *easy, struct curl_slist *headers) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}
/* The bytes are not copied: they must outlive the handle. */
static inline CURLcode passgate_curl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_NOCOPY};
    return curl_easy_setopt(easy, option, &blob);
}

/* A connection on which nothing is acknowledged for 20 s is given up, so that no later request waits on it. */
static inline int passgate_curl_socket_options(void *context, curl_socket_t fd, curlsocktype purpose) {
    unsigned int patience = 20000;
    (void)context;
    (void)purpose;
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
    return CURL_SOCKOPT_OK;
}
typedef size_t (*passgate_curl_data)(char *bytes, size_t size, size_t count, void *context);
typedef int (*passgate_curl_prereq)(void *context, char *remote, char *local, int remote_port, int local_port);
/* There is no seek and no ioctl callback, on purpose: libcurl then cannot send a body a second time. */
static inline CURLcode passgate_curl_set_callbacks(
    CURL *easy, void *context, passgate_curl_data read, passgate_curl_data write, passgate_curl_data header,
    passgate_curl_prereq prereq) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, read);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_READDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, write);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, prereq);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, passgate_curl_socket_options);
    return code;
}
/* The bytes of an IP address, 4 or 16, and how many; 0 of any other. */
static inline int passgate_curl_address(const struct curl_sockaddr *address, unsigned char *bytes) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}
static inline curl_socket_t passgate_curl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
typedef curl_socket_t (*passgate_curl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
static inline CURLcode passgate_curl_set_open_socket(CURL *easy, void *context, passgate_curl_open open) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
    return code;
}
static inline void *passgate_curl_context(CURL *easy) {
    char *context = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context);
    return context;
}
/* The server's own certificate as PEM text, where CURLOPT_CERTINFO asked for it; NULL without one. */
static inline const char *passgate_curl_certificate(CURL *easy) {
    struct curl_certinfo *chain = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain || chain->num_of_certs < 1) return NULL;
    for (struct curl_slist *line = chain->certinfo[0]; line; line = line->next) {
        if (strncmp(line->data, "Cert:", 5) == 0) return line->data + 5;
    }
    return NULL;
}
static inline long passgate_curl_info(CURL *easy, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

typedef int (*passgate_curl_socket)(CURL *easy, curl_socket_t fd, int what, void *context, void *socket_context);
typedef int (*passgate_curl_timer)(CURLM *multi, long milliseconds, void *context);
static inline CURLMcode passgate_curl_multi_callbacks(
    CURLM *multi, void *context, passgate_curl_socket socket, passgate_curl_timer timer) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    if (!code) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    if (!code) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    if (!code) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return code;
}
static inline CURLMcode passgate_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
/* The next transfer that is done, or NULL. */
static inline CURL *passgate_curl_next_done(CURLM *multi, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

/* Appends one header line. The copy made on the way is wiped; the list's own is wiped by passgate_curl_free_headers. */
static inline struct curl_slist *passgate_curl_add_header(
    struct curl_slist *list, const char *name, size_t name_count, const char *value, size_t value_count) {
    size_t room = name_count + value_count + 3;
    char *line = malloc(room);
    if (!line) return NULL;
    memcpy(line, name, name_count);
    if (value_count == 0) {
        memcpy(line + name_count, ";", 2);
    } else {
        memcpy(line + name_count, ": ", 2);
        memcpy(line + name_count + 2, value, value_count);
        line[name_count + 2 + value_count] = 0;
    }
    struct curl_slist *longer = curl_slist_append(list, line);
    explicit_bzero(line, room);
    free(line);
    return longer;
}
static inline void passgate_curl_free_headers(struct curl_slist *list) {
    for (struct curl_slist *item = list; item; item = item->next) explicit_bzero(item->data, strlen(item->data));
    curl_slist_free_all(list);
}
#endif
