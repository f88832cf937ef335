/* Many checks in one call: on a device, or by threads with a query each for what devices do not answer. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

/* ---- Threads ---- */

typedef struct many many;

typedef struct worker {
    many *all;
    binding_idle_query *query;
    pthread_t thread;
    bool is_started;
    char *items; /* what was found, check after check */
    size_t item_count, item_capacity;
} worker;

/* Answers one check; for lists it appends items to the worker's. */
typedef tumble_status answer_function(many *all, worker *w, size_t check);

struct many {
    binding_checks checks;
    answer_function *answer;
    binding_many_mode mode;
    tumble_collide_options collide;
    tumble_distance_options distance;
    tumble_tuning tuning;
    void *data;        /* the output */
    uint64_t *counts;  /* lists: items of each check, */
    size_t *starts;    /* where they are, */
    uint32_t *finders; /* and whose */
    size_t item_size;
    worker *workers;
    size_t worker_count;
    binding_work *work; /* of the thread that Python knows */
    atomic_size_t next;
    atomic_bool must_stop;
    pthread_mutex_t lock; /* of what follows: the first check that failed */
    tumble_status status;
    size_t failed_check;
    char message[600];
};

#define CHUNK 16

static void record_failure(many *all, const worker *w, size_t check, tumble_status status)
{
    pthread_mutex_lock(&all->lock);
    if (all->status == TUMBLE_OK || check < all->failed_check) {
        all->status = status;
        all->failed_check = check;
        if (tumble_query_error(w->query->query, all->message, sizeof all->message) != status) {
            all->message[0] = '\0'; /* of an earlier failure */
        }
    }
    pthread_mutex_unlock(&all->lock);
    atomic_store(&all->must_stop, true);
}

/* Of a single check, however long it takes: another thread failed or saw Ctrl-C. */
static bool must_stop(void *user)
{
    many *all = user;
    return atomic_load_explicit(&all->must_stop, memory_order_relaxed);
}

static bool must_stop_or_look(void *user)
{
    many *all = user;
    if (binding_work_look(all->work)) {
        atomic_store(&all->must_stop, true);
    }
    return must_stop(all);
}

/* `work` is NULL in threads that Python does not know. */
static void run_checks(worker *w, binding_work *work)
{
    many *all = w->all;
    while (!atomic_load_explicit(&all->must_stop, memory_order_relaxed)) {
        const size_t begin = atomic_fetch_add(&all->next, CHUNK);
        const size_t end = begin + CHUNK < all->checks.count ? begin + CHUNK : all->checks.count;
        if (begin >= all->checks.count) {
            return;
        }
        for (size_t i = begin; i < end && !atomic_load_explicit(&all->must_stop, memory_order_relaxed); i++) {
            const tumble_status status = all->answer(all, w, i);
            if (status != TUMBLE_OK && !must_stop(all)) {
                record_failure(all, w, i, status);
            }
            if (work && binding_work_look(work)) {
                atomic_store(&all->must_stop, true);
            }
        }
    }
}

static void *run_thread(void *user)
{
    run_checks(user, NULL);
    return NULL;
}

static size_t threads_for(uint64_t asked, size_t check_count)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = asked ? (size_t)(asked < 256 ? asked : 256) : (size_t)(processors < 1 ? 1 : processors);
    const size_t chunks = check_count / CHUNK + 1;
    return count < chunks ? count : chunks;
}

static int take_queries(binding_state *state, many *all, uint64_t threads)
{
    all->worker_count = threads_for(threads, all->checks.count);
    all->workers = calloc(all->worker_count, sizeof *all->workers);
    if (!all->workers) {
        all->worker_count = 0;
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < all->worker_count; i++) {
        all->workers[i].all = all;
        all->workers[i].query = binding_query_take(state);
        if (!all->workers[i].query) {
            return -1;
        }
        all->workers[i].query->asker.must_stop = i ? must_stop : must_stop_or_look;
        all->workers[i].query->asker.user = all;
    }
    return 0;
}

