#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WORKERS = 256
};

/* What a worker tells while it works. */
typedef struct slot {
    volatile uint64_t seed;
    volatile double started; /* 0: between two cases */
    volatile double spent;   /* of the processor, before it started */
    torture_world world;
    torture_tally tally;
    uint64_t cases;
} slot;

typedef struct shared_run {
    _Atomic uint64_t next;
    volatile int stop;
    slot slots[WORKERS];
} shared_run;

/* From a worker: this failed. */
typedef struct message {
    uint64_t seed;
    torture_verdict verdict;
} message;

typedef struct run {
    const torture_options *options;
    shared_run *shared;
    int pipe[2];
    pid_t workers[WORKERS];
    pid_t reporter;
    double start, shown;
    uint64_t failures, by_kind[TORTURE_KINDS], reported[TORTURE_KINDS];
    message queue[64]; /* that wait for the reporter */
    size_t queued;
} run;

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

/* ---- Workers ---- */

static double processor_seconds(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void work(const run *r, slot *own)
{
    static torture_case c;
    const torture_options *o = r->options;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    torture_world_begin(&own->world, o->slip, o->with_opencl);
    while (!r->shared->stop) {
        const uint64_t number = atomic_fetch_add(&r->shared->next, 1);
        if (number >= o->cases) {
            break;
        }
        message m = {.seed = o->from + number, .verdict = {.end = TORTURE_END_WRONG}};
        if (o->scene >= 0 && torture_scene_of(m.seed) != (torture_scene)o->scene) {
            continue;
        }
        own->seed = m.seed;
        own->spent = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
        own->started = torture_seconds();
        torture_make_case(&c, m.seed, o->with_opencl);
        torture_ask_all(&own->world, &c, &own->tally, &m.verdict.failure);
        own->started = 0;
        own->cases++;
        if (m.verdict.failure.is_failure && write(r->pipe[1], &m, sizeof m) != sizeof m) {
            abort();
        }
    }
    torture_world_end(&own->world);
    _exit(0);
}

static pid_t start_process(void)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) {
        perror("torture: fork");
        exit(2);
    }
    return child;
}

static void start_worker(run *r, size_t i)
{
    r->shared->slots[i].started = 0;
    r->workers[i] = start_process();
    if (r->workers[i] == 0) {
        close(r->pipe[0]);
        work(r, &r->shared->slots[i]);
    }
}

/* ---- Failures ---- */

static void take_failure(run *r, const message *m)
{
    const torture_kind kind = m->verdict.failure.kind;
    r->failures++;
    r->by_kind[kind]++;
    uint64_t sum = 0;
    for (int i = 0; i < TORTURE_KINDS; i++) {
        sum += r->reported[i];
    }
    if (r->reported[kind] < 3 && sum < r->options->reports && r->queued < 64) {
        r->reported[kind]++;
        r->queue[r->queued++] = *m;
    } else {
        printf("failure, not shrunk: seed 0x%llx: %s: %s\n", (unsigned long long)m->seed, torture_kind_name(kind),
               m->verdict.failure.text);
    }
}

static void start_reporter(run *r)
{
    if (r->reporter || !r->queued) {
        return;
    }
    const message m = r->queue[0];
    memmove(r->queue, r->queue + 1, --r->queued * sizeof *r->queue);
    r->reporter = start_process();
    if (r->reporter == 0) {
        signal(SIGINT, SIG_IGN);
        (void)torture_report(r->options, m.seed, &m.verdict);
        fflush(stdout);
        _exit(0);
    }
}

static void read_messages(run *r, int milliseconds)
{
    struct pollfd waiting = {.fd = r->pipe[0], .events = POLLIN};
    message m;
    while (poll(&waiting, 1, milliseconds) > 0 && read(r->pipe[0], &m, sizeof m) == sizeof m) {
        take_failure(r, &m);
        milliseconds = 0;
    }
}

/* A worker that did not end by itself: its case is a failure. Returns 1 when it has to be replaced. */
static int bury_worker(run *r, size_t i, int status)
{
    slot *s = &r->shared->slots[i];
    r->workers[i] = 0;
    torture_world_clean(&s->world);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return 0;
    }
    message m = {.seed = s->seed, .verdict = {.end = TORTURE_END_CRASH}};
    torture_failure *f = &m.verdict.failure;
    f->is_failure = 1;
    f->question = s->world.asking;
    static torture_case c;
    torture_make_case(&c, s->seed, r->options->with_opencl);
    f->kind = c.questions[f->question].kind;
    const int killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    m.verdict.end = killed ? TORTURE_END_HANG : TORTURE_END_CRASH;
    snprintf(f->text, sizeof f->text, "%s", killed ? "no answer came in time" : "the process crashed");
    take_failure(r, &m);
    return !r->shared->stop;
}

