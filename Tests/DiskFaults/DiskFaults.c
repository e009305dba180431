/*
 * Preloaded into a command (LD_PRELOAD), lets its disk fail: while the file that PASSGATE_DISK_FAULT names exists, every
 * write to a file beside it, and every sync, fails with the error that the file's first word names: ENOSPC, EDQUOT,
 * EROFS or EIO. With SYNC as the second word only syncs fail, and what was written before stays in the page cache, as
 * on a device that is lost. A process that is root notices a disk that is really full as little as any other, but
 * passes over modes, so that a store that cannot be written has no other form in a test.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char control[1024];
static size_t folder_length;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("PASSGATE_DISK_FAULT");
    if (!path || strlen(path) >= sizeof control) return;
    strcpy(control, path);
    const char *last = strrchr(control, '/');
    folder_length = last ? (size_t)(last - control) + 1 : 0;
}

/* The next definition of a function that is defined here. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The error that is due now; 0 where the disk works. */
static int due(int is_sync) {
    char words[64] = {0};
    if (!folder_length) return 0;
    int before = errno;
    int file = (int)syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t count = syscall(SYS_read, file, words, sizeof words - 1);
        syscall(SYS_close, file);
        if (count < 0) words[0] = 0;
    }
    errno = before;
    if (strstr(words, "SYNC") && !is_sync) return 0;
    if (!strncmp(words, "ENOSPC", 6)) return ENOSPC;
    if (!strncmp(words, "EDQUOT", 6)) return EDQUOT;
    if (!strncmp(words, "EROFS", 5)) return EROFS;
    if (!strncmp(words, "EIO", 3)) return EIO;
    return 0;
}

/* Whether the path lies in the folder of the control file. */
static int is_beside(const char *path) { return folder_length && !strncmp(path, control, folder_length); }

/* The error that the file meets now; what the command prints is no part of its store. */
static int fault_of(int descriptor, int is_sync) {
    struct stat status;
    char link[64], path[1024];
    if (!folder_length || fstat(descriptor, &status) != 0) return 0;
    if (!S_ISREG(status.st_mode) && !(is_sync && S_ISDIR(status.st_mode))) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count <= 0) return 0;
    path[count] = 0;
    return is_beside(path) && descriptor > 2 ? due(is_sync) : 0;
}

#define FAIL_IF_DUE(descriptor, is_sync)                    \
    do {                                                    \
        int number = fault_of(descriptor, is_sync);         \
        if (number) {                                       \
            errno = number;                                 \
            return -1;                                      \
        }                                                   \
    } while (0)

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    FAIL_IF_DUE(descriptor, 0);
    return NEXT(pwrite64)(descriptor, bytes, size, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    FAIL_IF_DUE(descriptor, 0);
    return NEXT(pwrite)(descriptor, bytes, size, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
    FAIL_IF_DUE(descriptor, 0);
    return NEXT(write)(descriptor, bytes, size);
}

int ftruncate64(int descriptor, off64_t length) {
    FAIL_IF_DUE(descriptor, 0);
    return NEXT(ftruncate64)(descriptor, length);
}

int ftruncate(int descriptor, off_t length) {
    FAIL_IF_DUE(descriptor, 0);
    return NEXT(ftruncate)(descriptor, length);
}

int fdatasync(int descriptor) {
    FAIL_IF_DUE(descriptor, 1);
    return NEXT(fdatasync)(descriptor);
}

int fsync(int descriptor) {
    FAIL_IF_DUE(descriptor, 1);
    return NEXT(fsync)(descriptor);
}

/* A file that is there is opened for reading where it cannot be written, and one that is not is not created. */
#define OPEN(name)                                                                      \
    int name(const char *path, int flags, ...) {                                        \
        va_list arguments;                                                              \
        va_start(arguments, flags);                                                     \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;  \
        va_end(arguments);                                                              \
        if (flags & O_CREAT && is_beside(path) && access(path, F_OK) != 0 && due(0)) {  \
            errno = due(0);                                                             \
            return -1;                                                                  \
        }                                                                               \
        if (flags & (O_WRONLY | O_RDWR) && is_beside(path) && due(0) == EROFS) {        \
            errno = EROFS;                                                              \
            return -1;                                                                  \
        }                                                                               \
        return NEXT(name)(path, flags, mode);                                           \
    }
OPEN(open)
OPEN(open64)
