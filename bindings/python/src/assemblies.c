/* The type of assemblies: parts with names and places. */
#include <string.h>

#include "assemblies.h"
#include "model.h"

typedef struct assembly_object {
    PyObject_HEAD binding_assembly data;
} assembly_object;

binding_assembly *binding_assembly_data(PyObject *self)
{
    return &((assembly_object *)self)->data;
}

/* ---- Uses ---- */

/* A fork takes no thread along: no run goes on in the child, but a change that another thread was making never ends. */
static void forget_parent(binding_state *state, binding_assembly *a)
{
    if (a->fork_count != state->fork_count) {
        a->fork_count = state->fork_count;
        a->user_count = 0;
    }
}

static int refuse(binding_state *state, const char *message)
{
    binding_raise(state, TUMBLE_ERROR_BUSY, message, NULL);
    return -1;
}

int binding_assembly_begin(binding_state *state, binding_assembly *a)
{
    forget_parent(state, a);
    if (a->is_changed) {
        return refuse(state, "another thread is adding parts to the assembly");
    }
    a->user_count++;
    return 0;
}

void binding_assembly_end(binding_state *state, binding_assembly *a)
{
    forget_parent(state, a);
    if (a->user_count) {
        a->user_count--;
    }
}

static int change_begin(binding_state *state, binding_assembly *a)
{
    forget_parent(state, a);
    if (a->is_changed || a->user_count) {
        return refuse(state, a->is_changed ? "another thread is adding parts to the assembly"
                                           : "another thread is comparing the parts of the assembly");
    }
    a->is_changed = true;
    return 0;
}

/* ---- Parts in ---- */

