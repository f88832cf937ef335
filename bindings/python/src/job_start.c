/* Submits jobs: models, pairs and memory for the answers of a batch. */
#include <math.h>

#include "job.h"

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
    batch.callback = binding_outcome_end;
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
    binding_outcome_share(job->outcome);
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
        binding_outcome_drop(job->outcome);
    }
    return status;
}

int binding_job_start(binding_state *state, binding_job *job, PyObject *const *values)
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
    if (make_outputs(state, job, values[BINDING_SUBMIT_OUT], &batch) || !binding_job_is_open(state, job) ||
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
