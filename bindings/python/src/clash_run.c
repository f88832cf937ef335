/* Clashes of an assembly. The library runs on a thread of its own, as it calls back from any of its threads, while
 * signals are seen and Python is called on the caller's thread only. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "clashes.h"

#define LOOK_SECONDS 0.02
#define TELL_SECONDS 0.1

typedef struct clash_run {
    binding_state *state;
    const tumble_assembly *assembly;
    tumble_clash_options options;
    PyObject *progress; /* or NULL */
    tumble_clash_before *before;
    tumble_clash_rules *rules;
    binding_work work;
    atomic_bool must_stop;
    atomic_ullong done, total; /* questions */
    pthread_mutex_t lock;      /* guards what follows */
    pthread_cond_t changed;
    bool has_ended;
    tumble_status status;
    tumble_clashes *clashes;
    char message[600];
} clash_run;

static bool take_progress(void *user, uint64_t done, uint64_t total)
{
    clash_run *r = user;
    atomic_store_explicit(&r->done, done, memory_order_relaxed);
    atomic_store_explicit(&r->total, total, memory_order_relaxed);
    return atomic_load_explicit(&r->must_stop, memory_order_relaxed);
}

static void *run(void *user)
{
    clash_run *r = user;
    r->status = tumble_clash_run(r->assembly, &r->options, &r->clashes);
    if (r->status != TUMBLE_OK && tumble_last_error(r->state->context, r->message, sizeof r->message) != r->status) {
        r->message[0] = '\0';
    }
    pthread_mutex_lock(&r->lock);
    r->has_ended = true;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* ---- The caller's thread ---- */

static bool wait_some(clash_run *r)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += (long)(1e9 * LOOK_SECONDS);
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&r->lock);
    int late = 0;
    while (!r->has_ended && !late) {
        late = pthread_cond_timedwait(&r->changed, &r->lock, &end);
    }
    const bool has_ended = r->has_ended;
    pthread_mutex_unlock(&r->lock);
    return has_ended;
}

/* Calls progress(done, total) with the GIL; what it raises ends the run, and something true keeps what is known. */
static void tell(clash_run *r)
{
    if (binding_work_must_end()) {
        return;
    }
    PyEval_RestoreThread(r->work.thread);
    PyObject *answer =
        PyObject_CallFunction(r->progress, "KK", (unsigned long long)atomic_load(&r->done), atomic_load(&r->total));
    const int is_enough = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    r->work.is_interrupted = is_enough < 0;
    if (is_enough) {
        atomic_store(&r->must_stop, true);
    }
    r->work.thread = PyEval_SaveThread();
}

static void wait(clash_run *r)
{
    double next = binding_seconds() + TELL_SECONDS;
    while (!wait_some(r)) {
        if (!r->work.is_interrupted && binding_work_look(&r->work)) {
            atomic_store(&r->must_stop, true);
        }
        if (r->progress && !r->work.is_interrupted && binding_seconds() >= next) {
            tell(r);
            next = binding_seconds() + TELL_SECONDS;
        }
    }
}

static void start_and_wait(clash_run *r)
{
    pthread_t thread;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    r->options.progress = take_progress;
    r->options.progress_user = r;
    if (pthread_create(&thread, NULL, run, r) == 0) {
        wait(r);
        pthread_join(thread, NULL);
    } else {
        run(r); /* cannot be interrupted, but answers */
    }
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
}

static PyObject *finish(clash_run *r, PyObject *assembly)
{
    if (!r->work.is_interrupted && r->status == TUMBLE_OK) {
        return binding_clashes_wrap(r->state, r->clashes, r->rules, assembly);
    }
    tumble_clashes_destroy(r->clashes);
    tumble_clash_rules_destroy(r->rules);
    return r->work.is_interrupted ? NULL : binding_raise(r->state, r->status, r->message, NULL);
}

/* ---- Arguments ---- */

enum {
    CLEARANCE,
    TOUCH,
    DEPTH_BUDGET,
    SEVERITY,
    SEGMENTS,
    SEGMENT_BYTES,
    GROUP,
    GROUP_RADIUS,
    THREADS,
    PROGRESS,
    BEFORE,
    RETEST,
    RULES,
    OPTION_COUNT
};

