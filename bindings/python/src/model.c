/* The type Model: made of arrays, immutable, with what it knows about itself. */
#include <string.h>

#include "binding.h"
#include "model.h"

typedef struct model_object {
    PyObject_HEAD binding_model data;
} model_object;

binding_model *binding_model_data(PyObject *self)
{
    return &((model_object *)self)->data;
}

binding_model *binding_model_of(binding_state *state, PyObject *object, const char *name)
{
    if (!object || !PyObject_TypeCheck(object, (PyTypeObject *)state->types[BINDING_TYPE_MODEL])) {
        PyErr_Format(PyExc_TypeError, "%s: expected a tumble.Model, not %R", name,
                     object ? (PyObject *)Py_TYPE(object) : Py_None);
        return NULL;
    }
    return binding_model_data(object);
}

/* ---- Uses ---- */

/* A fork takes no thread along, so what was in use in the parent is not in the child. */
static void forget_parent(binding_state *state, binding_model *model)
{
    if (model->fork_count != state->fork_count) {
        model->fork_count = state->fork_count;
        model->user_count = 0;
    }
}

int binding_model_begin(binding_state *state, binding_model *model)
{
    forget_parent(state, model);
    if (model->is_edited) {
        binding_raise(state, TUMBLE_ERROR_BUSY, "the model is being edited by another thread", NULL);
        return -1;
    }
    model->user_count++;
    return 0;
}

void binding_model_end(binding_state *state, binding_model *model)
{
    forget_parent(state, model);
    if (model->user_count) {
        model->user_count--;
    }
}

/* ---- Life ---- */

PyObject *binding_model_wrap(PyTypeObject *type, tumble_model *model, PyObject *block_owner)
{
    allocfunc allocate = PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = allocate(type, 0);
    if (!self) {
        (void)tumble_model_destroy(model);
        return NULL;
    }
    binding_model *data = binding_model_data(self);
    data->model = model;
    data->block_owner = Py_XNewRef(block_owner);
    data->hash = -1;
    return self;
}

static PyObject *build(binding_state *state, PyTypeObject *type, const binding_mesh *mesh,
                       tumble_model_options *options)
{
    binding_work work;
    tumble_model *model = NULL;
    options->progress = binding_work_progress;
    options->progress_user = &work;
    binding_work_begin(&work);
    const tumble_status status = tumble_model_create(state->context, &mesh->mesh, options, &model);
    binding_work_end(&work);
    if (work.is_interrupted) {
        (void)tumble_model_destroy(model);
        return NULL;
    }
    return status == TUMBLE_OK ? binding_model_wrap(type, model, NULL) : binding_raise_last(state, status, NULL);
}

#define HIERARCHY_WORD(name, number, word, text) word,
#define HIERARCHY_NUMBER(name, number, word, text) number,
static const char *const hierarchy_words[] = {TUMBLE_HIERARCHY_LIST(HIERARCHY_WORD)};
static const int hierarchy_numbers[] = {TUMBLE_HIERARCHY_LIST(HIERARCHY_NUMBER)};
#define HIERARCHY_COUNT (sizeof hierarchy_numbers / sizeof hierarchy_numbers[0])

int binding_model_options_of(PyObject *hierarchy, PyObject *threads, int deformable, tumble_model_options *options)
{
    *options = tumble_default_model_options();
    options->deformable = deformable != 0;
    int chosen = (int)options->hierarchy;
    uint64_t thread_count = 0;
    if (binding_word(hierarchy, "hierarchy", hierarchy_words, hierarchy_numbers, HIERARCHY_COUNT, &chosen) ||
        binding_size(threads, "threads", &thread_count)) {
        return -1;
    }
    options->hierarchy = (tumble_hierarchy)chosen;
    options->thread_count = thread_count > UINT32_MAX ? UINT32_MAX : (uint32_t)thread_count;
    return 0;
}

static PyObject *model_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"vertices", "faces",      "surfaces", "sizes", "hierarchy",
                            "threads",  "deformable", "tuning",   NULL};
    PyObject *vertices, *faces, *surfaces = NULL, *sizes = NULL, *hierarchy = NULL, *threads = NULL, *tuning = NULL;
    int deformable = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|O$OOOpO:Model", names, &vertices, &faces, &surfaces,
                                     &sizes, &hierarchy, &threads, &deformable, &tuning)) {
        return NULL;
    }
    binding_state *state = binding_state_of_type(type);
    tumble_model_options options;
    tumble_tuning tuned;
    binding_mesh mesh;
    if (!state || binding_model_options_of(hierarchy, threads, deformable, &options)) {
        return NULL;
    }
    const int is_tuned = binding_tuning(tuning, &tuned);
    if (is_tuned < 0 || binding_mesh_get(state, vertices, faces, sizes, surfaces, &mesh)) {
        return NULL;
    }
    options.tuning = is_tuned ? &tuned : NULL;
    PyObject *self = build(state, type, &mesh, &options);
    binding_mesh_release(&mesh);
    return self;
}

