#ifndef PASSGATE_CLINUX_SHIM_H
#define PASSGATE_CLINUX_SHIM_H
/* The kernel's interfaces that Swift cannot import by itself: fixed arguments for variadic calls, and macros. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

static inline int passgate_set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL, 0);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
/* No core dump, no ptrace by another process of the same user, and no backtrace of Swift's runtime, which prints what
   registers point at. */
static inline int passgate_forbid_dumps(void) {
    static const int crashes[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    for (unsigned int index = 0; index < sizeof crashes / sizeof crashes[0]; index++) signal(crashes[index], SIG_DFL);
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
static inline int passgate_accept(int fd) { return accept4(fd, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }
static inline void passgate_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
/* A thread that is woken often for work that can wait a moment: it does not push a running thread aside. */
static inline void passgate_run_in_batches(void) {
    struct sched_param none = {0};
    sched_setscheduler(0, 3 /* SCHED_BATCH, which the C library's header hides */, &none);
}
static inline int passgate_unsent_bytes(int fd) { int n = 0; return ioctl(fd, TIOCOUTQ, &n) == 0 ? n : -1; }
/* Signals become bytes in a pipe: a handler may do no more. It is the process's, so it does not matter which thread
   takes the signal, nor which were started before. */
static int passgate_signal_pipe[2] = {-1, -1};
static void passgate_on_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    ssize_t written = write(passgate_signal_pipe[1], &byte, 1);
    (void)written;
    errno = saved;
}
extern int pipe2(int descriptors[2], int flags);
static inline int passgate_take_signals(void) {
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    if (passgate_signal_pipe[0] >= 0) return passgate_signal_pipe[0];
    if (pipe2(passgate_signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    struct sigaction action = {0};
    action.sa_handler = passgate_on_signal;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, 0);
    signal(SIGPIPE, SIG_IGN);
    return passgate_signal_pipe[0];
}
/* The processors that this process may run on: an affinity mask may be narrower than the machine. */
static inline long passgate_available_processors(void) {
    unsigned char mask[1024] = {0};
    long filled = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask), count = 0;
    for (long i = 0; i < filled; i++) count += __builtin_popcount(mask[i]);
    return count > 0 ? count : sysconf(_SC_NPROCESSORS_ONLN);
}
#endif