/* Without the GIL; this thread works too, and looks for Ctrl-C. */
static void run_all(many *all, binding_work *work)
{
    for (size_t i = 1; i < all->worker_count; i++) {
        worker *w = &all->workers[i];
        w->is_started = pthread_create(&w->thread, NULL, run_thread, w) == 0;
    }
    run_checks(&all->workers[0], work);
    for (size_t i = 1; i < all->worker_count; i++) {
        if (all->workers[i].is_started) {
            pthread_join(all->workers[i].thread, NULL);
        }
    }
}

/* -1 with an exception. */
static int run(binding_state *state, many *all, uint64_t threads)
{
    binding_work work;
    if (take_queries(state, all, threads)) {
        return -1;
    }
    /* Until the threads have ended, below. */
    /* cppcheck-suppress autoVariables */
    all->work = &work;
    pthread_mutex_init(&all->lock, NULL);
    binding_work_begin(&work);
    run_all(all, &work);
    binding_work_end(&work);
    pthread_mutex_destroy(&all->lock);
    if (work.is_interrupted) {
        return -1;
    }
    if (all->status != TUMBLE_OK) {
        char message[700];
        PyOS_snprintf(message, sizeof message, "check %zu: %s", all->failed_check,
                      all->message[0] ? all->message : tumble_status_text(all->status));
        binding_raise(state, all->status, message, NULL);
        return -1;
    }
    return 0;
}

static void release(binding_state *state, many *all)
{
    for (size_t i = 0; i < all->worker_count; i++) {
        if (all->workers[i].query) {
            all->workers[i].query->asker.must_stop = NULL;
            binding_query_give(state, all->workers[i].query);
        }
        free(all->workers[i].items);
    }
    free(all->workers);
    free(all->counts);
    free(all->starts);
    free(all->finders);
    binding_checks_release(state, &all->checks);
}

/* ---- Answers ---- */

/* Poses are copied: what is checked is what is used, even if another thread writes to the array. */
typedef struct posing {
    tumble_pose poses[2];
    const tumble_pose *a, *b;
} posing;

static posing poses_of(const many *all, size_t check)
{
    posing p = {.a = NULL};
    const tumble_pose *a = binding_checks_pose(&all->checks, 0, check),
                      *b = binding_checks_pose(&all->checks, 1, check);
    if (a) {
        p.poses[0] = *a;
    }
    if (b) {
        p.poses[1] = *b;
    }
    p.a = a;
    p.b = b;
    return p;
}

#define POSE_A(p) ((p).a ? &(p).poses[0] : NULL)
#define POSE_B(p) ((p).b ? &(p).poses[1] : NULL)

static tumble_status append(many *all, worker *w, size_t check, const void *items, size_t count)
{
    if (w->item_count + count > w->item_capacity) {
        const size_t capacity = 2 * (w->item_count + count) + 64;
        char *grown = realloc(w->items, capacity * all->item_size);
        if (!grown) {
            return TUMBLE_ERROR_MEMORY;
        }
        w->items = grown;
        w->item_capacity = capacity;
    }
    if (count) {
        memcpy(w->items + w->item_count * all->item_size, items, count * all->item_size);
    }
    all->counts[check] = count;
    all->starts[check] = w->item_count;
    all->finders[check] = (uint32_t)(w - all->workers);
    w->item_count += count;
    return TUMBLE_OK;
}

static tumble_status keep(many *all, worker *w, size_t check, const tumble_collide_result *result)
{
    switch (all->mode) {
    case BINDING_MANY_TEST: ((bool *)all->data)[check] = result->collide; return TUMBLE_OK;
    case BINDING_MANY_COUNT: ((uint64_t *)all->data)[check] = result->pair_count; return TUMBLE_OK;
    case BINDING_MANY_FIRST:
        ((int64_t *)all->data)[2 * check] = result->collide ? (int64_t)result->first.polygon_a : -1;
        ((int64_t *)all->data)[2 * check + 1] = result->collide ? (int64_t)result->first.polygon_b : -1;
        return TUMBLE_OK;
    case BINDING_MANY_PAIRS: return append(all, w, check, result->pairs, (size_t)result->pair_count);
    default: return append(all, w, check, result->contacts, (size_t)result->contact_count);
    }
}

static tumble_status answer_collide(many *all, worker *w, size_t check)
{
    const posing p = poses_of(all, check);
    tumble_collide_result result;
    const tumble_status status =
        tumble_collide(w->query->query, binding_checks_model(&all->checks, 0, check)->model, POSE_A(p),
                       binding_checks_model(&all->checks, 1, check)->model, POSE_B(p), &all->collide, &result);
    return status == TUMBLE_OK ? keep(all, w, check, &result) : status;
}

