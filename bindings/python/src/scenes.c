/* The type of scenes: life, models that stay alive as long as objects need them, one call at a time. */
#include <string.h>

#include "device.h"
#include "scenes.h"

typedef struct scene_object {
    PyObject_HEAD binding_scene scene;
} scene_object;

static binding_scene *scene_of(PyObject *self)
{
    return &((scene_object *)self)->scene;
}

/* ---- One call at a time ---- */

/* A scene that another thread was using when the process forked is in no known state. */
static int check_fork(binding_state *state, binding_scene *s)
{
    if (s->fork_count == state->fork_count) {
        return 0;
    }
    if (s->is_held || s->device) {
        PyErr_Format(PyExc_RuntimeError, "the scene %s when this process was forked; make a new one",
                     s->is_held ? "was in use by another thread" : "had a device");
        return -1;
    }
    s->fork_count = state->fork_count;
    return 0;
}

/* Waits for other threads; Ctrl-C ends the wait. */
static int take_lock(binding_scene *s)
{
    const unsigned long self = PyThread_get_thread_ident();
    if (s->is_held && s->owner == self) {
        PyErr_SetString(PyExc_RuntimeError, "the scene is answering a question: callbacks must not use it");
        return -1;
    }
    while (!PyThread_acquire_lock(s->lock, NOWAIT_LOCK)) {
        PyThreadState *thread = PyEval_SaveThread();
        const PyLockStatus status = PyThread_acquire_lock_timed(s->lock, 50000, 0);
        PyEval_RestoreThread(thread);
        if (status == PY_LOCK_ACQUIRED) {
            break;
        }
        if (PyErr_CheckSignals()) {
            return -1;
        }
    }
    s->is_held = true;
    s->owner = self;
    return 0;
}

static void give_lock(binding_scene *s)
{
    s->is_held = false;
    PyThread_release_lock(s->lock);
}

bool binding_scene_is_editable(binding_state *state, PyObject *model)
{
    PyObject *type = state->types[BINDING_TYPE_EDITABLE];
    return type && PyObject_TypeCheck(model, (PyTypeObject *)type);
}

int binding_scene_hold(binding_state *state, binding_scene *s, PyObject *model)
{
    if (!binding_scene_is_editable(state, model)) {
        return 0;
    }
    if (!s->held && !(s->held = PyList_New(0))) {
        return -1;
    }
    if (PyList_Append(s->held, model)) {
        return -1;
    }
    if (binding_model_begin(state, binding_model_of(state, model, "model"))) {
        (void)PyList_SetSlice(s->held, PyList_Size(s->held) - 1, PyList_Size(s->held), NULL);
        return -1;
    }
    return 0;
}

static void end_models(binding_state *state, binding_scene *s)
{
    PyObject *held = s->held;
    s->held = NULL;
    for (Py_ssize_t i = 0; held && i < PyList_Size(held); i++) {
        binding_model_end(state, binding_model_of(state, PyList_GetItem(held, i), "model"));
    }
    Py_XDECREF(held);
}

static int begin_models(binding_state *state, binding_scene *s)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(s->editable, &at, &key, &value)) {
        if (binding_scene_hold(state, s, PyLong_AsVoidPtr(key))) {
            return -1;
        }
    }
    return 0;
}

binding_scene *binding_scene_begin(binding_state *state, PyObject *self)
{
    binding_scene *s = scene_of(self);
    if (check_fork(state, s) || take_lock(s)) {
        return NULL;
    }
    if (!s->scene) {
        PyErr_SetString(PyExc_ValueError, "the scene is closed");
        give_lock(s);
        return NULL;
    }
    if (begin_models(state, s)) {
        binding_scene_end(state, s);
        return NULL;
    }
    return s;
}

void binding_scene_end(binding_state *state, binding_scene *s)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    end_models(state, s);
    give_lock(s);
    PyErr_Restore(type, value, trace);
}

PyObject *binding_scene_fail(binding_state *state, binding_scene *s, tumble_status status)
{
    if (!PyErr_Occurred()) {
        binding_raise_last(state, status, NULL);
    }
    binding_scene_end(state, s);
    return NULL;
}

/* ---- Buffers ---- */

int binding_scene_items(PyObject *object, const char *name, size_t size, Py_ssize_t count, Py_buffer *out)
{
    if (PyObject_GetBuffer(object, out, PyBUF_C_CONTIGUOUS)) {
        return -1;
    }
    const bool fits = count < 0 ? (size_t)out->len % size == 0 : (size_t)out->len == (size_t)count * size;
    if (!fits || (uintptr_t)out->buf % (size < sizeof(double) ? size : sizeof(double))) {
        PyErr_Format(PyExc_ValueError, "%s: expected %zd items of %zu bytes, not %zd bytes", name, count, size,
                     out->len);
        PyBuffer_Release(out);
        return -1;
    }
    return 0;
}

