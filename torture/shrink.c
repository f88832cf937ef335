#include "shrink.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double torture_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- One try, in a process of its own ---- */

typedef struct shared_try {
    torture_case c;
    torture_world world;
    torture_failure failure;
} shared_try;

static void run_in_child(shared_try *shared, torture_slip slip, int with_opencl, int quiet)
{
    torture_tally tally = {0};
    if (quiet) {
        const int nothing = open("/dev/null", O_WRONLY);
        (void)dup2(nothing, 2);
        (void)dup2(nothing, 1);
    }
    torture_world_begin(&shared->world, slip, with_opencl);
    for (int i = 0; i < 3 && !shared->failure.is_failure; i++) { /* threads do not fail each time */
        int threads = 0;
        for (size_t k = 0; k < shared->c.question_count; k++) {
            threads |= shared->c.questions[k].threads > 1 || shared->c.questions[k].kind >= TORTURE_ASK_POOL;
        }
        torture_ask_all(&shared->world, &shared->c, &tally, &shared->failure);
        if (!threads) {
            break;
        }
    }
    torture_world_end(&shared->world);
    fflush(NULL);
    _exit(shared->failure.is_failure ? 1 : 0);
}

/* 0 while it runs; else its verdict is known. */
static int child_has_ended(pid_t child, int *status, double deadline)
{
    for (;;) {
        const pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child) {
            return 1;
        }
        if (torture_seconds() > deadline) {
            return 0;
        }
        const struct timespec pause = {0, 200000};
        nanosleep(&pause, NULL);
    }
}

static torture_verdict judge(const shared_try *shared, int has_ended, int status)
{
    torture_verdict verdict = {.failure = shared->failure};
    if (has_ended && WIFEXITED(status)) {
        verdict.end = WEXITSTATUS(status) == 0 ? TORTURE_END_RIGHT : TORTURE_END_WRONG;
        if (verdict.end == TORTURE_END_WRONG && !verdict.failure.is_failure) { /* a sanitizer's exit */
            verdict.end = TORTURE_END_CRASH;
        }
    } else {
        verdict.end = has_ended ? TORTURE_END_CRASH : TORTURE_END_HANG;
        verdict.signal = has_ended ? WTERMSIG(status) : 0;
    }
    if (verdict.end == TORTURE_END_CRASH || verdict.end == TORTURE_END_HANG) {
        torture_failure *f = &verdict.failure;
        f->is_failure = 1;
        f->question = shared->world.asking;
        f->kind = shared->c.questions[f->question].kind;
        if (verdict.end == TORTURE_END_HANG) {
            snprintf(f->text, sizeof f->text, "no answer came in time");
        } else {
            snprintf(f->text, sizeof f->text, "the process was ended by signal %d (%s)", verdict.signal,
                     verdict.signal ? strsignal(verdict.signal) : "an exit that nobody asked for");
        }
    }
    return verdict;
}

torture_verdict torture_try(torture_case *c, torture_slip slip, int with_opencl, double seconds, int quiet)
{
    shared_try *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("torture: shared memory");
        abort();
    }
    shared->c = *c;
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) {
        perror("torture: fork");
        abort();
    }
    if (child == 0) {
        run_in_child(shared, slip, with_opencl, quiet);
    }
    int status = 0;
    const int has_ended = child_has_ended(child, &status, torture_seconds() + seconds);
    if (!has_ended) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    const torture_verdict verdict = judge(shared, has_ended, status);
    torture_world_clean(&shared->world);
    *c = shared->c;
    munmap(shared, sizeof *shared);
    return verdict;
}

/* ---- Shrinking ---- */

static double try_seconds(const torture_shrinker *s)
{
    return s->verdict.end == TORTURE_END_HANG ? 2 : 20;
}

/* Whether two texts say the same of other numbers, as far as their first words tell. */
static int is_same_complaint(const char *x, const char *y)
{
    for (int i = 0; i < 10; i++) {
        while (*x && !isalpha((unsigned char)*x)) {
            x++;
        }
        while (*y && !isalpha((unsigned char)*y)) {
            y++;
        }
        if (*x != *y) {
            return 0;
        }
        x += *x != 0;
        y += *y != 0;
    }
    return 1;
}

int torture_accept(torture_shrinker *s)
{
    int accepted = 0;
    if (torture_seconds() < s->deadline) {
        s->tried++;
        const torture_verdict verdict = torture_try(s->next, s->slip, s->with_opencl, try_seconds(s), 1);
        accepted = verdict.end == s->verdict.end && verdict.failure.kind == s->verdict.failure.kind &&
                   is_same_complaint(verdict.failure.text, s->verdict.failure.text);
        if (accepted) {
            s->verdict = verdict;
            *s->c = *s->next;
            s->accepted++;
        }
    }
    *s->next = *s->c;
    return accepted;
}

size_t torture_shrink(torture_case *c, torture_verdict *verdict, torture_slip slip, int with_opencl, double seconds)
{
    torture_shrinker s = {.c = c, .verdict = *verdict, .slip = slip, .with_opencl = with_opencl};
    s.next = malloc(sizeof *s.next);
    if (!s.next) {
        abort();
    }
    *s.next = *c;
    s.deadline = torture_seconds() + seconds;
    size_t before;
    do {
        before = s.accepted;
        torture_shrink_questions(&s);
        torture_shrink_polygons(&s);
        torture_shrink_options(&s);
        torture_shrink_poses(&s);
        torture_shrink_numbers(&s);
    } while (s.accepted > before && torture_seconds() < s.deadline);
    *verdict = s.verdict;
    free(s.next);
    return s.accepted;
}