/* Time of the processor counts, for others may use it, too; but a worker that waits for itself takes none. */
static int hangs(const run *r, size_t i)
{
    const slot *s = &r->shared->slots[i];
    const double waited = torture_seconds() - s->started;
    clockid_t clock;
    if (waited <= r->options->patience || clock_getcpuclockid(r->workers[i], &clock) != 0) {
        return 0;
    }
    return processor_seconds(clock) - s->spent > r->options->patience || waited > 20 * r->options->patience;
}

static size_t collect_children(run *r)
{
    int status;
    pid_t ended;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
        r->reporter = ended == r->reporter ? 0 : r->reporter;
        for (size_t i = 0; i < r->options->jobs; i++) {
            if (ended == r->workers[i] && bury_worker(r, i, status)) {
                start_worker(r, i);
            }
        }
    }
    size_t working = 0;
    for (size_t i = 0; i < r->options->jobs; i++) {
        const slot *s = &r->shared->slots[i];
        working += r->workers[i] > 0;
        if (r->workers[i] > 0 && s->started > 0 && hangs(r, i)) {
            kill(r->workers[i], SIGKILL);
        }
    }
    return working;
}

/* ---- Progress ---- */

static torture_tally sum_tallies(const run *r, uint64_t *cases, uint64_t *checks)
{
    torture_tally sum = {0};
    *cases = *checks = 0;
    for (size_t i = 0; i < r->options->jobs; i++) {
        const slot *s = &r->shared->slots[i];
        *cases += s->cases;
        sum.errors += s->tally.errors;
        for (int k = 0; k < TORTURE_KINDS; k++) {
            sum.seconds[k] += s->tally.seconds[k];
        }
        for (int k = 0; k < TORTURE_KINDS * TORTURE_COLUMNS; k++) {
            sum.checks[k / TORTURE_COLUMNS][k % TORTURE_COLUMNS] +=
                s->tally.checks[k / TORTURE_COLUMNS][k % TORTURE_COLUMNS];
            *checks += s->tally.checks[k / TORTURE_COLUMNS][k % TORTURE_COLUMNS];
        }
    }
    return sum;
}

static void show_progress(run *r, int is_last)
{
    const double now = torture_seconds(), passed = now - r->start;
    uint64_t cases, checks;
    if (!is_last && now - r->shown < 5) {
        return;
    }
    r->shown = now;
    (void)sum_tallies(r, &cases, &checks);
    printf("%7.0f s  %llu checks, %.0f a minute, %llu cases, %llu failures", passed, (unsigned long long)checks,
           60 * (double)checks / passed, (unsigned long long)cases, (unsigned long long)r->failures);
    for (int i = 0; i < TORTURE_KINDS; i++) {
        if (r->by_kind[i]) {
            printf("; %s %llu", torture_kind_name((torture_kind)i), (unsigned long long)r->by_kind[i]);
        }
    }
    printf("\n");
    fflush(stdout);
}

/* ---- All ---- */

static void begin(run *r, const torture_options *options)
{
    memset(r, 0, sizeof *r);
    r->options = options;
    r->shared = mmap(NULL, sizeof *r->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r->shared == MAP_FAILED || pipe(r->pipe) != 0) {
        perror("torture");
        exit(2);
    }
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    r->start = r->shown = torture_seconds();
    for (size_t i = 0; i < options->jobs; i++) {
        start_worker(r, i);
    }
}

int torture_run(const torture_options *options)
{
    static run r;
    uint64_t cases, checks;
    begin(&r, options);
    for (;;) {
        read_messages(&r, 100);
        const size_t working = collect_children(&r);
        start_reporter(&r);
        show_progress(&r, 0);
        if (interrupted || torture_seconds() - r.start > options->seconds) {
            r.shared->stop = 1;
        }
        if (!working && !r.queued && !r.reporter) {
            break;
        }
    }
    read_messages(&r, 0);
    show_progress(&r, 1);
    const torture_tally tally = sum_tallies(&r, &cases, &checks);
    torture_print_table(&tally);
    if (r.failures) {
        printf("%llu of %llu cases failed; see %s\n", (unsigned long long)r.failures, (unsigned long long)cases,
               options->folder);
    }
    return r.failures ? 1 : 0;
}

int torture_replay(const torture_options *options, uint64_t seed)
{
    const int failed = torture_report(options, seed, NULL);
    if (!failed) {
        printf("seed 0x%llx: all answers are right\n", (unsigned long long)seed);
    }
    return failed;
}
