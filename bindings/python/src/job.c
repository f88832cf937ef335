/* Jobs: batches under way, as futures. The device's callback touches only a small record that it shares with the job,
 * never Python; so it needs no GIL and works in every interpreter. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

/* ---- What the callback writes ---- */

#define WAKE_MOST 64

typedef struct outcome {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int reference_count; /* the job and the callback */
    bool is_done;
    int wakes[WAKE_MOST]; /* ends of pipes for event loops */
    int wake_count;
    tumble_ticket_report report;
} outcome;

static outcome *new_outcome(void)
{
    outcome *o = calloc(1, sizeof *o);
    if (!o) {
        return NULL;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    o->reference_count = 1;
    return o;
}

static void drop_outcome(outcome *o)
{
    pthread_mutex_lock(&o->lock);
    const int left = --o->reference_count;
    pthread_mutex_unlock(&o->lock);
    if (left == 0) {
        for (int i = 0; i < o->wake_count; i++) {
            close(o->wakes[i]);
        }
        pthread_cond_destroy(&o->changed);
        pthread_mutex_destroy(&o->lock);
        free(o);
    }
}

static void is_done(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    (void)ticket;
    outcome *o = user;
    pthread_mutex_lock(&o->lock);
    o->report = *report;
    o->is_done = true;
    for (int i = 0; i < o->wake_count; i++) {
        close(o->wakes[i]); /* which makes the other end readable */
    }
    o->wake_count = 0;
    pthread_cond_broadcast(&o->changed);
    pthread_mutex_unlock(&o->lock);
    drop_outcome(o);
}

static bool look(outcome *o)
{
    pthread_mutex_lock(&o->lock);
    const bool result = o->is_done;
    pthread_mutex_unlock(&o->lock);
    return result;
}

/* Waits without the GIL, at most `seconds`. */
static bool wait_for(outcome *o, double seconds)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += (long)(1e9 * seconds);
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&o->lock);
    int late = 0;
    while (!o->is_done && late == 0) {
        late = pthread_cond_timedwait(&o->changed, &o->lock, &end);
    }
    const bool result = o->is_done;
    pthread_mutex_unlock(&o->lock);
    return result;
}

/* ---- Jobs ---- */

typedef struct binding_job {
    struct binding_job *previous, *next; /* the list of those that are not done, which owns a reference to each */
    PyObject *object;
    bool is_listed;
    outcome *outcome;
    PyObject *device;
    uint64_t opening, fork_count;
    tumble_ticket ticket;
    binding_checks checks;
    tumble_device_model **device_models; /* of all models of both sides */
    size_t device_model_count;
    tumble_model_pair *pairs;
    tumble_tuning tuning;
    binding_many_mode mode;
    tumble_check_answer *answers;
    void *found; /* pairs or contacts */
    uint64_t *counts;
    size_t capacity;
    PyObject *array; /* the output */
    Py_buffer out;   /* held if it is the caller's */
    void *data;
    PyObject *result; /* once it was made */
    bool is_released; /* models and arrays are given back */
    bool is_read;     /* a thread is making the result */
} binding_job;

typedef struct job_object {
    PyObject_HEAD binding_job data;
} job_object;

static binding_job *data_of(PyObject *self)
{
    return &((job_object *)self)->data;
}

static void list_job(binding_state *state, PyObject *self)
{
    binding_job *job = data_of(self);
    job->object = Py_NewRef(self);
    job->is_listed = true;
    job->previous = NULL;
    job->next = state->jobs;
    if (state->jobs) {
        state->jobs->previous = job;
    }
    state->jobs = job;
}

static void unlist_job(binding_state *state, binding_job *job)
{
    if (!job->is_listed) {
        return;
    }
    job->is_listed = false;
    if (job->previous) {
        job->previous->next = job->next;
    } else {
        state->jobs = job->next;
    }
    if (job->next) {
        job->next->previous = job->previous;
    }
    Py_DECREF(job->object);
}

/* The device that the job was submitted to is still open. */
static bool is_open(const binding_state *state, const binding_job *job)
{
    const binding_device *device = job->device ? binding_device_data(job->device) : NULL;
    return device && device->device && device->opening == job->opening && job->fork_count == state->fork_count;
}

