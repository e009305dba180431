/*
 * Preloaded into a command (LD_PRELOAD), journals in the order of the kernel what the command does to files and to
 * whom it sends: one line each, appended to the file that PASSGATE_SYNC_JOURNAL names.
 *
 *   create NAME            a file that was not there was created
 *   write NAME OFFSET HEX  bytes were written; noted after they were
 *   truncate NAME LENGTH   a file was cut or grown; noted after it was
 *   unlink NAME            a file was removed
 *   sync-began NAME        noted before fdatasync or fsync
 *   sync-ended NAME        noted after it, where it succeeded
 *   send PORT COUNT WORD   noted before bytes go to a TCP peer; WORD is what they begin with
 *
 * NAME is the last part of the path, with a slash after it where it is a folder. A write is durable for certain where
 * it is noted before a sync of the same file began that is noted as ended. Killing a process shows nothing of that:
 * what it wrote stays in the page cache.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int journal = -1;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("PASSGATE_SYNC_JOURNAL");
    if (path) journal = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

/* The next definition of a function that is defined here. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A line goes out with one call, and the kernel puts appended lines one after the other. */
static void note(const char *format, ...) {
    if (journal < 0) return;
    int before = errno;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (count > 0 && (size_t)count < sizeof line) syscall(SYS_write, journal, line, (size_t)count);
    errno = before;
}

/* The name of a file or folder by its descriptor; 0 where it is neither. */
static int name_of(int descriptor, char *name, size_t size) {
    struct stat status;
    char link[64], path[1024];
    if (journal < 0 || descriptor == journal || fstat(descriptor, &status) != 0) return 0;
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count <= 0) return 0;
    path[count] = 0;
    const char *last = strrchr(path, '/');
    snprintf(name, size, "%.200s%s", last ? last + 1 : path, S_ISDIR(status.st_mode) ? "/" : "");
    return 1;
}

static void note_write(int descriptor, const void *bytes, ssize_t count, off_t offset) {
    static const char digits[] = "0123456789abcdef";
    int before = errno;
    char name[256];
    if (count > 0 && name_of(descriptor, name, sizeof name)) {
        char *line = malloc(320 + (size_t)count * 2);
        if (line) {
            size_t length = (size_t)sprintf(line, "write %s %lld ", name, (long long)offset);
            for (ssize_t index = 0; index < count; index++) {
                unsigned char byte = ((const unsigned char *)bytes)[index];
                line[length++] = digits[byte >> 4];
                line[length++] = digits[byte & 15];
            }
            line[length++] = '\n';
            syscall(SYS_write, journal, line, length);
            free(line);
        }
    }
    errno = before;
}

/* Nothing where the peer is no TCP peer. */
static void note_send(int descriptor, const void *bytes, size_t count) {
    int before = errno;
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    char word[17];
    size_t used = 0;
    if (journal >= 0 && getpeername(descriptor, (struct sockaddr *)&peer, &length) == 0) {
        int port = peer.ss_family == AF_INET    ? ntohs(((struct sockaddr_in *)&peer)->sin_port)
                   : peer.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&peer)->sin6_port)
                                                : 0;
        while (used < count && used < 16 && ((const char *)bytes)[used] > ' ' && ((const char *)bytes)[used] < 127) {
            word[used] = ((const char *)bytes)[used];
            used++;
        }
        word[used] = 0;
        if (port) note("send %d %zu %s\n", port, count, used ? word : "-");
    }
    errno = before;
}

static void note_parts(int descriptor, const struct iovec *parts, int count) {
    size_t sum = 0;
    for (int index = 0; index < count; index++) sum += parts[index].iov_len;
    if (count > 0 && sum > 0) note_send(descriptor, parts[0].iov_base, sum < parts[0].iov_len ? sum : parts[0].iov_len);
}

/* Files */

static int opened(int descriptor, int was_there) {
    char name[256];
    if (descriptor >= 0 && !was_there && name_of(descriptor, name, sizeof name)) note("create %s\n", name);
    return descriptor;
}

#define OPEN(name)                                                                  \
    int name(const char *path, int flags, ...) {                                    \
        va_list arguments;                                                          \
        va_start(arguments, flags);                                                 \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
        va_end(arguments);                                                          \
        int was_there = !(flags & O_CREAT) || access(path, F_OK) == 0;              \
        return opened(NEXT(name)(path, flags, mode), was_there);                    \
    }
OPEN(open)
OPEN(open64)

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    ssize_t count = NEXT(pwrite64)(descriptor, bytes, size, offset);
    note_write(descriptor, bytes, count, offset);
    return count;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    ssize_t count = NEXT(pwrite)(descriptor, bytes, size, offset);
    note_write(descriptor, bytes, count, offset);
    return count;
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
    note_send(descriptor, bytes, size);
    ssize_t count = NEXT(write)(descriptor, bytes, size);
    int before = errno;
    off_t end = count > 0 ? lseek(descriptor, 0, SEEK_CUR) : -1;
    if (end >= count) note_write(descriptor, bytes, count, end - count);
    errno = before;
    return count;
}

static int truncated(int result, int descriptor, long long length) {
    char name[256];
    if (result == 0 && name_of(descriptor, name, sizeof name)) note("truncate %s %lld\n", name, length);
    return result;
}

int ftruncate64(int descriptor, off64_t length) {
    return truncated(NEXT(ftruncate64)(descriptor, length), descriptor, length);
}

int ftruncate(int descriptor, off_t length) {
    return truncated(NEXT(ftruncate)(descriptor, length), descriptor, length);
}

int unlink(const char *path) {
    int result = NEXT(unlink)(path);
    const char *last = strrchr(path, '/');
    if (result == 0) note("unlink %.200s\n", last ? last + 1 : path);
    return result;
}

#define SYNC(call)                                                        \
    int call(int descriptor) {                                            \
        char name[256];                                                   \
        int is_noted = name_of(descriptor, name, sizeof name);            \
        if (is_noted) note("sync-began %s\n", name);                      \
        int result = NEXT(call)(descriptor);                              \
        if (is_noted && result == 0) note("sync-ended %s\n", name);       \
        return result;                                                    \
    }
SYNC(fdatasync)
SYNC(fsync)

/* Sockets */

ssize_t send(int descriptor, const void *bytes, size_t size, int flags) {
    note_send(descriptor, bytes, size);
    return NEXT(send)(descriptor, bytes, size, flags);
}

ssize_t sendto(
    int descriptor, const void *bytes, size_t size, int flags, const struct sockaddr *peer, socklen_t length) {
    note_send(descriptor, bytes, size);
    return NEXT(sendto)(descriptor, bytes, size, flags, peer, length);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    note_parts(descriptor, message->msg_iov, (int)message->msg_iovlen);
    return NEXT(sendmsg)(descriptor, message, flags);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    note_parts(descriptor, parts, count);
    return NEXT(writev)(descriptor, parts, count);
}