static tumble_status answer_distance(many *all, worker *w, size_t check)
{
    const posing p = poses_of(all, check);
    tumble_distance_result result;
    const tumble_status status =
        tumble_distance(w->query->query, binding_checks_model(&all->checks, 0, check)->model, POSE_A(p),
                        binding_checks_model(&all->checks, 1, check)->model, POSE_B(p), &all->distance, &result);
    if (status == TUMBLE_OK) {
        ((double *)all->data)[check] = result.answer == TUMBLE_YES ? result.nearest.distance : INFINITY;
    }
    return status;
}

static tumble_status answer_relation(many *all, worker *w, size_t check)
{
    const posing p = poses_of(all, check);
    tumble_relation_result result;
    const tumble_status status =
        tumble_relate(w->query->query, binding_checks_model(&all->checks, 0, check)->model, POSE_A(p),
                      binding_checks_model(&all->checks, 1, check)->model, POSE_B(p), &result);
    if (status == TUMBLE_OK) {
        ((uint32_t *)all->data)[check] = (uint32_t)result.relation;
    }
    return status;
}

/* ---- Outputs ---- */

static PyObject *run_plain(binding_state *state, many *all, PyObject *out, binding_dtype dtype, Py_ssize_t width,
                           uint64_t threads)
{
    Py_buffer view;
    PyObject *array = binding_output(state, out, dtype, (Py_ssize_t)all->checks.count, width, &view, &all->data);
    if (array && (binding_checks_part(&all->checks, &view) || run(state, all, threads))) {
        Py_CLEAR(array);
    }
    if (view.obj) {
        PyBuffer_Release(&view);
    }
    return array;
}

/* CSR of lists that several workers hold. */
static PyObject *gather(binding_state *state, many *all)
{
    const size_t count = all->checks.count;
    const Py_ssize_t start_count = (Py_ssize_t)count + 1;
    const bool is_pairs = all->mode == BINDING_MANY_PAIRS;
    void *starts = NULL, *items = NULL;
    PyObject *start_array = binding_new_array(state, BINDING_INT64, 1, &start_count, &starts);
    size_t total = 0;
    for (size_t i = 0; start_array && i <= count; i++) {
        ((int64_t *)starts)[i] = (int64_t)total;
        total += i < count ? (size_t)all->counts[i] : 0;
    }
    const Py_ssize_t shape[] = {(Py_ssize_t)total, 2};
    PyObject *item_array = start_array ? binding_new_array(state, is_pairs ? BINDING_UINT32 : BINDING_CONTACT,
                                                           is_pairs ? 2 : 1, shape, &items)
                                       : NULL;
    for (size_t i = 0; item_array && i < count; i++) {
        if (all->counts[i]) {
            memcpy((char *)items + (size_t)((int64_t *)starts)[i] * all->item_size,
                   all->workers[all->finders[i]].items + all->starts[i] * all->item_size,
                   (size_t)all->counts[i] * all->item_size);
        }
    }
    PyObject *result = item_array ? PyTuple_Pack(2, start_array, item_array) : NULL;
    Py_XDECREF(start_array);
    Py_XDECREF(item_array);
    return result;
}

static PyObject *run_lists(binding_state *state, many *all, PyObject *out, uint64_t threads)
{
    if (out && out != Py_None) {
        PyErr_SetString(PyExc_ValueError, "out: modes 'pairs' and 'contacts' make arrays as large as the answer");
        return NULL;
    }
    const size_t count = all->checks.count;
    all->item_size = all->mode == BINDING_MANY_PAIRS ? sizeof(tumble_pair) : sizeof(tumble_contact);
    all->counts = calloc(count + 1, sizeof *all->counts);
    all->starts = calloc(count + 1, sizeof *all->starts);
    all->finders = calloc(count + 1, sizeof *all->finders);
    if (!all->counts || !all->starts || !all->finders) {
        return PyErr_NoMemory();
    }
    return run(state, all, threads) ? NULL : gather(state, all);
}

/* ---- collide_many ---- */

