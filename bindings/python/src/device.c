/* Devices: the pool of threads and those of OpenCL. */
#include <math.h>
#include <string.h>

#include "device.h"

typedef struct device_object {
    PyObject_HEAD binding_device data;
} device_object;

binding_device *binding_device_data(PyObject *self)
{
    return &((device_object *)self)->data;
}

/* ---- Opening ---- */

static int open_device(binding_state *state, binding_device *data)
{
    PyThreadState *thread = PyEval_SaveThread(); /* compiling kernels can take seconds */
    tumble_device *device = NULL;
    const tumble_status status = tumble_device_open(state->context, data->number, &data->options, &device);
    PyEval_RestoreThread(thread);
    if (status != TUMBLE_OK) {
        binding_raise_last(state, status, NULL);
        return -1;
    }
    if (data->device && data->fork_count == state->fork_count) { /* another thread was faster */
        thread = PyEval_SaveThread();
        tumble_device_close(device);
        PyEval_RestoreThread(thread);
        return 0;
    }
    data->device = device;
    data->fork_count = state->fork_count;
    data->opening++;
    data->user_count = 0;
    return 0;
}

static PyObject *new_device(PyTypeObject *type, uint32_t number, const tumble_device_options *options)
{
    binding_state *state = binding_state_of_type(type);
    allocfunc allocate = PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = state ? allocate(type, 0) : NULL;
    if (!self) {
        return NULL;
    }
    binding_device_data(self)->number = number;
    binding_device_data(self)->options = *options;
    if (open_device(state, binding_device_data(self))) {
        Py_DECREF(self);
        return NULL;
    }
    return self;
}

static int small(PyObject *object, const char *name, uint32_t *out)
{
    uint64_t value = *out;
    if (binding_size(object, name, &value)) {
        return -1;
    }
    *out = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    return 0;
}

static PyObject *device_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"number",       "threads", "queue_capacity", "memory_limit", "without_doubles",
                            "retry_on_cpu", NULL};
    PyObject *v[6] = {NULL};
    uint32_t number = 0;
    tumble_device_options options = tumble_default_device_options();
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O$OOOOO:Device", names, &v[0], &v[1], &v[2], &v[3], &v[4],
                                     &v[5]) ||
        small(v[0], "number", &number) || small(v[1], "threads", &options.thread_count) ||
        small(v[2], "queue_capacity", &options.queue_capacity) ||
        binding_size(v[3], "memory_limit", &options.memory_limit) ||
        binding_flag(v[4], "without_doubles", &options.without_doubles) ||
        binding_flag(v[5], "retry_on_cpu", &options.retry_on_cpu)) {
        return NULL;
    }
    return new_device(type, number, &options);
}

/* ---- Closing ---- */

/* The threads of a device that the parent opened are not in this process: closing it would wait for them forever. */
static void close_device(binding_state *state, binding_device *data)
{
    tumble_device *device = data->device;
    data->device = NULL;
    if (device && data->fork_count == state->fork_count) {
        PyThreadState *thread = PyEval_SaveThread();
        tumble_device_close(device);
        PyEval_RestoreThread(thread);
    }
}

static int device_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static void device_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    binding_state *state = binding_state_of_type(type);
    if (state) {
        close_device(state, binding_device_data(self));
    }
    freefunc release = PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

binding_device *binding_device_of(binding_state *state, PyObject *object, const char *name)
{
    if (!object || !PyObject_TypeCheck(object, (PyTypeObject *)state->types[BINDING_TYPE_DEVICE])) {
        PyErr_Format(PyExc_TypeError, "%s: expected a tumble.Device, not %R", name,
                     object ? (PyObject *)Py_TYPE(object) : Py_None);
        return NULL;
    }
    binding_device *data = binding_device_data(object);
    if (!data->device) {
        binding_raise(state, TUMBLE_ERROR_DEVICE, "the device is closed", NULL);
        return NULL;
    }
    if (data->fork_count != state->fork_count && open_device(state, data)) {
        return NULL;
    }
    return data;
}

PyObject *binding_default_pool(binding_state *state)
{
    if (!state->pool) {
        const tumble_device_options options = tumble_default_device_options();
        PyObject *pool = new_device((PyTypeObject *)state->types[BINDING_TYPE_DEVICE], 0, &options);
        if (pool && state->pool) { /* another thread was faster */
            Py_DECREF(pool);
        } else {
            state->pool = pool;
        }
    }
    return state->pool;
}

/* ---- Facts ---- */