static void remove_models(binding_state *state, binding_job *job)
{
    if (is_open(state, job)) {
        binding_device *device = binding_device_data(job->device);
        device->user_count++;
        PyThreadState *thread = PyEval_SaveThread();
        for (size_t i = 0; i < job->device_model_count; i++) {
            tumble_device_remove_model(job->device_models[i]);
        }
        PyEval_RestoreThread(thread);
        device->user_count--;
    }
    free(job->device_models);
    job->device_models = NULL;
    job->device_model_count = 0;
}

/* Gives back what only a job that is not done needs. */
static void release_inputs(binding_state *state, binding_job *job)
{
    if (job->is_released) {
        return;
    }
    job->is_released = true;
    remove_models(state, job);
    binding_checks_release(state, &job->checks);
    free(job->pairs);
    job->pairs = NULL;
}

static void release_outputs(binding_job *job)
{
    if (job->mode != BINDING_MANY_ANSWERS) {
        free(job->answers);
    }
    job->answers = NULL;
    job->data = NULL;
    free(job->found);
    job->found = NULL;
    free(job->counts);
    job->counts = NULL;
    if (job->out.obj) {
        PyBuffer_Release(&job->out);
    }
    Py_CLEAR(job->array);
}

/* In a child the threads that would end a job are missing, and what they would write to must stay. */
static bool is_lost(const binding_state *state, const binding_job *job)
{
    return job->fork_count != state->fork_count;
}

static void cancel_job(binding_state *state, binding_job *job)
{
    if (is_open(state, job) && !look(job->outcome)) {
        (void)tumble_device_cancel(binding_device_data(job->device)->device, job->ticket);
        PyThreadState *thread = PyEval_SaveThread();
        while (!wait_for(job->outcome, 0.5)) {
        }
        PyEval_RestoreThread(thread);
    }
}

/* The first that is done, or any if all are to be cancelled. */
static binding_job *ripe_job(binding_state *state, bool cancel)
{
    binding_job *job = state->jobs;
    while (job && !cancel && !look(job->outcome)) {
        job = job->next;
    }
    return job;
}

/* Others may change the list whenever the GIL is released, so the search starts anew each time. */
void binding_jobs_reap(binding_state *state, bool cancel)
{
    for (binding_job *job = ripe_job(state, cancel); job; job = ripe_job(state, cancel)) {
        PyObject *object = Py_NewRef(job->object);
        if (cancel) {
            cancel_job(state, job);
        }
        unlist_job(state, job);
        release_inputs(state, job);
        Py_DECREF(object);
    }
}

void binding_jobs_after_fork(binding_state *state)
{
    for (binding_job *job = state->jobs; job; job = job->next) {
        job->outcome = NULL; /* its lock may be held by a thread that does not exist */
    }
    state->jobs = NULL; /* their memory stays: nobody can end them */
}

/* ---- Submission ---- */

static int add_models(binding_state *state, binding_job *job, tumble_device *device)
{
    binding_checks *checks = &job->checks;
    const size_t count = checks->model_counts[0] + checks->model_counts[1];
    job->device_models = calloc(count + 1, sizeof *job->device_models);
    if (!job->device_models) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        const int side = i >= checks->model_counts[0];
        const binding_model *model = checks->data[side][i - (side ? checks->model_counts[0] : 0)];
        const tumble_status status = tumble_device_add_model(device, model->model, &job->device_models[i]);
        if (status != TUMBLE_OK) {
            binding_raise_last(state, status, NULL);
            return -1;
        }
        job->device_model_count = i + 1;
    }
    return 0;
}

static int make_pairs(binding_job *job, tumble_batch *batch)
{
    const size_t *counts = job->checks.model_counts;
    batch->pair_count = counts[0] == 1 && counts[1] == 1 ? 1 : job->checks.count;
    job->pairs = malloc((batch->pair_count + 1) * sizeof *job->pairs);
    if (!job->pairs) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < batch->pair_count; i++) {
        job->pairs[i] = (tumble_model_pair){job->device_models[counts[0] == 1 ? 0 : i],
                                            job->device_models[counts[0] + (counts[1] == 1 ? 0 : i)]};
    }
    batch->pairs = job->pairs;
    return 0;
}

static binding_dtype dtype_of(binding_many_mode mode)
{
    switch (mode) {
    case BINDING_MANY_COUNT: return BINDING_UINT64;
    case BINDING_MANY_FIRST: return BINDING_INT64;
    case BINDING_MANY_ANSWERS: return BINDING_ANSWER;
    default: return BINDING_BOOL;
    }
}