enum {
    A,
    B,
    POSES_A,
    POSES_B,
    MODE,
    CLEARANCE,
    OUT,
    THREADS,
    DEVICE,
    TUNING,
    NAME_COUNT
};

static PyObject *collide_on_device(binding_state *state, PyObject *device, PyObject *const *values)
{
    PyObject *arguments[BINDING_SUBMIT_COUNT] = {
        [BINDING_SUBMIT_A] = values[A],
        [BINDING_SUBMIT_B] = values[B],
        [BINDING_SUBMIT_POSES_A] = values[POSES_A],
        [BINDING_SUBMIT_POSES_B] = values[POSES_B],
        [BINDING_SUBMIT_MODE] = values[MODE],
        [BINDING_SUBMIT_OUT] = values[OUT],
        [BINDING_SUBMIT_TUNING] = values[TUNING],
    };
    if (!device) {
        return NULL;
    }
    Py_INCREF(device); /* a fork or another thread may replace the pool meanwhile */
    PyObject *job = binding_submit(state, device, arguments);
    Py_DECREF(device);
    return job ? binding_job_finish(job) : NULL;
}

static PyObject *collide_here(binding_state *state, PyObject *const *values, binding_many_mode mode, double clearance,
                              uint64_t threads)
{
    static const tumble_mode modes[] = {TUMBLE_TEST, TUMBLE_COUNT, TUMBLE_FIRST, TUMBLE_ALL, TUMBLE_ALL};
    many all;
    memset(&all, 0, sizeof all);
    all.collide = tumble_default_collide_options();
    all.collide.mode = modes[mode];
    all.collide.clearance = clearance;
    all.collide.want_contacts = mode == BINDING_MANY_CONTACTS;
    all.mode = mode;
    all.answer = answer_collide;
    const int is_tuned = binding_tuning(values[TUNING], &all.tuning);
    if (is_tuned < 0 ||
        binding_checks_get(state, values[A], values[B], values[POSES_A], values[POSES_B], &all.checks)) {
        return NULL;
    }
    all.collide.tuning = is_tuned ? &all.tuning : NULL;
    PyObject *result;
    if (mode == BINDING_MANY_PAIRS || mode == BINDING_MANY_CONTACTS) {
        result = run_lists(state, &all, values[OUT], threads);
    } else {
        static const binding_dtype dtypes[] = {BINDING_BOOL, BINDING_UINT64, BINDING_INT64};
        result = run_plain(state, &all, values[OUT], dtypes[mode], mode == BINDING_MANY_FIRST ? 2 : 0, threads);
    }
    release(state, &all);
    return result;
}

static PyObject *collide_many(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"a",   "b",       "poses_a", "poses_b", "mode", "clearance",
                                        "out", "threads", "device",  "tuning",  NULL};
    PyObject *values[NAME_COUNT];
    binding_state *state = binding_state_of(module);
    binding_many_mode mode;
    double clearance = 0;
    uint64_t threads = 0;
    if (binding_arguments("collide_many", names, 4, 2, arguments, count, keywords, values) ||
        binding_many_mode_of(values[MODE], &mode) || binding_double(values[CLEARANCE], "clearance", &clearance) ||
        binding_size(values[THREADS], "threads", &threads)) {
        return NULL;
    }
    if (values[DEVICE] && values[DEVICE] != Py_None) {
        if (clearance != 0 || threads) {
            PyErr_SetString(PyExc_ValueError, "collide_many() on a device takes neither clearance nor threads");
            return NULL;
        }
        return collide_on_device(state, values[DEVICE], values);
    }
    const bool is_list = mode == BINDING_MANY_PAIRS || mode == BINDING_MANY_CONTACTS;
    if (mode == BINDING_MANY_ANSWERS || (clearance == 0 && !threads && !is_list)) {
        return collide_on_device(state, binding_default_pool(state), values);
    }
    return collide_here(state, values, mode, clearance, threads);
}

/* ---- distance_many, relation_many ---- */