static void model_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    binding_model *data = binding_model_data(self);
    (void)tumble_model_destroy(data->model);
    Py_XDECREF(data->block_owner);
    freefunc release = PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* ---- What it is ---- */

/* Takes a pass over the triangles, so the GIL is released. -1 with an exception. */
static int get_info(PyObject *self, tumble_model_info *info)
{
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    if (!state || binding_model_begin(state, data)) {
        return -1;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_model_get_info(data->model, info);
    PyEval_RestoreThread(thread);
    binding_model_end(state, data);
    if (status != TUMBLE_OK) {
        binding_raise_last(state, status, NULL);
        return -1;
    }
    return 0;
}

static Py_ssize_t model_length(PyObject *self)
{
    tumble_model_info info;
    return get_info(self, &info) ? -1 : (Py_ssize_t)info.polygon_count;
}

static PyObject *model_closed(PyObject *self, void *closure)
{
    (void)closure;
    tumble_model_info info;
    return get_info(self, &info) ? NULL : PyBool_FromLong(info.closed);
}

static PyObject *model_nbytes(PyObject *self, void *closure)
{
    (void)closure;
    tumble_model_info info;
    return get_info(self, &info) ? NULL : PyLong_FromUnsignedLongLong(info.total_bytes);
}

static PyObject *model_hierarchy(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(tumble_hierarchy_name(tumble_model_hierarchy(binding_model_data(self)->model)));
}

static PyObject *model_bounds(PyObject *self, void *closure)
{
    (void)closure;
    tumble_model_info info;
    if (get_info(self, &info)) {
        return NULL;
    }
    double bounds[2][3];
    memcpy(bounds[0], info.lower, sizeof info.lower);
    memcpy(bounds[1], info.upper, sizeof info.upper);
    return binding_array_of(binding_state_of_object(self), BINDING_FLOAT64, 2, (const Py_ssize_t[]){2, 3}, bounds);
}

static PyObject *model_repr(PyObject *self)
{
    tumble_model_info info;
    if (get_info(self, &info)) {
        return NULL;
    }
    char text[200];
    PyOS_snprintf(text, sizeof text, "%llu polygon%s, %s, %s, [%.4g %.4g %.4g] to [%.4g %.4g %.4g]",
                  (unsigned long long)info.polygon_count, info.polygon_count == 1 ? "" : "s",
                  info.closed ? "closed" : "open", tumble_hierarchy_name(info.hierarchy), info.lower[0], info.lower[1],
                  info.lower[2], info.upper[0], info.upper[1], info.upper[2]);
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "__name__");
    PyObject *result = name ? PyUnicode_FromFormat("<tumble.%U: %s>", name, text) : NULL;
    Py_XDECREF(name);
    return result;
}

static PyGetSetDef attributes[] = {
    {"bounds", model_bounds, NULL, "The least and the largest corner, as an array of shape (2, 3).", NULL},
    {"closed", model_closed, NULL, "Every edge has exactly two triangles, in opposite directions.", NULL},
    {"nbytes", model_nbytes, NULL, "Everything that the model holds.", NULL},
    {"hierarchy", model_hierarchy, NULL, "The name of its hierarchy: 'wide' unless another was asked for.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(model_text,
             "Model(vertices, faces, surfaces=None, *, sizes=None, hierarchy='auto', threads=0, deformable=False, "
             "tuning=None)\n--\n\n"
             "Polygons with the hierarchy that answers questions about them fast.\n\n"
             "vertices: (n, 3), floats, doubles or integers, of any strides.\n"
             "faces: (m, 3) integers of any type; (m, k), where -1 ends a row early; a list of polygons of any sizes;\n"
             "or a flat array, with the number of corners of each polygon in sizes.\n"
             "surfaces: a number per polygon, see surfaces().\n\n"
             "A model is immutable: it can be a key, be pickled and be shared by threads.\n\n"
             ">>> import tumble\n"
             ">>> model = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
             "...                      [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
             ">>> model\n"
             "<tumble.Model: 4 polygons, closed, wide, [0 0 0] to [1 1 1]>\n");

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)model_text},
    {Py_tp_new, model_new},
    {Py_tp_dealloc, model_free},
    {Py_tp_repr, model_repr},
    {Py_tp_getset, attributes},
    {Py_sq_length, model_length},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "tumble.Model",
    .basicsize = sizeof(model_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

static int add(PyObject *module, binding_state *state)
{
    (void)state;
    return binding_add_type(module, BINDING_TYPE_MODEL, &spec, NULL);
}

const binding_part binding_models = {.name = "models", .add = add};