int binding_scene_objects(PyObject *object, Py_buffer *out, size_t *count)
{
    if (binding_scene_items(object, "objects", sizeof(tumble_object), -1, out)) {
        return -1;
    }
    *count = (size_t)out->len / sizeof(tumble_object);
    return 0;
}

/* ---- Counters ---- */

PyObject *binding_scene_counters(const tumble_counters *c)
{
    return Py_BuildValue("KKKKKd", (unsigned long long)c->box_tests, (unsigned long long)c->box_updates,
                         (unsigned long long)c->primitive_tests, (unsigned long long)c->exact_tests,
                         (unsigned long long)c->bytes_touched, c->seconds);
}

/* ---- Life ---- */

static void drop_models(binding_scene *s)
{
    scene_slot *slots = s->slots;
    const size_t count = s->slot_count;
    s->slots = NULL;
    s->slot_count = s->object_count = 0;
    for (size_t i = 0; i < count; i++) {
        Py_XDECREF(slots[i].model);
    }
    PyMem_Free(slots);
    Py_CLEAR(s->editable);
}

/* The device may be closed from here on. */
static void drop_device(binding_scene *s)
{
    PyObject *device = s->device;
    s->device = NULL;
    if (device) {
        binding_device *data = binding_device_data(device);
        data->user_count -= data->opening == s->device_opening && data->user_count > 0;
        Py_DECREF(device);
    }
}

/* What was in use when the process was forked is left alone. */
static void close_scene(binding_state *state, binding_scene *s)
{
    tumble_scene *scene = s->scene;
    tumble_query *query = s->query;
    const bool is_lost = !state || (s->fork_count != state->fork_count && s->device);
    s->scene = NULL;
    s->query = NULL;
    if (!s->is_held && !is_lost) {
        tumble_scene_destroy(scene);
        tumble_query_destroy(query);
    }
    drop_device(s);
    drop_models(s);
}

/* A device that answers, or None: threads do. The device cannot be closed meanwhile. */
PyObject *binding_scene_use_device(PyObject *self, PyObject *device)
{
    binding_state *state = binding_state_of_object(self);
    binding_scene *s = state ? binding_scene_begin(state, self) : NULL;
    if (!s) {
        return NULL;
    }
    binding_device *data = device == Py_None ? NULL : binding_device_of(state, device, "device");
    if (!data && device != Py_None) {
        binding_scene_end(state, s);
        return NULL;
    }
    const tumble_status status = tumble_scene_use_device(s->scene, data ? data->device : NULL);
    if (status != TUMBLE_OK) {
        return binding_scene_fail(state, s, status);
    }
    drop_device(s);
    if (data) {
        data->user_count++;
        s->device = Py_NewRef(device);
        s->device_opening = data->opening;
    }
    binding_scene_end(state, s);
    Py_RETURN_NONE;
}

static int open_scene(binding_state *state, binding_scene *s, const tumble_scene_options *options)
{
    s->fork_count = state->fork_count;
    s->lock = PyThread_allocate_lock();
    s->editable = s->lock ? PyDict_New() : PyErr_NoMemory();
    if (!s->editable) {
        return -1;
    }
    tumble_status status = tumble_query_create(state->context, &s->query);
    if (status == TUMBLE_OK) {
        status = tumble_scene_create(state->context, options, &s->scene);
    }
    if (status != TUMBLE_OK) {
        binding_raise_last(state, status, NULL);
        return -1;
    }
    return 0;
}

static int read_options(PyObject *arguments, PyObject *keywords, tumble_scene_options *options)
{
#define WORD(name, number, word, text) word,
#define NUMBER(name, number, word, text) number,
    static const char *const words[] = {TUMBLE_BROAD_LIST(WORD)};
    static const int numbers[] = {TUMBLE_BROAD_LIST(NUMBER)};
#undef WORD
#undef NUMBER
    static char *names[] = {"broad", "threads", NULL};
    PyObject *broad = NULL, *threads = NULL;
    int method = TUMBLE_BROAD_TREE;
    uint64_t count = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OO:Scene", names, &broad, &threads) ||
        binding_word(broad, "broad", words, numbers, sizeof numbers / sizeof *numbers, &method) ||
        binding_size(threads, "threads", &count)) {
        return -1;
    }
    options->broad = (tumble_broad)method;
    options->thread_count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    return 0;
}

