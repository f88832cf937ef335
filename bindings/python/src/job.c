/* Jobs: batches under way, as futures. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "job.h"

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

bool binding_job_is_open(const binding_state *state, const binding_job *job)
{
    const binding_device *device = job->device ? binding_device_data(job->device) : NULL;
    return device && device->device && device->opening == job->opening && job->fork_count == state->fork_count;
}

static void remove_models(binding_state *state, binding_job *job)
{
    if (binding_job_is_open(state, job)) {
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
    if (binding_job_is_open(state, job) && !binding_outcome_is_done(job->outcome)) {
        (void)tumble_device_cancel(binding_device_data(job->device)->device, job->ticket);
        PyThreadState *thread = PyEval_SaveThread();
        while (!binding_outcome_wait(job->outcome, 0.5)) {
        }
        PyEval_RestoreThread(thread);
    }
}

/* The first that is done, or any if all are to be cancelled. */
static binding_job *ripe_job(binding_state *state, bool cancel)
{
    binding_job *job = state->jobs;
    while (job && !cancel && !binding_outcome_is_done(job->outcome)) {
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
    job->outcome = binding_outcome_new();
    if (!job->outcome) {
        PyErr_NoMemory();
    } else if (binding_job_start(state, job, values) == 0) {
        list_job(state, self);
        return self;
    }
    Py_DECREF(self);
    return NULL;
}

/* ---- Results ---- */

static PyObject *read_answers(binding_job *job)
{
    const size_t count = binding_outcome_report(job->outcome)->check_count;
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
    const size_t count = binding_outcome_report(job->outcome)->check_count;
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
    const tumble_ticket_report *report = binding_outcome_report(job->outcome);
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
    const tumble_ticket_report *report = binding_outcome_report(job->outcome);
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
    while (!binding_outcome_is_done(job->outcome)) {
        const double left = end - binding_seconds();
        if (left <= 0) {
            return 0;
        }
        PyThreadState *thread = PyEval_SaveThread();
        (void)binding_outcome_wait(job->outcome, left < 0.05 ? left : 0.05);
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
    return state ? PyBool_FromLong(is_lost(state, job) || binding_outcome_is_done(job->outcome)) : NULL;
}

static PyObject *job_cancel(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of_object(self);
    binding_job *job = data_of(self);
    if (!state) {
        return NULL;
    }
    const bool can = binding_job_is_open(state, job) && !binding_outcome_is_done(job->outcome);
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
    if (binding_outcome_wake(job->outcome, ends[1])) {
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
    if (binding_outcome_is_done(job->outcome)) {
        r = *binding_outcome_report(job->outcome);
    } else if (!binding_job_is_open(state, job) ||
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
        binding_outcome_drop(job->outcome);
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