static PyObject *info_result(binding_state *state, const tumble_device_info *i)
{
    PyObject *type = binding_result_class(state, "DeviceInfo");
    PyObject *kind_type = type ? binding_result_class(state, "DeviceKind") : NULL;
    PyObject *kind = kind_type ? PyObject_CallFunction(kind_type, "i", (int)i->kind) : NULL;
    PyObject *result =
        kind ? PyObject_CallFunction(type, "OsssIOOK", kind, i->name, i->platform, i->version,
                                     (unsigned int)i->unit_count, i->is_gpu ? Py_True : Py_False,
                                     i->has_doubles ? Py_True : Py_False, (unsigned long long)i->memory_bytes)
             : NULL;
    Py_XDECREF(kind);
    Py_XDECREF(kind_type);
    Py_XDECREF(type);
    return result;
}

static PyObject *get_info(PyObject *self, void *closure)
{
    (void)closure;
    binding_state *state = binding_state_of_object(self);
    binding_device *data = state ? binding_device_of(state, self, "self") : NULL;
    tumble_device_info info;
    if (!data) {
        return NULL;
    }
    const tumble_status status = tumble_device_get_info(data->device, &info);
    return status == TUMBLE_OK ? info_result(state, &info) : binding_raise_last(state, status, NULL);
}

static PyObject *get_memory(PyObject *self, void *closure)
{
    (void)closure;
    binding_state *state = binding_state_of_object(self);
    binding_device *data = state ? binding_device_of(state, self, "self") : NULL;
    tumble_device_memory m;
    if (!data) {
        return NULL;
    }
    const tumble_status status = tumble_device_get_memory(data->device, &m);
    if (status != TUMBLE_OK) {
        return binding_raise_last(state, status, NULL);
    }
    PyObject *type = binding_result_class(state, "DeviceMemory");
    PyObject *result =
        type ? PyObject_CallFunction(type, "KKKKKKKKKKK", (unsigned long long)m.limit_bytes,
                                     (unsigned long long)m.used_bytes, (unsigned long long)m.buffer_bytes,
                                     (unsigned long long)m.model_count, (unsigned long long)m.model_bytes,
                                     (unsigned long long)m.resident_count, (unsigned long long)m.resident_bytes,
                                     (unsigned long long)m.swapped_out_count, (unsigned long long)m.swapped_out_bytes,
                                     (unsigned long long)m.swapped_in_count, (unsigned long long)m.swapped_in_bytes)
             : NULL;
    Py_XDECREF(type);
    return result;
}

static PyObject *get_closed(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(binding_device_data(self)->device == NULL);
}