/* Memory for `items` of `size` per check. */
static void *allocate(size_t count, size_t items, size_t size)
{
    if (items && count > (size_t)PY_SSIZE_T_MAX / size / items) {
        PyErr_NoMemory();
        return NULL;
    }
    void *memory = malloc(count * items * size + 1);
    if (!memory) {
        PyErr_NoMemory();
    }
    return memory;
}

static int make_lists(binding_job *job, tumble_batch *batch)
{
    const bool is_pairs = job->mode == BINDING_MANY_PAIRS;
    const size_t size = is_pairs ? sizeof(tumble_pair) : sizeof(tumble_contact);
    job->found = allocate(job->checks.count, job->capacity, size);
    job->counts = job->found ? allocate(job->checks.count, 1, sizeof *job->counts) : NULL;
    if (!job->counts) {
        return -1;
    }
    if (is_pairs) {
        batch->found = job->found;
        batch->found_capacity = job->capacity;
    } else {
        batch->contacts = job->found;
        batch->contact_capacity = job->capacity;
        batch->contact_counts = job->counts;
    }
    return 0;
}

static int make_outputs(binding_state *state, binding_job *job, PyObject *out, tumble_batch *batch)
{
    const bool is_list = job->mode == BINDING_MANY_PAIRS || job->mode == BINDING_MANY_CONTACTS;
    if (is_list) {
        if (out && out != Py_None) {
            PyErr_SetString(PyExc_ValueError, "out: modes 'pairs' and 'contacts' make arrays as large as the answer");
            return -1;
        }
        if (make_lists(job, batch)) {
            return -1;
        }
    } else {
        job->array = binding_output(state, out, dtype_of(job->mode), (Py_ssize_t)job->checks.count,
                                    job->mode == BINDING_MANY_FIRST ? 2 : 0, &job->out, &job->data);
        if (!job->array || binding_checks_part(&job->checks, &job->out)) {
            return -1;
        }
    }
    job->answers = job->mode == BINDING_MANY_ANSWERS ? job->data : allocate(job->checks.count, 1, sizeof *job->answers);
    batch->answers = job->answers;
    return job->answers ? 0 : -1;
}

static tumble_batch batch_of(const binding_job *job, bool is_tuned, bool on_cpu)
{
    static const tumble_mode modes[] = {TUMBLE_TEST, TUMBLE_COUNT, TUMBLE_FIRST, TUMBLE_ALL, TUMBLE_ALL, TUMBLE_COUNT};
    tumble_batch batch = tumble_default_batch();
    batch.mode = modes[job->mode];
    batch.on_cpu = on_cpu;
    batch.check_count = job->checks.count;
    batch.tuning = is_tuned ? &job->tuning : NULL;
    batch.callback = is_done;
    batch.callback_user = job->outcome;
    return batch;
}

static void set_poses(const binding_checks *checks, tumble_batch *batch)
{
    batch->poses_a = checks->poses[0].poses;
    batch->pose_a_count = checks->poses[0].count;
    batch->poses_b = checks->poses[1].poses;
    batch->pose_b_count = checks->poses[1].count;
}

/* Waits in slices, so that Ctrl-C is noticed while the queue is full. */
static tumble_status submit_batch(binding_job *job, const tumble_batch *batch, double timeout)
{
    binding_device *device = binding_device_data(job->device);
    tumble_device *handle = device->device;
    const double end = binding_seconds() + timeout;
    tumble_status status = TUMBLE_ERROR_BUSY;
    device->user_count++;
    job->outcome->reference_count++;
    while (status == TUMBLE_ERROR_BUSY && !PyErr_Occurred()) {
        const double left = end - binding_seconds();
        PyThreadState *thread = PyEval_SaveThread();
        status = tumble_device_submit(handle, batch, left < 0.05 ? left : 0.05, &job->ticket);
        PyEval_RestoreThread(thread);
        if (left <= 0 || (status == TUMBLE_ERROR_BUSY && PyErr_CheckSignals())) {
            break;
        }
    }
    device->user_count--;
    if (status != TUMBLE_OK) {
        job->outcome->reference_count--;
    }
    return status;
}

