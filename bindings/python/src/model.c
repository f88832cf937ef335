/* The type Model: made of arrays, immutable, shared by any number of threads. */
#include <string.h>

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
        model->is_edited = false;
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

int binding_edit_begin(binding_state *state, binding_model *model)
{
    forget_parent(state, model);
    if (model->is_edited || model->user_count) {
        binding_raise(state, TUMBLE_ERROR_BUSY,
                      "the model is in use: by a call of another thread, a memoryview, a scene or a job", NULL);
        return -1;
    }
    model->is_edited = true;
    return 0;
}

void binding_edit_end(binding_model *model)
{
    model->is_edited = false;
}

/* ---- Life ---- */

PyObject *binding_model_wrap(PyTypeObject *type, tumble_model *model)
{
    allocfunc allocate = PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = allocate(type, 0);
    if (!self) {
        (void)tumble_model_destroy(model);
        return NULL;
    }
    binding_model *data = binding_model_data(self);
    data->model = model;
    data->hash = -1;
    return self;
}

PyObject *binding_build_by(binding_state *state, PyTypeObject *type, binding_creator *create, const void *source,
                           binding_building *building)
{
    binding_work work;
    tumble_model *model = NULL;
    building->options.progress = binding_work_progress;
    building->options.progress_user = &work;
    binding_work_begin(&work);
    const tumble_status status = create(state->context, source, &building->options, &model);
    binding_work_end(&work);
    if (work.is_interrupted) {
        (void)tumble_model_destroy(model);
        return NULL;
    }
    return status == TUMBLE_OK ? binding_model_wrap(type, model) : binding_raise_last(state, status, NULL);
}

static tumble_status create_mesh(tumble_context *context, const void *source, const tumble_model_options *options,
                                 tumble_model **out)
{
    return tumble_model_create(context, source, options, out);
}

PyObject *binding_build(binding_state *state, PyTypeObject *type, const tumble_mesh *mesh, binding_building *building)
{
    return binding_build_by(state, type, create_mesh, mesh, building);
}

#define HIERARCHY_WORD(name, number, word, text) word,
#define HIERARCHY_NUMBER(name, number, word, text) number,
static const char *const hierarchy_words[] = {TUMBLE_HIERARCHY_LIST(HIERARCHY_WORD)};
static const int hierarchy_numbers[] = {TUMBLE_HIERARCHY_LIST(HIERARCHY_NUMBER)};
#define HIERARCHY_COUNT (sizeof hierarchy_numbers / sizeof hierarchy_numbers[0])

int binding_building_get(PyObject *const values[BINDING_BUILDING_COUNT], binding_building *out)
{
    out->options = tumble_default_model_options();
    int chosen = (int)out->options.hierarchy;
    uint64_t thread_count = 0;
    if (binding_word(values[0], "hierarchy", hierarchy_words, hierarchy_numbers, HIERARCHY_COUNT, &chosen) ||
        binding_size(values[1], "threads", &thread_count) ||
        binding_flag(values[2], "deformable", &out->options.deformable) ||
        binding_double(values[4], "radius", &out->options.radius)) {
        return -1;
    }
    out->options.hierarchy = (tumble_hierarchy)chosen;
    out->options.thread_count = thread_count > 256 ? 256 : (uint32_t)thread_count;
    const int is_tuned = binding_tuning(values[3], &out->tuning);
    out->options.tuning = is_tuned > 0 ? &out->tuning : NULL;
    return is_tuned < 0 ? -1 : 0;
}

/* What `deformed` needs besides the new points. */
static int keep_corners(binding_model *data, const tumble_mesh *mesh)
{
    const Py_ssize_t word = sizeof(uint32_t);
    data->corners = PyBytes_FromStringAndSize((const char *)mesh->indices, (Py_ssize_t)mesh->index_count * word);
    if (data->corners && mesh->polygon_sizes) {
        data->sizes =
            PyBytes_FromStringAndSize((const char *)mesh->polygon_sizes, (Py_ssize_t)mesh->polygon_count * word);
    }
    return data->corners && (data->sizes || !mesh->polygon_sizes) ? 0 : -1;
}

static PyObject *create(PyTypeObject *type, PyObject *const *v)
{
    binding_state *state = binding_state_of_type(type);
    const bool has_radii = v[8] && PySequence_Check(v[8]);
    PyObject *const building_values[BINDING_BUILDING_COUNT] = {v[4], v[5], v[6], v[7], has_radii ? NULL : v[8]};
    binding_building building;
    binding_mesh mesh;
    if (!state || binding_building_get(building_values, &building) ||
        binding_mesh_get(state, v[0], v[1], v[3], v[2], has_radii ? v[8] : NULL, &mesh)) {
        return NULL;
    }
    PyObject *self = binding_build(state, type, &mesh.mesh, &building);
    if (self && building.options.deformable && keep_corners(binding_model_data(self), &mesh.mesh)) {
        Py_CLEAR(self);
    }
    binding_mesh_release(&mesh);
    return self;
}

static PyObject *model_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"vertices", "faces",      "surfaces", "sizes",  "hierarchy",
                            "threads",  "deformable", "tuning",   "radius", NULL};
    PyObject *v[9] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|O$OOOOOO:Model", names, &v[0], &v[1], &v[2], &v[3], &v[4],
                                     &v[5], &v[6], &v[7], &v[8])) {
        return NULL;
    }
    return create(type, v);
}

static void model_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    binding_model *data = binding_model_data(self);
    (void)tumble_model_destroy(data->model);
    Py_XDECREF(data->corners);
    Py_XDECREF(data->sizes);
    freefunc release = PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

PyDoc_STRVAR(model_text,
             "Model(vertices, faces, surfaces=None, *, sizes=None, hierarchy='auto', threads=0, deformable=False, "
             "tuning=None, radius=0.0)\n--\n\n"
             "Polygons with the hierarchy that answers questions about them fast.\n\n"
             "vertices: (n, 3), floats, doubles or integers, of any strides.\n"
             "faces: (m, 3) integers of any type; (m, k), where -1 ends a row early; a list of polygons of any sizes;\n"
             "or a flat array, with the number of corners of each polygon in sizes.\n"
             "surfaces: a number per polygon, see surfaces().\n"
             "deformable: keeps what deformed() needs.\n"
             "radius: thickens the model to everything within it of the polygons; a number, or one per polygon.\n\n"
             "A model is immutable: it can be a key, be pickled and be shared by threads.\n\n"
             ">>> import tumble\n"
             ">>> model = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
             "...                      [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
             ">>> model\n"
             "<tumble.Model: 4 polygons, closed, wide, [0 0 0] to [1 1 1]>\n"
             ">>> len(model), model.closed, model.bounds.tolist()\n"
             "(4, True, [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])\n");

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)model_text},
    {Py_tp_new, model_new},
    {Py_tp_dealloc, model_free},
    {Py_tp_repr, binding_model_repr},
    {Py_tp_hash, binding_model_hash},
    {Py_tp_richcompare, binding_model_compare},
    {Py_tp_getset, binding_model_attributes},
    {Py_tp_methods, binding_model_methods},
    {Py_sq_length, binding_model_length},
    {Py_bf_getbuffer, binding_model_buffer},
    {Py_bf_releasebuffer, binding_model_buffer_release},
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
    return binding_add_type(module, BINDING_TYPE_MODEL, &spec, NULL) || binding_add_editable(module, state) ? -1 : 0;
}

const binding_part binding_models = {.name = "models", .add = add};