static PyObject *list_devices(PyObject *module, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of(module);
    uint32_t count = 0;
    tumble_status status = tumble_device_count(state->context, &count);
    PyObject *list = status == TUMBLE_OK ? PyList_New(0) : binding_raise_last(state, status, NULL);
    for (uint32_t i = 0; list && i < count; i++) {
        tumble_device_info info;
        status = tumble_device_describe(state->context, i, &info);
        PyObject *item = status == TUMBLE_OK ? info_result(state, &info) : binding_raise_last(state, status, NULL);
        if (!item || PyList_Append(list, item)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

/* ---- Methods ---- */

static PyObject *submit(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"a",        "b",      "poses_a", "poses_b", "mode", "out",
                                        "capacity", "on_cpu", "timeout", "tuning",  NULL};
    PyObject *values[BINDING_SUBMIT_COUNT];
    binding_state *state = binding_state_of_object(self);
    if (!state || binding_arguments("submit", names, 4, 2, arguments, count, keywords, values)) {
        return NULL;
    }
    return binding_submit(state, self, values);
}

static PyObject *finish(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"timeout", NULL};
    PyObject *value;
    binding_state *state = binding_state_of_object(self);
    binding_device *data = state ? binding_device_of(state, self, "self") : NULL;
    double timeout = INFINITY;
    if (!data || binding_arguments("finish", names, 1, 0, arguments, count, keywords, &value) ||
        binding_double(value, "timeout", &timeout)) {
        return NULL;
    }
    const double end = binding_seconds() + timeout;
    tumble_status status = TUMBLE_ERROR_TIMEOUT;
    while (status == TUMBLE_ERROR_TIMEOUT && data->device) {
        const double left = end - binding_seconds();
        tumble_device *device = data->device;
        data->user_count++;
        PyThreadState *thread = PyEval_SaveThread();
        status = tumble_device_finish(device, left < 0.05 ? left : 0.05);
        PyEval_RestoreThread(thread);
        data->user_count--;
        if (PyErr_CheckSignals()) {
            return NULL;
        }
        if (left <= 0) {
            break;
        }
    }
    binding_jobs_reap(state, false);
    return status == TUMBLE_OK ? Py_NewRef(Py_None) : binding_raise_last(state, status, NULL);
}

static PyObject *close_method(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of_object(self);
    if (!state) {
        return NULL;
    }
    binding_device *data = binding_device_data(self);
    if (data->user_count && data->fork_count == state->fork_count) {
        return binding_raise(state, TUMBLE_ERROR_BUSY, "another thread is using the device", NULL);
    }
    close_device(state, data);
    binding_jobs_reap(state, false);
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return Py_NewRef(self);
}

static PyObject *leave(PyObject *self, PyObject *arguments)
{
    (void)arguments;
    return close_method(self, NULL);
}

static PyObject *device_repr(PyObject *self)
{
    binding_device *data = binding_device_data(self);
    tumble_device_info info;
    if (!data->device || tumble_device_get_info(data->device, &info) != TUMBLE_OK) {
        return PyUnicode_FromFormat("<tumble.Device %u: closed>", (unsigned int)data->number);
    }
    return PyUnicode_FromFormat("<tumble.Device %u: %s>", (unsigned int)data->number, info.name);
}

static PyGetSetDef attributes[] = {
    {"info", get_info, NULL, "What the device is: a tumble.DeviceInfo.", NULL},
    {"memory", get_memory, NULL, "How its memory is used: a tumble.DeviceMemory.", NULL},
    {"closed", get_closed, NULL, "Whether it is closed.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"submit", (PyCFunction)(void (*)(void))submit, METH_FASTCALL | METH_KEYWORDS,
     "submit($self, a, b, poses_a=None, poses_b=None, *, mode='test', out=None, capacity=64, on_cpu=False, "
     "timeout=None, "
     "tuning=None)\n--\n\n"
     "Starts many checks and returns a tumble.Job at once; see collide_many for the arguments.\n\n"
     "capacity: the most pairs or contacts of a check that can be found. on_cpu: threads answer, whatever the\n"
     "device. timeout: seconds to wait for room in the queue; then BusyError. The job keeps models and arrays;\n"
     "poses must not change until it is done.\n\n"
     ">>> import numpy as np, tumble\n"
     ">>> part = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
     "...                     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
     ">>> poses = np.array([tumble.pose((x, 0, 0)) for x in (0.5, 1.5, 2.5)])\n"
     ">>> with tumble.Device() as device:\n"
     "...     job = device.submit(part, part, poses_b=poses)\n"
     "...     job.result(timeout=10).tolist()\n"
     "[True, False, False]\n"},
    {"finish", (PyCFunction)(void (*)(void))finish, METH_FASTCALL | METH_KEYWORDS,
     "finish($self, timeout=None)\n--\n\nWaits until all jobs submitted so far are done."},
    {"close", close_method, METH_NOARGS, "close($self)\n--\n\nCancels open jobs and closes the device."},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", leave, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(device_text,
             "Device(number=0, *, threads=0, queue_capacity=0, memory_limit=0, without_doubles=False, "
             "retry_on_cpu=False)\n--\n\n"
             "A device that answers batches of checks: 0 is the pool of threads, the others are those of OpenCL, as\n"
             "devices() lists them. All give the same answers.");

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)device_text},  {Py_tp_new, device_new},
    {Py_tp_dealloc, device_free},      {Py_tp_repr, device_repr},
    {Py_tp_getset, attributes},        {Py_tp_methods, methods},
    {Py_tp_traverse, device_traverse}, {0, NULL},
};

static PyType_Spec spec = {
    .name = "tumble.Device",
    .basicsize = sizeof(device_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

/* ---- The part ---- */

static PyObject *end_jobs(PyObject *module, PyObject *nothing)
{
    (void)nothing;
    binding_work_end_all();
    binding_jobs_reap(binding_state_of(module), true);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"devices", list_devices, METH_NOARGS,
     "devices()\n--\n\nThe devices of this machine, as a list of tumble.DeviceInfo; their places are their numbers."},
    {"_end_jobs", end_jobs, METH_NOARGS, "Before the interpreter ends: nothing may write into its arrays any more."},
    {NULL, NULL, 0, NULL},
};

static int add(PyObject *module, binding_state *state)
{
    return binding_add_type(module, BINDING_TYPE_DEVICE, &spec, NULL) || binding_add_jobs(module, state) ? -1 : 0;
}

static void after_fork(PyObject *module, binding_state *state)
{
    (void)module;
    binding_jobs_after_fork(state);
}

const binding_part binding_devices = {.name = "devices", .functions = functions, .add = add, .after_fork = after_fork};