/* The number of a copy of the model in the assembly. */
static PyObject *add_model(PyObject *self, PyObject *object)
{
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    binding_model *model = state ? binding_model_of(state, object, "model") : NULL;
    uint32_t number = 0;
    if (!model || binding_model_begin(state, model)) {
        return NULL;
    }
    if (change_begin(state, a)) {
        binding_model_end(state, model);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_assembly_add_model(a->assembly, model->model, &number);
    PyEval_RestoreThread(thread);
    a->is_changed = false;
    binding_model_end(state, model);
    return status == TUMBLE_OK ? PyLong_FromUnsignedLong(number) : binding_raise_last(state, status, NULL);
}

static bool is_last_row(const double *row)
{
    return row[0] == 0 && row[1] == 0 && row[2] == 0 && row[3] == 1;
}

/* 12 or 16 numbers as 12. 1: given, 0: None, -1: an exception. */
static int get_transform(binding_state *state, PyObject *object, double out[12])
{
    binding_array array;
    if (object == Py_None) {
        return 0;
    }
    if (PyTuple_Check(object) && PyTuple_Size(object) == 2) { /* a position and a quaternion, as everywhere */
        tumble_pose pose;
        const int given = binding_pose(state, object, "transform", &pose);
        memcpy(out, pose.m, given > 0 ? sizeof pose.m : 0);
        return given;
    }
    if (binding_array_get(state, object, "transform", BINDING_DOUBLES, true, &array)) {
        return -1;
    }
    const double *m = array.data;
    const bool has_shape =
        array.dimension_count == 2 && array.shape[1] == 4 && (array.shape[0] == 3 || array.shape[0] == 4);
    const bool is_good = has_shape && (array.shape[0] == 3 || is_last_row(m + 12));
    if (is_good) {
        memcpy(out, m, 12 * sizeof *out);
    } else {
        PyErr_SetString(PyExc_ValueError,
                        has_shape
                            ? "transform: the last row of a (4, 4) array must be 0, 0, 0, 1"
                            : "transform: expected an array of shape (3, 4) or (4, 4), or (position, quaternion)");
    }
    binding_array_release(&array);
    return is_good ? 1 : -1;
}

static PyObject *add_part(PyObject *self, PyObject *arguments)
{
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    tumble_assembly_item item = {.name = NULL};
    unsigned int model;
    PyObject *transform;
    double m[12];
    if (!state || !PyArg_ParseTuple(arguments, "IOzzzzzzz:_add", &model, &transform, &item.name, &item.path, &item.file,
                                    &item.guid, &item.class_name, &item.material, &item.broken)) {
        return NULL;
    }
    const int given = get_transform(state, transform, m);
    if (given < 0 || change_begin(state, a)) {
        return NULL;
    }
    item.model = model;
    item.transform = given ? m : NULL;
    PyThreadState *thread = PyEval_SaveThread(); /* a transform that is no pose makes a model */
    const tumble_status status = tumble_assembly_add(a->assembly, &item);
    PyEval_RestoreThread(thread);
    a->is_changed = false;
    return status == TUMBLE_OK ? Py_NewRef(Py_None) : binding_raise_last(state, status, NULL);
}

static PyObject *read_file(PyObject *self, PyObject *arguments)
{
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    PyObject *object, *transform, *result = NULL;
    double m[12];
    if (!state || !PyArg_ParseTuple(arguments, "OO:_read", &object, &transform)) {
        return NULL;
    }
    const int given = get_transform(state, transform, m);
    PyObject *path = given < 0 ? NULL : binding_path(object);
    if (path && !change_begin(state, a)) {
        const char *name = PyBytes_AsString(path);
        PyThreadState *thread = PyEval_SaveThread();
        const tumble_status status = tumble_assembly_read_at(a->assembly, name, given ? m : NULL);
        PyEval_RestoreThread(thread);
        a->is_changed = false;
        result = status == TUMBLE_OK ? Py_NewRef(Py_None) : binding_raise_last(state, status, name);
    }
    Py_XDECREF(path);
    return result;
}

static PyObject *set_frame(PyObject *self, PyObject *arguments)
{
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    double metres;
    int up;
    if (!state || !PyArg_ParseTuple(arguments, "di:_set_frame", &metres, &up) || change_begin(state, a)) {
        return NULL;
    }
    const tumble_status status = tumble_assembly_set_frame(a->assembly, metres, up);
    a->is_changed = false;
    return status == TUMBLE_OK ? Py_NewRef(Py_None) : binding_raise_last(state, status, NULL);
}

/* ---- Pairs of parts ---- */

/* Pairs (k, 2) of numbers of parts that are not compared. */
static PyObject *ignore_pairs(PyObject *self, PyObject *pairs)
{
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    binding_array array;
    if (!state || binding_array_get(state, pairs, "pairs", BINDING_INDICES, true, &array)) {
        return NULL;
    }
    const uint32_t *numbers = array.data;
    tumble_status status = TUMBLE_OK;
    if (change_begin(state, a)) {
        binding_array_release(&array);
        return NULL;
    }
    for (size_t i = 0; i + 1 < array.item_count && status == TUMBLE_OK; i += 2) {
        status = tumble_assembly_ignore(a->assembly, numbers[i], numbers[i + 1]);
    }
    a->is_changed = false;
    binding_array_release(&array);
    return status == TUMBLE_OK ? Py_NewRef(Py_None) : binding_raise_last(state, status, NULL);
}

static PyObject *get_ignored(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    size_t count;
    if (!state || binding_assembly_begin(state, a)) {
        return NULL;
    }
    const tumble_part_pair *pairs = tumble_assembly_ignored(a->assembly, &count);
    const Py_ssize_t shape[2] = {(Py_ssize_t)count, 2};
    PyObject *result = binding_array_of(state, BINDING_UINT32, 2, shape, pairs);
    binding_assembly_end(state, a);
    return result;
}

static PyObject *set_host(PyObject *self, PyObject *arguments)
{
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    unsigned int part, host;
    if (!state || !PyArg_ParseTuple(arguments, "II:_set_host", &part, &host) || change_begin(state, a)) {
        return NULL;
    }
    const tumble_status status = tumble_assembly_set_host(a->assembly, part, host);
    a->is_changed = false;
    return status == TUMBLE_OK ? Py_NewRef(Py_None) : binding_raise_last(state, status, NULL);
}

/* ---- Parts out ---- */

PyObject *binding_text(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape");
}

static PyObject *number_or_none(uint32_t number)
{
    return number == UINT32_MAX ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong((unsigned long)number);
}

static PyObject *part_tuple(binding_state *state, const tumble_assembly_part *part, size_t number)
{
    PyObject *pose = binding_pose_array(state, &part->pose);
    PyObject *model = number_or_none(part->model), *host = number_or_none(part->host);
    const char *const texts[] = {part->name,       part->path,     part->file, part->guid,
                                 part->class_name, part->material, part->key,  part->broken};
    enum {
        TEXT_COUNT = sizeof texts / sizeof *texts
    };
    PyObject *t[TEXT_COUNT] = {NULL};
    bool is_whole = pose && model && host;
    for (int i = 0; i < TEXT_COUNT && is_whole; i++) {
        t[i] = binding_text(texts[i]);
        is_whole = t[i] != NULL;
    }
    PyObject *result = is_whole ? Py_BuildValue("nOOOOOOOOOOOO", (Py_ssize_t)number, t[0], t[1], t[2], t[3], t[4], t[5],
                                                t[6], model, pose, part->is_baked ? Py_True : Py_False, t[7], host)
                                : NULL;
    for (int i = 0; i < TEXT_COUNT; i++) {
        Py_XDECREF(t[i]);
    }
    Py_XDECREF(pose);
    Py_XDECREF(model);
    Py_XDECREF(host);
    return result;
}

PyObject *binding_assembly_parts(binding_state *state, const tumble_assembly_part *parts, size_t first, size_t count)
{
    PyObject *list = PyList_New(0);
    for (size_t i = first; list && i < count; i++) {
        PyObject *tuple = part_tuple(state, &parts[i], i);
        if (!tuple || PyList_Append(list, tuple)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(tuple);
    }
    return list;
}

/* Those that are new since a caller asked: parts do not change. */
static PyObject *get_parts(PyObject *self, PyObject *number)
{
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    uint64_t first = 0;
    size_t count;
    if (!state || binding_size(number, "first", &first) || binding_assembly_begin(state, a)) {
        return NULL;
    }
    const tumble_assembly_part *parts = tumble_assembly_parts(a->assembly, &count);
    PyObject *list = binding_assembly_parts(state, parts, first < count ? (size_t)first : count, count);
    binding_assembly_end(state, a);
    return list;
}

/* A copy, so that it lives longer than the assembly. */
static PyObject *get_model(PyObject *self, PyObject *object)
{
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    uint64_t number = 0;
    size_t count, size;
    if (!state || binding_size(object, "number", &number) || binding_assembly_begin(state, a)) {
        return NULL;
    }
    const tumble_model *const *models = tumble_assembly_models(a->assembly, &count);
    tumble_model *copy = NULL;
    tumble_status status = TUMBLE_OK;
    if (number < count) {
        PyThreadState *thread = PyEval_SaveThread();
        const void *block = tumble_model_block(models[number], &size);
        status = block ? tumble_model_from_block(state->context, block, size, true, &copy) : TUMBLE_ERROR_MEMORY;
        PyEval_RestoreThread(thread);
    }
    binding_assembly_end(state, a);
    if (copy) {
        return binding_model_wrap((PyTypeObject *)state->types[BINDING_TYPE_MODEL], copy);
    }
    if (status != TUMBLE_OK) {
        return binding_raise_last(state, status, NULL);
    }
    return PyErr_Format(PyExc_IndexError, "number: there are %zu models, from 0 on, and none with number %llu", count,
                        (unsigned long long)number);
}

static PyObject *get_frame(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    double metres;
    int up;
    tumble_assembly_frame(binding_assembly_data(self)->assembly, &metres, &up);
    return Py_BuildValue("di", metres, up);
}

static PyObject *get_model_count(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    size_t count;
    if (!state || binding_assembly_begin(state, a)) {
        return NULL;
    }
    (void)tumble_assembly_models(a->assembly, &count);
    binding_assembly_end(state, a);
    return PyLong_FromSize_t(count);
}

static Py_ssize_t length(PyObject *self)
{
    binding_state *state = binding_state_of_object(self);
    binding_assembly *a = binding_assembly_data(self);
    size_t count;
    if (!state || binding_assembly_begin(state, a)) {
        return -1;
    }
    (void)tumble_assembly_parts(a->assembly, &count);
    binding_assembly_end(state, a);
    return (Py_ssize_t)count;
}

/* ---- Life ---- */

static PyObject *assembly_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {NULL};
    binding_state *state = binding_state_of_type(type);
    if (!state || !PyArg_ParseTupleAndKeywords(arguments, keywords, ":Assembly", names)) {
        return NULL;
    }
    const allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = allocate(type, 0);
    binding_assembly *a = self ? binding_assembly_data(self) : NULL;
    if (a && tumble_assembly_create(state->context, &a->assembly) != TUMBLE_OK) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    if (a) {
        a->fork_count = state->fork_count;
    }
    return self;
}

static int assembly_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return 0;
}