static PyObject *scene_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    tumble_scene_options options = tumble_default_scene_options();
    binding_state *state = binding_state_of_type(type);
    if (!state || read_options(arguments, keywords, &options)) {
        return NULL;
    }
    const allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = allocate(type, 0);
    if (self && open_scene(state, scene_of(self), &options)) {
        Py_DECREF(self);
        return NULL;
    }
    return self;
}

static int scene_traverse(PyObject *self, visitproc visit, void *arg)
{
    binding_scene *s = scene_of(self);
    Py_VISIT(Py_TYPE(self));
    for (size_t i = 0; i < s->slot_count; i++) {
        Py_VISIT(s->slots[i].model);
    }
    Py_VISIT(s->editable);
    Py_VISIT(s->held);
    Py_VISIT(s->device);
    return 0;
}

/* Models go after the scene's objects do, so nothing is cleared before the scene itself. */
static int scene_clear(PyObject *self)
{
    close_scene(binding_state_of_object(self), scene_of(self));
    return 0;
}

static void scene_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyObject_GC_UnTrack(self);
    close_scene(binding_state_of_object(self), scene_of(self));
    if (scene_of(self)->lock) {
        PyThread_free_lock(scene_of(self)->lock);
    }
    release(self);
    Py_DECREF(type);
}

static PyObject *close_method(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of_object(self);
    binding_scene *s = scene_of(self);
    if (!state || check_fork(state, s) || take_lock(s)) {
        return NULL;
    }
    give_lock(s);
    close_scene(state, s);
    Py_RETURN_NONE;
}

static PyObject *is_closed(PyObject *self, void *nothing)
{
    (void)nothing;
    return PyBool_FromLong(!scene_of(self)->scene);
}

static Py_ssize_t scene_length(PyObject *self)
{
    return (Py_ssize_t)scene_of(self)->object_count;
}

/* ---- The type ---- */

static PyMethodDef methods[] = {
    {"close", close_method, METH_NOARGS, "Removes all objects and gives memory back. May be called twice."},
    {"_add", binding_scene_add, METH_VARARGS, NULL},
    {"_remove", binding_scene_remove, METH_VARARGS, NULL},
    {"_move", binding_scene_move, METH_VARARGS, NULL},
    {"_activate", binding_scene_activate, METH_VARARGS, NULL},
    {"_set", binding_scene_set, METH_VARARGS, NULL},
    {"_get", binding_scene_get, METH_VARARGS, NULL},
    {"_ignore", binding_scene_ignore, METH_VARARGS, NULL},
    {"_ignore_groups", binding_scene_ignore_groups, METH_VARARGS, NULL},
    {"_update", binding_scene_update, METH_VARARGS, NULL},
    {"_candidates", binding_scene_candidates, METH_VARARGS, NULL},
    {"_stream", binding_scene_stream, METH_VARARGS, NULL},
    {"_ask", binding_scene_ask, METH_VARARGS, NULL},
    {"_states", binding_scene_states, METH_VARARGS, NULL},
    {"_cast", binding_scene_cast, METH_VARARGS, NULL},
    {"_locate", binding_scene_locate, METH_VARARGS, NULL},
    {"_approach", binding_scene_approach, METH_VARARGS, NULL},
    {"_overlap_sphere", binding_scene_overlap_sphere, METH_VARARGS, NULL},
    {"_overlap_box", binding_scene_overlap_box, METH_VARARGS, NULL},
    {"use_device", binding_scene_use_device, METH_O,
     "use_device($self, device, /)\n--\n\nFrom now on a device answers about pairs, as far as it can; None: threads do "
     "again. "
     "The answers are the same. The device cannot be closed until then."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef members[] = {
    {"closed", is_closed, NULL, "Whether close() was called.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, scene_new},           {Py_tp_dealloc, scene_dealloc},
    {Py_tp_traverse, scene_traverse}, {Py_tp_clear, scene_clear},
    {Py_tp_methods, methods},         {Py_tp_getset, members},
    {Py_sq_length, scene_length},     {0, NULL},
};

static PyType_Spec spec = {
    .name = "tumble._tumble.Scene",
    .basicsize = sizeof(scene_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

static int add(PyObject *module, binding_state *state)
{
    (void)state;
    return binding_add_type(module, BINDING_TYPE_SCENE, &spec, NULL);
}

const binding_part binding_scenes = {.name = "scenes", .add = add};