static int start(binding_state *state, binding_job *job, PyObject *const *values)
{
    bool on_cpu = false;
    double timeout = INFINITY;
    uint64_t capacity = 64;
    binding_device *device = binding_device_of(state, job->device, "device");
    const int is_tuned = device ? binding_tuning(values[BINDING_SUBMIT_TUNING], &job->tuning) : -1;
    if (is_tuned < 0 || binding_many_mode_of(values[BINDING_SUBMIT_MODE], &job->mode) ||
        binding_flag(values[BINDING_SUBMIT_ON_CPU], "on_cpu", &on_cpu) ||
        binding_double(values[BINDING_SUBMIT_TIMEOUT], "timeout", &timeout) ||
        binding_size(values[BINDING_SUBMIT_CAPACITY], "capacity", &capacity) ||
        binding_checks_get(state, values[BINDING_SUBMIT_A], values[BINDING_SUBMIT_B], values[BINDING_SUBMIT_POSES_A],
                           values[BINDING_SUBMIT_POSES_B], &job->checks)) {
        return -1;
    }
    if (capacity == 0 || capacity > SIZE_MAX / 1024) {
        PyErr_SetString(PyExc_ValueError, "capacity: expected a positive number of moderate size");
        return -1;
    }
    job->capacity = (size_t)capacity;
    device = binding_device_of(state, job->device, "device"); /* reading arguments may have run code that closed it */
    if (!device) {
        return -1;
    }
    job->opening = device->opening;
    job->fork_count = state->fork_count;
    tumble_batch batch = batch_of(job, is_tuned > 0, on_cpu);
    if (make_outputs(state, job, values[BINDING_SUBMIT_OUT], &batch) || !is_open(state, job) ||
        add_models(state, job, device->device) || make_pairs(job, &batch)) {
        return -1;
    }
    set_poses(&job->checks, &batch);
    const tumble_status status = submit_batch(job, &batch, timeout);
    if (status != TUMBLE_OK && !PyErr_Occurred()) {
        binding_raise_last(state, status, NULL);
    }
    return status == TUMBLE_OK ? 0 : -1;
}

PyObject *binding_submit(binding_state *state, PyObject *device, PyObject *const *values)
{
    binding_jobs_reap(state, false);
    if (!binding_device_of(state, device, "device")) {
        return NULL;
    }
    PyTypeObject *type = (PyTypeObject *)state->types[BINDING_TYPE_JOB];
    allocfunc allocate_object = PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = allocate_object(type, 0);
    if (!self) {
        return NULL;
    }
    binding_job *job = data_of(self);
    job->device = Py_NewRef(device);
    job->outcome = new_outcome();
    if (!job->outcome) {
        PyErr_NoMemory();
    } else if (start(state, job, values) == 0) {
        list_job(state, self);
        return self;
    }
    Py_DECREF(self);
    return NULL;
}

/* ---- Results ---- */

static PyObject *read_answers(binding_job *job)
{
    const size_t count = job->outcome->report.check_count;
    for (size_t i = 0; i < count; i++) {
        const tumble_check_answer *answer = &job->answers[i];
        if (job->mode == BINDING_MANY_TEST) {
            ((bool *)job->data)[i] = answer->collide;
        } else if (job->mode == BINDING_MANY_COUNT) {
            ((uint64_t *)job->data)[i] = answer->pair_count;
        } else if (job->mode == BINDING_MANY_FIRST) {
            ((int64_t *)job->data)[2 * i] = answer->collide ? (int64_t)answer->first.polygon_a : -1;
            ((int64_t *)job->data)[2 * i + 1] = answer->collide ? (int64_t)answer->first.polygon_b : -1;
        }
    }
    return Py_NewRef(job->array);
}

static PyObject *read_lists(binding_state *state, binding_job *job)
{
    const bool is_pairs = job->mode == BINDING_MANY_PAIRS;
    const size_t count = job->outcome->report.check_count;
    for (size_t i = 0; i < count; i++) {
        if (is_pairs) {
            job->counts[i] = job->answers[i].pair_count;
        }
        if (job->counts[i] > job->capacity) {
            char message[120];
            PyOS_snprintf(message, sizeof message, "check %zu has %llu %s: give a capacity of at least that", i,
                          (unsigned long long)job->counts[i], is_pairs ? "pairs" : "contacts");
            return binding_raise(state, TUMBLE_ERROR_TOO_LARGE, message, NULL);
        }
    }
    return binding_compressed(state, is_pairs ? BINDING_UINT32 : BINDING_CONTACT, job->counts, count, job->found,
                              job->capacity);
}

/* Answers have a status each, so a check that failed is no exception there. */
static bool is_of_check(tumble_status status)
{
    return status != TUMBLE_ERROR_CANCELLED && status != TUMBLE_ERROR_DEVICE && status != TUMBLE_ERROR_MEMORY;
}

