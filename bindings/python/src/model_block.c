/* A model as bytes: buffer, equality, hash, pickle, files. */
#include <string.h>

#include "model.h"

/* ---- The buffer ---- */

int binding_model_buffer(PyObject *self, Py_buffer *view, int flags)
{
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    view->obj = NULL;
    if (!state || binding_model_begin(state, data)) {
        return -1;
    }
    size_t size = 0;
    const void *block = tumble_model_block(data->model, &size);
    if (!block) {
        binding_raise_last(state, TUMBLE_ERROR_MEMORY, NULL);
    } else if (PyBuffer_FillInfo(view, self, (void *)block, (Py_ssize_t)size, 1, flags) == 0) {
        return 0;
    }
    binding_model_end(state, data);
    return -1;
}

void binding_model_buffer_release(PyObject *self, Py_buffer *view)
{
    (void)view;
    binding_state *state = binding_state_of_object(self);
    if (state) {
        binding_model_end(state, binding_model_data(self));
    }
}

/* ---- Equality ---- */

static int is_equal(PyObject *self, PyObject *other)
{
    Py_buffer a, b;
    if (PyObject_GetBuffer(self, &a, PyBUF_SIMPLE)) {
        return -1;
    }
    if (PyObject_GetBuffer(other, &b, PyBUF_SIMPLE)) {
        PyBuffer_Release(&a);
        return -1;
    }
    const int result = a.len == b.len && memcmp(a.buf, b.buf, (size_t)a.len) == 0;
    PyBuffer_Release(&a);
    PyBuffer_Release(&b);
    return result;
}

PyObject *binding_model_compare(PyObject *self, PyObject *other, int operation)
{
    binding_state *state = binding_state_of_object(self);
    if (!state) {
        return NULL;
    }
    if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(self) != Py_TYPE(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    const int result = self == other ? 1 : is_equal(self, other);
    return result < 0 ? NULL : PyBool_FromLong(result == (operation == Py_EQ));
}

/* Word by word; a memoryview cannot be asked, as it asks its owner. */
static Py_hash_t hash_of(const char *bytes, size_t size)
{
    uint64_t hash = size;
    for (size_t i = 0; i < size; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < sizeof word ? size - i : sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 29;
    }
    const Py_hash_t result = (Py_hash_t)hash;
    return result == -1 ? -2 : result;
}

Py_hash_t binding_model_hash(PyObject *self)
{
    binding_model *data = binding_model_data(self);
    Py_buffer view;
    if (data->hash == -1) {
        if (PyObject_GetBuffer(self, &view, PyBUF_SIMPLE)) {
            return -1;
        }
        data->hash = hash_of(view.buf, (size_t)view.len);
        PyBuffer_Release(&view);
    }
    return data->hash;
}

/* ---- From bytes ---- */

static PyObject *from_block(PyTypeObject *type, const Py_buffer *view)
{
    binding_state *state = binding_state_of_type(type);
    if (!state) {
        return NULL;
    }
    /* With the GIL: another thread must not change the bytes between their check and their copy. */
    tumble_model *model = NULL;
    const tumble_status status = tumble_model_from_block(state->context, view->buf, (size_t)view->len, true, &model);
    return status == TUMBLE_OK ? binding_model_wrap(type, model) : binding_raise_last(state, status, NULL);
}

PyObject *binding_model_from_block(PyObject *type, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"block", NULL};
    PyObject *block;
    Py_buffer view;
    if (binding_arguments("from_block", names, 1, 1, arguments, count, keywords, &block) ||
        PyObject_GetBuffer(block, &view, PyBUF_SIMPLE)) {
        return NULL;
    }
    PyObject *self = from_block((PyTypeObject *)type, &view);
    PyBuffer_Release(&view);
    return self;
}

/* With protocol 5, pickle takes the block without a copy, or out of band. */
static PyObject *block_for(PyObject *self, long protocol)
{
    if (protocol < 5) {
        return PyBytes_FromObject(self);
    }
    PyObject *pickle = PyImport_ImportModule("pickle");
    PyObject *block = pickle ? PyObject_CallMethod(pickle, "PickleBuffer", "(O)", self) : NULL;
    Py_XDECREF(pickle);
    return block;
}

/* Those that a class derived from Model may have; else None. */
static PyObject *attributes_of(PyObject *self)
{
    PyObject *attributes = PyObject_GetAttrString(self, "__dict__");
    if (!attributes && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        return Py_NewRef(Py_None);
    }
    return attributes;
}

PyObject *binding_model_reduce(PyObject *self, PyObject *number)
{
    const long protocol = PyLong_AsLong(number);
    if (protocol == -1 && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *make = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "from_block");
    PyObject *block = make ? block_for(self, protocol) : NULL;
    PyObject *attributes = block ? attributes_of(self) : NULL;
    PyObject *result = attributes ? Py_BuildValue("(O(O)O)", make, block, attributes) : NULL;
    Py_XDECREF(make);
    Py_XDECREF(block);
    Py_XDECREF(attributes);
    return result;
}

/* ---- Files ---- */

static PyObject *path_argument(const char *function, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"path", NULL};
    PyObject *path;
    return binding_arguments(function, names, 1, 1, arguments, count, keywords, &path) ? NULL : binding_path(path);
}

PyObject *binding_model_save(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    PyObject *path = path_argument("save", arguments, count, keywords);
    if (!path || binding_model_begin(state, data)) {
        Py_XDECREF(path);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_model_save(data->model, PyBytes_AsString(path));
    PyEval_RestoreThread(thread);
    binding_model_end(state, data);
    PyObject *result =
        status == TUMBLE_OK ? Py_NewRef(Py_None) : binding_raise_last(state, status, PyBytes_AsString(path));
    Py_DECREF(path);
    return result;
}

PyObject *binding_model_load(PyObject *type, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    binding_state *state = binding_state_of_type((PyTypeObject *)type);
    PyObject *path = path_argument("load", arguments, count, keywords);
    if (!path || !state) {
        Py_XDECREF(path);
        return NULL;
    }
    tumble_model *model = NULL;
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_model_load(state->context, PyBytes_AsString(path), &model);
    PyEval_RestoreThread(thread);
    PyObject *self = status == TUMBLE_OK ? binding_model_wrap((PyTypeObject *)type, model)
                                         : binding_raise_last(state, status, PyBytes_AsString(path));
    Py_DECREF(path);
    return self;
}