static int read_numbers(PyObject *const *v, tumble_clash_options *o)
{
    uint64_t segments = o->segment_limit, bytes = o->segment_bytes, threads = 0;
    if (binding_double(v[CLEARANCE], "clearance", &o->clearance) || binding_double(v[TOUCH], "touch", &o->touch) ||
        binding_size(v[DEPTH_BUDGET], "depth_budget", &o->depth_budget) ||
        binding_size(v[SEGMENTS], "segments", &segments) || binding_size(v[SEGMENT_BYTES], "segment_bytes", &bytes) ||
        binding_double(v[GROUP_RADIUS], "group_radius", &o->group_radius) ||
        binding_flag(v[RETEST], "retest", &o->retest) || binding_size(v[THREADS], "threads", &threads)) {
        return -1;
    }
    o->segment_limit = (size_t)segments;
    o->segment_bytes = (size_t)bytes;
    o->thread_count = threads < 256 ? (uint32_t)threads : 256;
    return 0;
}

static int read_words(PyObject *const *v, tumble_clash_options *o)
{
    static const char *const severities[] = {
#define WORD(name, number, word) word,
        TUMBLE_SEVERITY_LIST(WORD)
#undef WORD
    };
    static const char *const groupings[] = {"parts", "classes", "subtree", "near"};
    static const int numbers[] = {0, 1, 2, 3};
    int severity = (int)o->severity, grouping = (int)o->grouping;
    if (binding_word(v[SEVERITY], "severity", severities, numbers, 4, &severity) ||
        binding_word(v[GROUP], "group", groupings, numbers, 4, &grouping)) {
        return -1;
    }
    o->severity = (tumble_severity)severity;
    o->grouping = (tumble_grouping)grouping;
    return 0;
}

typedef tumble_status file_reader(clash_run *run, const char *path);

static tumble_status read_before(clash_run *r, const char *path)
{
    return tumble_clash_before_read(r->state->context, path, &r->before);
}

static tumble_status read_rules(clash_run *r, const char *path)
{
    return tumble_clash_rules_read(r->state->context, path, &r->rules);
}

static int read_file(clash_run *r, PyObject *file, file_reader *reader)
{
    if (!file || file == Py_None) {
        return 0;
    }
    PyObject *path = binding_path(file);
    if (!path) {
        return -1;
    }
    const char *name = PyBytes_AsString(path);
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = reader(r, name);
    PyEval_RestoreThread(thread);
    if (status != TUMBLE_OK) {
        binding_raise_last(r->state, status, name);
    }
    Py_DECREF(path);
    return status == TUMBLE_OK ? 0 : -1;
}

static int read_files(clash_run *r, PyObject *const *v)
{
    if (read_file(r, v[BEFORE], read_before) || read_file(r, v[RULES], read_rules)) {
        return -1;
    }
    r->options.before = r->before;
    r->options.rules = r->rules;
    return 0;
}

static int read_options(PyObject *const *arguments, Py_ssize_t count, PyObject *keywords, clash_run *r)
{
    static const char *const names[] = {
        [CLEARANCE] = "clearance", [TOUCH] = "touch",       [DEPTH_BUDGET] = "depth_budget",
        [SEVERITY] = "severity",   [SEGMENTS] = "segments", [SEGMENT_BYTES] = "segment_bytes",
        [GROUP] = "group",         [THREADS] = "threads",   [GROUP_RADIUS] = "group_radius",
        [PROGRESS] = "progress",   [BEFORE] = "before",     [RETEST] = "retest",
        [RULES] = "rules",         [OPTION_COUNT] = NULL};
    PyObject *v[OPTION_COUNT];
    if (binding_arguments("clashes", names, 0, 0, arguments, count, keywords, v) || read_numbers(v, &r->options) ||
        read_words(v, &r->options)) {
        return -1;
    }
    r->progress = v[PROGRESS] == Py_None ? NULL : v[PROGRESS];
    if (r->progress && !PyCallable_Check(r->progress)) {
        PyErr_Format(PyExc_TypeError, "progress: expected a function, not %R", (PyObject *)Py_TYPE(r->progress));
        return -1;
    }
    return read_files(r, v);
}

PyObject *binding_assembly_clash(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    clash_run r = {.state = state, .assembly = a->assembly, .options = tumble_default_clash_options()};
    if (!state || read_options(arguments, count, keywords, &r) || binding_assembly_begin(state, a)) {
        tumble_clash_before_destroy(r.before);
        tumble_clash_rules_destroy(r.rules);
        return NULL;
    }
    binding_work_begin(&r.work);
    start_and_wait(&r);
    binding_work_end(&r.work);
    binding_assembly_end(state, a);
    tumble_clash_before_destroy(r.before);
    return finish(&r, self);
}
