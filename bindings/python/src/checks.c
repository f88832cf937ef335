/* Many checks: models, poses and outputs of a batch. */
#include <string.h>

#include "device.h"

static const char *const mode_words[] = {"test", "count", "first", "pairs", "contacts", "answers"};
static const int mode_numbers[] = {BINDING_MANY_TEST,  BINDING_MANY_COUNT,    BINDING_MANY_FIRST,
                                   BINDING_MANY_PAIRS, BINDING_MANY_CONTACTS, BINDING_MANY_ANSWERS};

int binding_many_mode_of(PyObject *word, binding_many_mode *out)
{
    int mode = BINDING_MANY_TEST;
    if (binding_word(word, "mode", mode_words, mode_numbers, 6, &mode)) {
        return -1;
    }
    *out = (binding_many_mode)mode;
    return 0;
}

/* ---- Models ---- */

/* A model, or a list or tuple of models. */
static PyObject *tuple_of(PyObject *object)
{
    return PyList_Check(object) || PyTuple_Check(object) ? PySequence_Tuple(object) : PyTuple_Pack(1, object);
}

static int get_models(binding_state *state, PyObject *object, const char *name, int side, binding_checks *out)
{
    out->models[side] = tuple_of(object);
    if (!out->models[side]) {
        return -1;
    }
    const size_t count = (size_t)PyTuple_Size(out->models[side]);
    out->data[side] = calloc(count + 1, sizeof *out->data[side]);
    if (!out->data[side]) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        binding_model *model = binding_model_of(state, PyTuple_GetItem(out->models[side], (Py_ssize_t)i), name);
        if (!model || binding_model_begin(state, model)) {
            return -1;
        }
        out->data[side][i] = model;
        out->model_counts[side] = i + 1;
    }
    return 0;
}

/* ---- Counts ---- */

/* Each is one, or as many as there are checks. */
static int agree(size_t *count, size_t other, const char *name)
{
    if (other == *count || other == 1) {
        return 0;
    }
    if (*count != 1) {
        PyErr_Format(PyExc_ValueError, "%s: expected one or %zu items, not %zu", name, *count, other);
        return -1;
    }
    *count = other;
    return 0;
}

static int count_checks(const binding_checks *checks, bool has_a, bool has_b, size_t *count)
{
    *count = 1;
    if (has_a && agree(count, checks->poses[0].count, "poses_a")) {
        return -1;
    }
    if (has_b && agree(count, checks->poses[1].count, "poses_b")) {
        return -1;
    }
    return agree(count, checks->model_counts[0], "a") || agree(count, checks->model_counts[1], "b") ? -1 : 0;
}

int binding_checks_get(binding_state *state, PyObject *a, PyObject *b, PyObject *poses_a, PyObject *poses_b,
                       binding_checks *out)
{
    memset(out, 0, sizeof *out);
    if (get_models(state, a, "a", 0, out) || get_models(state, b, "b", 1, out) ||
        binding_poses_get(state, poses_a, "poses_a", &out->poses[0]) ||
        binding_poses_get(state, poses_b, "poses_b", &out->poses[1]) ||
        count_checks(out, poses_a && poses_a != Py_None, poses_b && poses_b != Py_None, &out->count)) {
        binding_checks_release(state, out);
        return -1;
    }
    return 0;
}

void binding_checks_release(binding_state *state, binding_checks *checks)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < checks->model_counts[side]; i++) {
            binding_model_end(state, checks->data[side][i]);
        }
        free(checks->data[side]);
        Py_XDECREF(checks->models[side]);
        binding_poses_release(&checks->poses[side]);
    }
    memset(checks, 0, sizeof *checks);
}

/* ---- Outputs ---- */

static const char *const format_letters[BINDING_DTYPE_COUNT] = {
    [BINDING_BOOL] = "?Bb",   [BINDING_UINT32] = "IL", [BINDING_INT64] = "qln",
    [BINDING_UINT64] = "QLN", [BINDING_FLOAT64] = "d",
};

/* A structure's memory is written as it is, so its format must be the library's: no references to objects. */
static bool has_structure(binding_state *state, binding_dtype dtype, const char *format)
{
    Py_buffer model;
    void *data = NULL;
    PyObject *array = binding_new_array(state, dtype, 1, (const Py_ssize_t[]){0}, &data);
    if (!array || PyObject_GetBuffer(array, &model, PyBUF_RECORDS_RO)) {
        PyErr_Clear();
        Py_XDECREF(array);
        return false;
    }
    const bool result = model.format && strcmp(model.format, format) == 0;
    PyBuffer_Release(&model);
    Py_DECREF(array);
    return result;
}