/* Making arrays can run other threads, which may ask for the result as well. */
static int wait_for_reader(const binding_job *job)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (job->is_read) {
        PyThreadState *thread = PyEval_SaveThread();
        (void)nanosleep(&pause, NULL);
        PyEval_RestoreThread(thread);
        if (PyErr_CheckSignals()) {
            return -1;
        }
    }
    return 0;
}

/* The status of a batch is that of its first check that failed. */
static PyObject *raise_report(binding_state *state, const binding_job *job)
{
    const tumble_ticket_report *report = &job->outcome->report;
    char message[400];
    size_t i = 0;
    while (job->answers && i < report->check_count && job->answers[i].status == TUMBLE_OK) {
        i++;
    }
    const bool is_known = job->answers && i < report->check_count &&
                          (tumble_status)job->answers[i].status == report->status && is_of_check(report->status);
    if (is_known) {
        PyOS_snprintf(message, sizeof message, "check %zu: %s", i, report->message);
    }
    return binding_raise(state, report->status, is_known ? message : report->message, NULL);
}

static PyObject *make_result(binding_state *state, binding_job *job)
{
    unlist_job(state, job);
    release_inputs(state, job);
    const tumble_ticket_report *report = &job->outcome->report;
    if (report->status != TUMBLE_OK && !(job->mode == BINDING_MANY_ANSWERS && is_of_check(report->status))) {
        return raise_report(state, job);
    }
    if (wait_for_reader(job)) {
        return NULL;
    }
    if (!job->result) {
        const bool is_list = job->mode == BINDING_MANY_PAIRS || job->mode == BINDING_MANY_CONTACTS;
        job->is_read = true;
        job->result = is_list ? read_lists(state, job) : read_answers(job);
        job->is_read = false;
        if (job->result) {
            release_outputs(job);
        }
    }
    return Py_XNewRef(job->result);
}

static PyObject *raise_lost(binding_state *state)
{
    return binding_raise(state, TUMBLE_ERROR_DEVICE, "the job was submitted before a fork, which took its threads",
                         NULL);
}

/* 1: done, 0: the time is over, -1: an exception. */
static int wait_slices(binding_job *job, double timeout)
{
    const double end = binding_seconds() + timeout;
    while (!look(job->outcome)) {
        const double left = end - binding_seconds();
        if (left <= 0) {
            return 0;
        }
        PyThreadState *thread = PyEval_SaveThread();
        (void)wait_for(job->outcome, left < 0.05 ? left : 0.05);
        PyEval_RestoreThread(thread);
        if (PyErr_CheckSignals()) {
            return -1;
        }
    }
    return 1;
}

static PyObject *job_result(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"timeout", NULL};
    PyObject *value;
    double timeout = INFINITY;
    binding_state *state = binding_state_of_object(self);
    binding_job *job = data_of(self);
    if (!state || binding_arguments("result", names, 1, 0, arguments, count, keywords, &value) ||
        binding_double(value, "timeout", &timeout)) {
        return NULL;
    }
    if (job->result) {
        return Py_NewRef(job->result);
    }
    if (is_lost(state, job)) {
        return raise_lost(state);
    }
    const int done = wait_slices(job, timeout);
    if (done == 0) {
        return binding_raise(state, TUMBLE_ERROR_TIMEOUT, "the job is not done yet", NULL);
    }
    return done > 0 ? make_result(state, job) : NULL;
}

static PyObject *job_done(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of_object(self);
    binding_job *job = data_of(self);
    return state ? PyBool_FromLong(is_lost(state, job) || look(job->outcome)) : NULL;
}

static PyObject *job_cancel(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of_object(self);
    binding_job *job = data_of(self);
    if (!state) {
        return NULL;
    }
    const bool can = is_open(state, job) && !look(job->outcome);
    if (can) {
        (void)tumble_device_cancel(binding_device_data(job->device)->device, job->ticket);
    }
    return PyBool_FromLong(can);
}

/* The library's message if it is interrupted: the job is cancelled, and what it writes to stays until it has ended. */
PyObject *binding_job_finish(PyObject *job)
{
    PyObject *result = job_result(job, NULL, 0, NULL);
    if (!result && PyErr_Occurred()) {
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        Py_XDECREF(job_cancel(job, NULL));
        PyErr_Restore(type, value, trace);
    }
    Py_DECREF(job);
    return result;
}

