/* The progress bar. A thread of its own draws it, so that it moves also while the library is busy in one call. */
#include "progress.h"

#include <pthread.h>
#include <signal.h>
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

static void draw(const cli_progress *progress)
{
    const double elapsed = now() - progress->start, fraction = progress->fraction;
    if (fraction < 0) {
        fprintf(stderr, "\r\033[K%s ... %.0f s", progress->label, elapsed);
        return;
    }
    const int full = (int)(fraction * BAR_WIDTH);
    fprintf(stderr, "\r\033[K%s [", progress->label);
    for (int i = 0; i < BAR_WIDTH; i++) {
        fputc(i < full ? '#' : '.', stderr);
    }
    fprintf(stderr, "] %3.0f %%", 100 * fraction);
    if (fraction > 0.02) {
        fprintf(stderr, ", %.0f s left", elapsed * (1 - fraction) / fraction);
    }
}

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
    cli_progress *progress = isatty(STDERR_FILENO) ? calloc(1, sizeof *progress) : NULL;
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

int cli_progress_callback(void *user, double fraction)
{
    cli_progress_set(user, fraction);
    return 0;
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
    if (progress->drawn) {
        fputs("\r\033[K", stderr);
    }
    pthread_cond_destroy(&progress->wake);
    pthread_mutex_destroy(&progress->lock);
    free(progress);
}
