/*
 * Preloaded into what runs under ThreadSanitizer, tells it what Swift's own libraries order: they are not built for it.
 *
 * The quick way through a `Mutex` is compiled into the caller, and ThreadSanitizer sees it. A thread that has to wait, or
 * wakes one that does, goes through the Synchronization library. A task that awaits a continuation which has been resumed
 * already goes on at once, by the word of the Concurrency library. What these order would look like a race.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define ASYNC __attribute__((swiftasynccall))
#define SELF __attribute__((swift_context))
#define NAME(symbol) __asm__(symbol)
#define NEXT(type, symbol) ((type)dlsym(RTLD_NEXT, symbol))

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define AWAIT "swift_continuation_await"
#define RESUME "swift_continuation_resume"
#define RESUME_THROWING "swift_continuation_throwingResume"
#define RESUME_WITH_ERROR "swift_continuation_throwingResumeWithError"

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));
extern SWIFT void *swift_task_getCurrent(void) __attribute__((weak));

static void acquire(void *address) {
    if (__tsan_acquire && address) __tsan_acquire(address);
}

static void release(void *address) {
    if (__tsan_release && address) __tsan_release(address);
}

typedef SWIFT void (*lock_function)(uint32_t thread, SELF void *mutex);
typedef SWIFT void (*unlock_function)(SELF void *mutex);
typedef ASYNC void (*await_function)(void *context);
typedef SWIFT void (*resume_function)(void *task);
typedef SWIFT void (*fail_function)(void *task, void *error);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) NAME(LOCK);
SWIFT void unlock_slow(SELF void *mutex) NAME(UNLOCK);
ASYNC void await_continuation(void *context) NAME(AWAIT);
SWIFT void resume(void *task) NAME(RESUME);
SWIFT void resume_throwing(void *task) NAME(RESUME_THROWING);
SWIFT void resume_with_error(void *task, void *error) NAME(RESUME_WITH_ERROR);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    NEXT(lock_function, LOCK)(thread, mutex);
    acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    release(mutex);
    NEXT(unlock_function, UNLOCK)(mutex);
}

ASYNC void await_continuation(void *context) {
    await_function next = NEXT(await_function, AWAIT);
    if (swift_task_getCurrent) acquire(swift_task_getCurrent());
    return next(context);
}

SWIFT void resume(void *task) {
    release(task);
    NEXT(resume_function, RESUME)(task);
}

SWIFT void resume_throwing(void *task) {
    release(task);
    NEXT(resume_function, RESUME_THROWING)(task);
}

SWIFT void resume_with_error(void *task, void *error) {
    release(task);
    NEXT(fail_function, RESUME_WITH_ERROR)(task, error);
}