/* The end of a pipe that becomes readable when the job is done; the caller closes it. */
static PyObject *job_wake(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of_object(self);
    binding_job *job = data_of(self);
    int ends[2];
    if (!state || is_lost(state, job)) {
        return state ? raise_lost(state) : NULL;
    }
    if (pipe(ends)) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    outcome *o = job->outcome;
    pthread_mutex_lock(&o->lock);
    const bool is_full = o->wake_count == WAKE_MOST;
    if (o->is_done || is_full) {
        close(ends[1]); /* readable at once */
    } else {
        o->wakes[o->wake_count++] = ends[1];
    }
    pthread_mutex_unlock(&o->lock);
    if (is_full) {
        close(ends[0]);
        return binding_raise(state, TUMBLE_ERROR_BUSY, "too many tasks await this job", NULL);
    }
    return PyLong_FromLong(ends[0]);
}

static PyObject *job_await(PyObject *self)
{
    PyObject *module = PyImport_ImportModule("tumble._await");
    PyObject *iterator = module ? PyObject_CallMethod(module, "wait", "(O)", self) : NULL;
    Py_XDECREF(module);
    return iterator;
}

static PyObject *job_report(PyObject *self, void *closure)
{
    (void)closure;
    binding_state *state = binding_state_of_object(self);
    binding_job *job = data_of(self);
    tumble_ticket_report r;
    memset(&r, 0, sizeof r);
    if (!state || is_lost(state, job)) {
        return state ? raise_lost(state) : NULL;
    }
    if (look(job->outcome)) {
        r = job->outcome->report;
    } else if (!is_open(state, job) ||
               tumble_device_poll(binding_device_data(job->device)->device, job->ticket, &r) != TUMBLE_OK) {
        r.check_count = job->checks.count; /* it was taken just now */
    }
    PyObject *type = binding_result_class(state, "JobReport");
    PyObject *result =
        type ? PyObject_CallFunction(type, "OKKKKdddd", r.is_done ? Py_True : Py_False,
                                     (unsigned long long)r.done_count, (unsigned long long)r.check_count,
                                     (unsigned long long)r.retried_count, (unsigned long long)r.exact_count,
                                     r.waiting_seconds, r.upload_seconds, r.run_seconds, r.result_seconds)
             : NULL;
    Py_XDECREF(type);
    return result;
}

/* ---- The type ---- */

static int job_traverse(PyObject *self, visitproc visit, void *arg)
{
    binding_job *job = data_of(self);
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(job->device);
    Py_VISIT(job->array);
    Py_VISIT(job->out.obj);
    Py_VISIT(job->result);
    return 0;
}

/* The list of jobs has a reference to each that is not done, so this one is. */
static int job_clear(PyObject *self)
{
    release_outputs(data_of(self));
    Py_CLEAR(data_of(self)->result);
    return 0;
}

/* Nobody knows the job any more: it is done, was never submitted, or its device is closed. */
static void job_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    binding_state *state = binding_state_of_type(type);
    binding_job *job = data_of(self);
    if (state) {
        release_inputs(state, job);
    }
    release_outputs(job);
    Py_CLEAR(job->result);
    Py_CLEAR(job->device);
    if (job->outcome) {
        drop_outcome(job->outcome);
    }
    freefunc release = PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyGetSetDef attributes[] = {
    {"report", job_report, NULL, "How far it is and how long it took: a tumble.JobReport.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"result", (PyCFunction)(void (*)(void))job_result, METH_FASTCALL | METH_KEYWORDS,
     "result($self, timeout=None)\n--\n\n"
     "Waits at most `timeout` seconds, then returns the answers or raises what the job failed with."},
    {"done", job_done, METH_NOARGS, "done($self)\n--\n\nWhether the result is there, without waiting."},
    {"cancel", job_cancel, METH_NOARGS,
     "cancel($self)\n--\n\nAsks the job to end soon, with CancelledError. False: it is done already."},
    {"_wake", job_wake, METH_NOARGS, "A file descriptor that becomes readable when the job is done."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"A batch of checks under way: a future that can be awaited. Made by Device.submit."},
    {Py_tp_dealloc, job_free},
    {Py_tp_traverse, job_traverse},
    {Py_tp_clear, job_clear},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_am_await, job_await},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "tumble.Job",
    .basicsize = sizeof(job_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

int binding_add_jobs(PyObject *module, binding_state *state)
{
    (void)state;
    return binding_add_type(module, BINDING_TYPE_JOB, &spec, NULL);
}