static bool fits(binding_state *state, const Py_buffer *view, binding_dtype dtype, Py_ssize_t count, Py_ssize_t width)
{
    const char *letters = format_letters[dtype];
    const char *format = view->format ? view->format : "B";
    const bool has_type =
        letters ? format[0] && !format[1] && strchr(letters, format[0]) : has_structure(state, dtype, format);
    const bool has_shape =
        view->ndim == (width ? 2 : 1) && view->shape[0] == count && (!width || view->shape[1] == width);
    return has_type && has_shape && view->itemsize == (Py_ssize_t)binding_dtype_size(dtype) &&
           (uintptr_t)view->buf % (size_t)(view->itemsize < 8 ? view->itemsize : 8) == 0;
}

static const char *const dtype_words[BINDING_DTYPE_COUNT] = {
    [BINDING_BOOL] = "bool",     [BINDING_UINT32] = "uint32",   [BINDING_INT64] = "int64",
    [BINDING_UINT64] = "uint64", [BINDING_FLOAT64] = "float64", [BINDING_ANSWER] = "tumble.answer_dtype()",
};

PyObject *binding_output(binding_state *state, PyObject *out, binding_dtype dtype, Py_ssize_t count, Py_ssize_t width,
                         Py_buffer *view, void **data)
{
    const Py_ssize_t shape[] = {count, width};
    memset(view, 0, sizeof *view);
    if (!out || out == Py_None) {
        return binding_new_array(state, dtype, width ? 2 : 1, shape, data);
    }
    if (PyObject_GetBuffer(out, view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE | PyBUF_FORMAT)) {
        if (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_BufferError) ||
            PyErr_ExceptionMatches(PyExc_ValueError)) {
            PyErr_SetString(PyExc_TypeError, "out: expected an array that can be written, in C order");
        }
        memset(view, 0, sizeof *view);
        return NULL;
    }
    if (!fits(state, view, dtype, count, width)) {
        if (width) {
            PyErr_Format(PyExc_ValueError, "out: expected shape (%zd, %zd) of %s", count, width, dtype_words[dtype]);
        } else {
            PyErr_Format(PyExc_ValueError, "out: expected shape (%zd,) of %s", count, dtype_words[dtype]);
        }
        PyBuffer_Release(view);
        memset(view, 0, sizeof *view);
        return NULL;
    }
    *data = view->buf;
    return Py_NewRef(out);
}

static bool share_memory(const binding_array *array, const Py_buffer *out)
{
    const uintptr_t begin = (uintptr_t)array->data, end = begin + array->item_count * sizeof(double);
    const uintptr_t written = (uintptr_t)out->buf;
    return array->has_view && !array->copy && out->obj && written < end && begin < written + (uintptr_t)out->len;
}

int binding_checks_part(binding_checks *checks, const Py_buffer *out)
{
    for (int side = 0; side < 2; side++) {
        binding_poses_view *view = &checks->poses[side];
        if (!view->poses || view->copy || !share_memory(&view->array, out)) {
            continue;
        }
        view->copy = malloc(view->count * sizeof *view->copy);
        if (!view->copy) {
            PyErr_NoMemory();
            return -1;
        }
        memcpy(view->copy, view->poses, view->count * sizeof *view->copy);
        view->poses = view->copy;
    }
    return 0;
}

PyObject *binding_compressed(binding_state *state, binding_dtype dtype, const uint64_t *counts, size_t count,
                             const void *rows, size_t capacity)
{
    const Py_ssize_t start_count = (Py_ssize_t)count + 1;
    const bool is_pair = dtype == BINDING_UINT32;
    const size_t size = is_pair ? sizeof(tumble_pair) : binding_dtype_size(dtype);
    void *starts = NULL, *items = NULL;
    PyObject *start_array = binding_new_array(state, BINDING_INT64, 1, &start_count, &starts);
    if (!start_array) {
        return NULL;
    }
    int64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        ((int64_t *)starts)[i] = total;
        total += (int64_t)counts[i];
    }
    ((int64_t *)starts)[count] = total;
    const Py_ssize_t shape[] = {(Py_ssize_t)total, 2};
    PyObject *item_array = binding_new_array(state, dtype, is_pair ? 2 : 1, shape, &items);
    for (size_t i = 0; item_array && i < count; i++) {
        memcpy((char *)items + (size_t)((int64_t *)starts)[i] * size, (const char *)rows + i * capacity * size,
               (size_t)counts[i] * size);
    }
    PyObject *result = item_array ? PyTuple_Pack(2, start_array, item_array) : NULL;
    Py_DECREF(start_array);
    Py_XDECREF(item_array);
    return result;
}
