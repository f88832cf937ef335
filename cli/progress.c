/* The progress bar. A thread of its own draws it, so that it moves also while the library is busy in one call. */
#include "progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    BAR_WIDTH = 30,
    QUIET_MILLISECONDS = 1000,
    REDRAW_MILLISECONDS = 100
};

struct cli_progress {
    const char *label;
    double start;
    pthread_t thread;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t wake;
    double fraction; /* negative: unknown */
    int done, drawn;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the line on the terminal ---- */

/* A signal handler has nothing else to go by: whether there is a line to clear, whether one is being written right now,
 * and that none may follow. */
static atomic_int on_screen, writing, closed;

/* Whether there is one; only the thread of the command begins and ends them. */
static int is_active;

static const char clear_line[] = "\r\033[K";

static void put(const char *text, size_t length)
{
    atomic_store(&writing, 1);
    if (!atomic_load(&closed)) {
        const ssize_t written = write(STDERR_FILENO, text, length);
        atomic_store(&on_screen, written > 0);
    }
    atomic_store(&writing, 0);
}

static void clear(void)
{
    if (atomic_exchange(&on_screen, 0)) {
        const ssize_t written = write(STDERR_FILENO, clear_line, sizeof clear_line - 1);
        (void)written; /* a line that stays is no harm */
    }
}

/* The thread that draws takes no signals, so that it ends its line while this waits; but not for long, as a terminal
 * may have been stopped. */
void cli_progress_clear_on_signal(void)
{
    const struct timespec pause = {0, 1000000};
    atomic_store(&closed, 1);
    for (int i = 0; i < 100 && atomic_load(&writing); i++) {
        nanosleep(&pause, NULL);
    }
    clear();
}

/* In one piece, so that nothing comes between. */
static void draw(const cli_progress *progress)
{
    const double elapsed = now() - progress->start, fraction = progress->fraction;
    char line[256], bar[BAR_WIDTH + 1], left[48] = "";
    if (fraction < 0) {
        put(line, (size_t)snprintf(line, sizeof line, "%s%.100s ... %.0f s", clear_line, progress->label, elapsed));
        return;
    }
    for (int i = 0; i < BAR_WIDTH; i++) {
        bar[i] = i < (int)(fraction * BAR_WIDTH) ? '#' : '.';
    }
    bar[BAR_WIDTH] = '\0';
    if (fraction > 0.02) {
        snprintf(left, sizeof left, ", %.0f s left", elapsed * (1 - fraction) / fraction);
    }
    put(line, (size_t)snprintf(line, sizeof line, "%s%.100s [%s] %3.0f %%%s", clear_line, progress->label, bar,
                               100 * fraction, left));
}

/* ---- the thread ---- */

static void wait_a_while(cli_progress *progress, long milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += milliseconds % 1000 * 1000000;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&progress->wake, &progress->lock, &until);
}

static void *run(void *argument)
{
    cli_progress *progress = argument;
    pthread_mutex_lock(&progress->lock);
    while (!progress->done) {
        wait_a_while(progress, progress->drawn ? REDRAW_MILLISECONDS : QUIET_MILLISECONDS);
        if (!progress->done && now() - progress->start >= 1e-3 * QUIET_MILLISECONDS) {
            draw(progress);
            progress->drawn = 1;
        }
    }
    pthread_mutex_unlock(&progress->lock);
    return NULL;
}

/* Signals go to the threads that work: who holds interrupts back there holds them back. */
static int start_thread(cli_progress *progress)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const int error = pthread_create(&progress->thread, NULL, run, progress);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error == 0;
}

cli_progress *cli_progress_begin(const char *label)
{
    cli_progress *progress = !is_active && isatty(STDERR_FILENO) ? calloc(1, sizeof *progress) : NULL;
    if (!progress) {
        return NULL;
    }
    progress->label = label;
    progress->start = now();
    progress->fraction = -1;
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->wake, NULL);
    if (!start_thread(progress)) {
        pthread_cond_destroy(&progress->wake);
        pthread_mutex_destroy(&progress->lock);
        free(progress);
        return NULL;
    }
    is_active = 1;
    return progress;
}

void cli_progress_set(cli_progress *progress, double fraction)
{
    if (progress) {
        pthread_mutex_lock(&progress->lock);
        progress->fraction = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
        pthread_mutex_unlock(&progress->lock);
    }
}

bool cli_progress_callback(void *user, double fraction)
{
    cli_progress_set(user, fraction);
    return false;
}

void cli_progress_end(cli_progress *progress)
{
    if (!progress) {
        return;
    }
    pthread_mutex_lock(&progress->lock);
    progress->done = 1;
    pthread_cond_signal(&progress->wake);
    pthread_mutex_unlock(&progress->lock);
    pthread_join(progress->thread, NULL);
    is_active = 0;
    clear();
    pthread_cond_destroy(&progress->wake);
    pthread_mutex_destroy(&progress->lock);
    free(progress);
}
