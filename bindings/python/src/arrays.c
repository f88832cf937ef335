/* Numbers in: from buffers of any numeric type and any strides, without numpy's C interface. */
#include <string.h>

#include "binding.h"

/* ---- Formats of buffers ---- */

typedef enum number_class {
    NUMBER_NONE,
    NUMBER_SIGNED,
    NUMBER_UNSIGNED,
    NUMBER_REAL
} number_class;

/* One native number: "d", "@l", "=I". The width is the buffer's item size. */
static number_class class_of(const Py_buffer *view)
{
    const char *format = view->format ? view->format : "B";
    const uint16_t order = 1;
    unsigned char low_byte;
    memcpy(&low_byte, &order, 1);
    if (*format && strchr(low_byte ? "@=^<" : "@=^>!", *format)) {
        format++;
    }
    if (!format[0] || format[1]) {
        return NUMBER_NONE;
    }
    const Py_ssize_t size = view->itemsize;
    const bool is_word = size == 1 || size == 2 || size == 4 || size == 8;
    if (strchr("bhilqn", format[0])) {
        return is_word ? NUMBER_SIGNED : NUMBER_NONE;
    }
    if (strchr("BHILQN?", format[0])) {
        return is_word ? NUMBER_UNSIGNED : NUMBER_NONE;
    }
    if ((format[0] == 'f' && size == sizeof(float)) || (format[0] == 'd' && size == sizeof(double))) {
        return NUMBER_REAL;
    }
    return NUMBER_NONE;
}

static int64_t read_signed(const char *item, Py_ssize_t size)
{
    int8_t one;
    int16_t two;
    int32_t four;
    int64_t eight;
    switch (size) {
    case 1: memcpy(&one, item, 1); return one;
    case 2: memcpy(&two, item, 2); return two;
    case 4: memcpy(&four, item, 4); return four;
    default: memcpy(&eight, item, 8); return eight;
    }
}

static uint64_t read_unsigned(const char *item, Py_ssize_t size)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case 1: memcpy(&one, item, 1); return one;
    case 2: memcpy(&two, item, 2); return two;
    case 4: memcpy(&four, item, 4); return four;
    default: memcpy(&eight, item, 8); return eight;
    }
}

static double read_double(const char *item, number_class type, Py_ssize_t size)
{
    float single;
    double value;
    switch (type) {
    case NUMBER_SIGNED: return (double)read_signed(item, size);
    case NUMBER_UNSIGNED: return (double)read_unsigned(item, size);
    default: break;
    }
    if (size == sizeof single) {
        memcpy(&single, item, sizeof single);
        return single;
    }
    memcpy(&value, item, sizeof value);
    return value;
}

/* ---- Copies ---- */

typedef struct copying {
    const char *name;
    binding_kind kind;
    number_class type;
    Py_ssize_t size;
    char *to;
    bool as_float;
} copying;

static int copy_index(copying *c, const char *from)
{
    const bool is_signed = c->type == NUMBER_SIGNED;
    const int64_t value = is_signed ? read_signed(from, c->size) : 0;
    const uint64_t unsigned_value = is_signed ? (uint64_t)value : read_unsigned(from, c->size);
    uint32_t index = (uint32_t)unsigned_value;
    if (c->kind == BINDING_PADDED && is_signed && value == -1) {
        index = UINT32_MAX;
    } else if (is_signed && value < 0) {
        PyErr_Format(PyExc_ValueError, "%s: %lld is negative", c->name, (long long)value);
        return -1;
    } else if (unsigned_value > UINT32_MAX || (c->kind == BINDING_PADDED && index == UINT32_MAX)) {
        PyErr_Format(PyExc_ValueError, "%s: %llu does not fit into 32 bits", c->name,
                     (unsigned long long)unsigned_value);
        return -1;
    }
    memcpy(c->to, &index, sizeof index);
    c->to += sizeof index;
    return 0;
}

static int copy_item(copying *c, const char *from)
{
    if (c->kind == BINDING_INDICES || c->kind == BINDING_PADDED) {
        return copy_index(c, from);
    }
    if (c->as_float) {
        memcpy(c->to, from, sizeof(float));
        c->to += sizeof(float);
        return 0;
    }
    const double value = read_double(from, c->type, c->size);
    memcpy(c->to, &value, sizeof value);
    c->to += sizeof value;
    return 0;
}

/* Three dimensions; those in front that the buffer lacks have one item. The arrays of ctypes are packed and give no
 * strides, although they are asked for. */