/* Nobody else has its models: it cannot be busy. What another thread was changing when the process was forked stays. */
static void assembly_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyObject_GC_UnTrack(self);
    if (!binding_assembly_data(self)->is_changed) {
        (void)tumble_assembly_destroy(binding_assembly_data(self)->assembly);
    }
    release(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"_add_model", add_model, METH_O, NULL},
    {"_add", add_part, METH_VARARGS, NULL},
    {"_read", read_file, METH_VARARGS, NULL},
    {"_parts", get_parts, METH_O, NULL},
    {"_model_count", get_model_count, METH_NOARGS, NULL},
    {"_frame", get_frame, METH_NOARGS, NULL},
    {"_set_frame", set_frame, METH_VARARGS, NULL},
    {"_set_host", set_host, METH_VARARGS, NULL},
    {"_ignore", ignore_pairs, METH_O, NULL},
    {"_ignored", get_ignored, METH_NOARGS, NULL},
    {"_clash", (PyCFunction)(void (*)(void))binding_assembly_clash, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"model", get_model, METH_O,
     "model($self, number, /)\n--\n\nA model by its number, Part.model, as a copy that outlives the assembly."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, assembly_new},
    {Py_tp_dealloc, assembly_dealloc},
    {Py_tp_traverse, assembly_traverse},
    {Py_tp_methods, methods},
    {Py_sq_length, length},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "tumble._tumble.Assembly",
    .basicsize = sizeof(assembly_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

static int add(PyObject *module, binding_state *state)
{
    (void)state;
    return binding_add_type(module, BINDING_TYPE_ASSEMBLY, &spec, NULL);
}

const binding_part binding_assemblies = {.name = "assemblies", .add = add};