static PyObject *distance_many(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"a",      "b",       "poses_a",        "poses_b",
                                        "within", "enough",  "relative_error", "absolute_error",
                                        "out",    "threads", "tuning",         NULL};
    PyObject *v[11];
    binding_state *state = binding_state_of(module);
    uint64_t threads = 0;
    many all;
    memset(&all, 0, sizeof all);
    all.distance = tumble_default_distance_options();
    all.answer = answer_distance;
    if (binding_arguments("distance_many", names, 4, 2, arguments, count, keywords, v) ||
        binding_double(v[4], "within", &all.distance.within) || binding_double(v[5], "enough", &all.distance.enough) ||
        binding_double(v[6], "relative_error", &all.distance.relative_error) ||
        binding_double(v[7], "absolute_error", &all.distance.absolute_error) ||
        binding_size(v[9], "threads", &threads)) {
        return NULL;
    }
    const int is_tuned = binding_tuning(v[10], &all.tuning);
    if (is_tuned < 0 || binding_checks_get(state, v[0], v[1], v[2], v[3], &all.checks)) {
        return NULL;
    }
    all.distance.tuning = is_tuned ? &all.tuning : NULL;
    PyObject *result = run_plain(state, &all, v[8], BINDING_FLOAT64, 0, threads);
    release(state, &all);
    return result;
}

static PyObject *relation_many(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"a", "b", "poses_a", "poses_b", "out", "threads", NULL};
    PyObject *v[6];
    binding_state *state = binding_state_of(module);
    uint64_t threads = 0;
    many all;
    memset(&all, 0, sizeof all);
    all.answer = answer_relation;
    if (binding_arguments("relation_many", names, 4, 2, arguments, count, keywords, v) ||
        binding_size(v[5], "threads", &threads) || binding_checks_get(state, v[0], v[1], v[2], v[3], &all.checks)) {
        return NULL;
    }
    PyObject *result = run_plain(state, &all, v[4], BINDING_UINT32, 0, threads);
    release(state, &all);
    return result;
}

#define FUNCTION(name, function, text)                                                   \
    {                                                                                    \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, text \
    }

static PyMethodDef functions[] = {
    FUNCTION("collide_many", collide_many,
             "collide_many(a, b, poses_a=None, poses_b=None, *, mode='test', clearance=0.0, out=None, threads=0, "
             "device=None, tuning=None)\n--\n\n"
             "Checks two models at many poses, on all processors or on a device.\n\n"
             "poses: (n, 3, 4) float64, which is not copied; (n, 4, 4); or the tuple of positions (n, 3) and\n"
             "quaternions (n, 4). One pose, or None, serves all checks. a and b may be lists of n models.\n\n"
             "mode: 'test' returns (n,) bool, 'count' (n,) uint64, 'first' (n, 2) int64 with -1 where there is no\n"
             "pair, 'answers' an array of tumble.answer_dtype(), in which a check that fails has a status instead of\n"
             "raising. 'pairs' and 'contacts' return (starts, items): those of check i are\n"
             "items[starts[i]:starts[i + 1]].\n\n"
             "out: an array for the result. threads: as many threads, instead of the pool that all calls share.\n\n"
             ">>> import numpy as np, tumble\n"
             ">>> part = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
             "...                     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
             ">>> poses = np.array([tumble.pose((x, 0, 0)) for x in (0.5, 1.5, 2.5)])\n"
             ">>> tumble.collide_many(part, part, poses_b=poses).tolist()\n"
             "[True, False, False]\n"
             ">>> tumble.collide_many(part, part, poses_b=poses, clearance=0.75).tolist()\n"
             "[True, True, False]\n"
             ">>> starts, pairs = tumble.collide_many(part, part, poses_b=poses, mode='pairs')\n"
             ">>> starts.tolist(), pairs.shape\n"
             "([0, 9, 9, 9], (9, 2))\n"),
    FUNCTION("distance_many", distance_many,
             "distance_many(a, b, poses_a=None, poses_b=None, *, within=None, enough=0.0, relative_error=0.0, "
             "absolute_error=0.0, out=None, threads=0, tuning=None)\n--\n\n"
             "The distances of two models at many poses: (n,) float64; infinity where nothing is within reach."),
    FUNCTION("relation_many", relation_many,
             "relation_many(a, b, poses_a=None, poses_b=None, *, out=None, threads=0)\n--\n\n"
             "The relations of two models at many poses: (n,) uint32, the values of tumble.Relation."),
    {NULL, NULL, 0, NULL},
};

const binding_part binding_batches = {.name = "batches", .functions = functions};