static void get_steps(const Py_buffer *view, Py_ssize_t shape[3], Py_ssize_t strides[3])
{
    Py_ssize_t stride = view->itemsize;
    for (int i = 2, k = view->ndim - 1; i >= 0; i--, k--) {
        shape[i] = k >= 0 ? view->shape[k] : 1;
        strides[i] = k >= 0 && view->strides ? view->strides[k] : stride;
        stride *= shape[i];
    }
}

static int copy_items(copying *c, const Py_buffer *view)
{
    Py_ssize_t shape[3], strides[3];
    get_steps(view, shape, strides);
    for (Py_ssize_t i = 0; i < shape[0]; i++) {
        for (Py_ssize_t j = 0; j < shape[1]; j++) {
            const char *from = (const char *)view->buf + i * strides[0] + j * strides[1];
            for (Py_ssize_t k = 0; k < shape[2]; k++) {
                if (copy_item(c, from + k * strides[2])) {
                    return -1;
                }
            }
        }
    }
    return 0;
}

static size_t width_of(const copying *c)
{
    return c->kind == BINDING_INDICES || c->kind == BINDING_PADDED ? sizeof(uint32_t)
           : c->as_float                                           ? sizeof(float)
                                                                   : sizeof(double);
}

/* The bytes are what is wanted, in C order and aligned. */
static bool is_as_wanted(const copying *c, const Py_buffer *view)
{
    const bool is_index = c->kind == BINDING_INDICES;
    const bool has_type = is_index                    ? c->type == NUMBER_UNSIGNED && c->size == sizeof(uint32_t)
                          : c->kind == BINDING_PADDED ? false
                                                      : c->type == NUMBER_REAL && (size_t)c->size == width_of(c);
    return has_type && PyBuffer_IsContiguous(view, 'C') && (uintptr_t)view->buf % (size_t)c->size == 0;
}

/* ---- Views ---- */

static int copy_view(copying *c, binding_array *out)
{
    const size_t width = width_of(c);
    /* Strides of 0 make arrays that are larger than any memory. */
    const bool fits = out->item_count <= PY_SSIZE_T_MAX / width;
    out->copy = fits ? malloc(out->item_count ? out->item_count * width : 1) : NULL;
    if (!out->copy) {
        PyErr_NoMemory();
        return -1;
    }
    out->data = out->copy;
    c->to = out->copy;
    if (is_as_wanted(c, &out->view)) {
        memcpy(out->copy, out->view.buf, out->item_count * width);
    } else if (out->item_count && copy_items(c, &out->view)) {
        return -1;
    }
    return 0;
}

static int check_type(copying *c, const binding_array *out)
{
    const bool wants_indices = c->kind == BINDING_INDICES || c->kind == BINDING_PADDED;
    if (wants_indices && c->type == NUMBER_REAL && out->item_count) {
        PyErr_Format(PyExc_TypeError, "%s: expected integers, not floating-point numbers", c->name);
        return -1;
    }
    return 0;
}

/* 1: the buffer is not of native numbers. */
static int take_view(PyObject *object, const char *name, binding_kind kind, bool always_copy, binding_array *out)
{
    if (PyObject_GetBuffer(object, &out->view, PyBUF_RECORDS_RO)) {
        PyErr_Clear();
        return 1;
    }
    out->has_view = true;
    copying c = {.name = name, .kind = kind, .type = class_of(&out->view), .size = out->view.itemsize};
    if (c.type == NUMBER_NONE) {
        binding_array_release(out);
        return 1;
    }
    if (out->view.ndim < 1 || out->view.ndim > 3) {
        PyErr_Format(PyExc_ValueError, "%s: expected an array of one to three dimensions, not of %d", name,
                     out->view.ndim);
        return -1;
    }
    out->dimension_count = out->view.ndim;
    memcpy(out->shape, out->view.shape, (size_t)out->view.ndim * sizeof *out->shape);
    out->item_count = (size_t)(out->view.len / out->view.itemsize);
    c.as_float = out->is_float = kind == BINDING_POINTS && c.type == NUMBER_REAL && c.size == sizeof(float);
    if (check_type(&c, out)) {
        return -1;
    }
    if (!always_copy && is_as_wanted(&c, &out->view)) {
        out->data = out->view.buf;
        return 0;
    }
    return copy_view(&c, out);
}

static PyObject *import_numpy(binding_state *state)
{
    if (!state->numpy) {
        state->numpy = PyImport_ImportModule("numpy");
        if (!state->numpy && PyErr_ExceptionMatches(PyExc_ImportError)) {
            PyErr_Clear();
            state->numpy = Py_NewRef(Py_None);
        }
    }
    return state->numpy;
}

/* What numpy makes of lists, other byte orders, half precision, objects with __array__. */
static PyObject *convert(binding_state *state, PyObject *object, const char *name, binding_kind kind)
{
    PyObject *numpy = import_numpy(state);
    if (!numpy) {
        return NULL;
    }
    if (numpy == Py_None) {
        PyErr_Format(PyExc_TypeError,
                     "%s: expected a buffer of numbers, such as an array of the module array; other "
                     "objects are converted by numpy, which cannot be imported here",
                     name);
        return NULL;
    }
    PyObject *any = PyObject_CallMethod(numpy, "asarray", "(O)", object);
    PyObject *dtype = any ? PyObject_GetAttrString(any, "dtype") : NULL;
    PyObject *letter = dtype ? PyObject_GetAttrString(dtype, "kind") : NULL;
    PyObject *result = NULL;
    if (letter) {
        const bool is_integer = PyUnicode_CompareWithASCIIString(letter, "i") == 0;
        const bool is_real = PyUnicode_CompareWithASCIIString(letter, "f") == 0;
        const bool is_plain = is_integer || PyUnicode_CompareWithASCIIString(letter, "u") == 0 ||
                              PyUnicode_CompareWithASCIIString(letter, "b") == 0;
        const bool wants_indices = kind == BINDING_INDICES || kind == BINDING_PADDED;
        if (is_real || (is_plain && !wants_indices)) {
            result = PyObject_CallMethod(any, "astype", "s", "float64");
        } else if (is_plain) {
            result = PyObject_CallMethod(any, "astype", "s", is_integer ? "int64" : "uint64");
        } else {
            PyErr_Format(PyExc_TypeError, "%s: expected an array of %s, not of %S", name,
                         wants_indices ? "integers" : "real numbers", dtype);
        }
    } else if (PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Format(PyExc_ValueError, "%s: expected an array of numbers whose rows have the same length", name);
    }
    Py_XDECREF(letter);
    Py_XDECREF(dtype);
    Py_XDECREF(any);
    return result;
}

int binding_array_get(binding_state *state, PyObject *object, const char *name, binding_kind kind, bool always_copy,
                      binding_array *out)
{
    memset(out, 0, sizeof *out);
    int result = PyObject_CheckBuffer(object) ? take_view(object, name, kind, always_copy, out) : 1;
    if (result == 1) {
        PyObject *array = convert(state, object, name, kind);
        result = array ? take_view(array, name, kind, false, out) : -1;
        Py_XDECREF(array);
    }
    if (result == 1) {
        PyErr_Format(PyExc_TypeError, "%s: expected an array of numbers, not %R", name, (PyObject *)Py_TYPE(object));
    }
    if (result) {
        binding_array_release(out);
        return -1;
    }
    return 0;
}

void binding_array_release(binding_array *array)
{
    if (array->has_view) {
        PyBuffer_Release(&array->view);
    }
    free(array->copy);
    memset(array, 0, sizeof *array);
}

/* ---- Arrays out ---- */

/* How numpy and memoryview.cast name the types. Structures have the members of the C interface. */
static const struct {
    const char *numpy;
    const char *plain;
    size_t size;
} dtypes[BINDING_DTYPE_COUNT] = {
    [BINDING_BOOL] = {"bool", "?", 1},
    [BINDING_UINT32] = {"uint32", "I", 4},
    [BINDING_INT64] = {"int64", "q", 8},
    [BINDING_UINT64] = {"uint64", "Q", 8},
    [BINDING_FLOAT64] = {"float64", "d", 8},
    [BINDING_CONTACT] = {"contact_dtype", NULL, sizeof(tumble_contact)},
    [BINDING_SURFACE] = {"surface_dtype", NULL, sizeof(tumble_surface_pair)},
    [BINDING_NEAR] = {"near_dtype", NULL, sizeof(tumble_near)},
    [BINDING_ANSWER] = {"answer_dtype", NULL, sizeof(tumble_check_answer)},
    [BINDING_CLASH] = {"clash_dtype", NULL, sizeof(binding_clash)},
};

size_t binding_dtype_size(binding_dtype dtype)
{
    return dtypes[dtype].size;
}

/* A borrowed reference; structures come from tumble._types, which makes them with numpy. */
static PyObject *dtype_of(binding_state *state, binding_dtype which)
{
    if (!state->dtypes[which]) {
        state->dtypes[which] = dtypes[which].plain
                                   ? PyObject_CallMethod(state->numpy, "dtype", "s", dtypes[which].numpy)
                                   : PyObject_CallMethod(state->results, dtypes[which].numpy, NULL);
    }
    return state->dtypes[which];
}

static PyObject *new_memory(binding_dtype dtype, int dimension_count, const Py_ssize_t *shape, Py_ssize_t size)
{
    if (!dtypes[dtype].plain) {
        PyErr_SetString(PyExc_ImportError, "this result is an array of numpy, which cannot be imported here");
        return NULL;
    }
    PyObject *bytes = PyByteArray_FromStringAndSize(NULL, size);
    PyObject *view = bytes ? PyMemoryView_FromObject(bytes) : NULL;
    PyObject *result = NULL;
    if (view && size == 0) {
        result = PyObject_CallMethod(view, "cast", "s", dtypes[dtype].plain);
    } else if (view && dimension_count == 1) {
        result = PyObject_CallMethod(view, "cast", "s(n)", dtypes[dtype].plain, shape[0]);
    } else if (view && dimension_count == 2) {
        result = PyObject_CallMethod(view, "cast", "s(nn)", dtypes[dtype].plain, shape[0], shape[1]);
    } else if (view) {
        result = PyObject_CallMethod(view, "cast", "s(nnn)", dtypes[dtype].plain, shape[0], shape[1], shape[2]);
    }
    Py_XDECREF(view);
    Py_XDECREF(bytes);
    return result;
}

/* A number for one dimension, else a tuple. */
static PyObject *shape_object(int dimension_count, const Py_ssize_t *shape)
{
    if (dimension_count == 1) {
        return PyLong_FromSsize_t(shape[0]);
    }
    PyObject *tuple = PyTuple_New(dimension_count);
    for (int i = 0; tuple && i < dimension_count; i++) {
        PyObject *number = PyLong_FromSsize_t(shape[i]);
        if (!number) {
            Py_CLEAR(tuple);
        } else {
            PyTuple_SetItem(tuple, i, number);
        }
    }
    return tuple;
}

static PyObject *new_numpy(binding_state *state, binding_dtype dtype, int dimension_count, const Py_ssize_t *shape)
{
    PyObject *type = dtype_of(state, dtype);
    if (!type || (!state->numpy_empty && !(state->numpy_empty = PyObject_GetAttrString(state->numpy, "empty")))) {
        return NULL;
    }
    PyObject *size = shape_object(dimension_count, shape);
    PyObject *result = size ? PyObject_CallFunctionObjArgs(state->numpy_empty, size, type, NULL) : NULL;
    Py_XDECREF(size);
    return result;
}

/* The array keeps the memory when its buffer is released: no one can resize a new array that nobody else knows. The
 * size is checked, because numpy.empty and numpy.dtype are names that a program may give to something else. */
static int memory_of(PyObject *array, Py_ssize_t size, void **data)
{
    Py_buffer view;
    if (PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)) {
        return -1;
    }
    *data = view.buf;
    const bool has_size = view.len == size;
    PyBuffer_Release(&view);
    if (!has_size) {
        PyErr_Format(PyExc_RuntimeError, "numpy.empty made an array of another size than %zd bytes", size);
    }
    return has_size ? 0 : -1;
}

PyObject *binding_new_array(binding_state *state, binding_dtype dtype, int dimension_count, const Py_ssize_t *shape,
                            void **data)
{
    Py_ssize_t size = (Py_ssize_t)dtypes[dtype].size;
    for (int i = 0; i < dimension_count; i++) {
        size *= shape[i];
    }
    PyObject *numpy = import_numpy(state);
    PyObject *array = NULL;
    if (numpy) {
        array = numpy == Py_None ? new_memory(dtype, dimension_count, shape, size)
                                 : new_numpy(state, dtype, dimension_count, shape);
    }
    if (array && memory_of(array, size, data)) {
        Py_CLEAR(array);
    }
    return array;
}

PyObject *binding_array_of(binding_state *state, binding_dtype dtype, int dimension_count, const Py_ssize_t *shape,
                           const void *data)
{
    void *to;
    PyObject *array = binding_new_array(state, dtype, dimension_count, shape, &to);
    size_t size = dtypes[dtype].size;
    for (int i = 0; i < dimension_count; i++) {
        size *= (size_t)shape[i];
    }
    if (array && size) {
        memcpy(to, data, size);
    }
    return array;
}
