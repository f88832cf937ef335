/* Models that change: the type EditableModel; and models of the same polygons at new points. */
#include <string.h>

#include "model.h"

/* ---- New points ---- */

static void recall_corners(const binding_model *data, tumble_mesh *mesh)
{
    mesh->indices = (const uint32_t *)(const void *)PyBytes_AsString(data->corners);
    mesh->index_count = (size_t)PyBytes_Size(data->corners) / sizeof(uint32_t);
    if (data->sizes) {
        mesh->polygon_sizes = (const uint32_t *)(const void *)PyBytes_AsString(data->sizes);
        mesh->polygon_count = (size_t)PyBytes_Size(data->sizes) / sizeof(uint32_t);
    }
}

static PyObject *deform(binding_state *state, PyObject *self, const tumble_mesh *mesh)
{
    binding_model *data = binding_model_data(self);
    if (binding_model_begin(state, data)) {
        return NULL;
    }
    tumble_model *model = NULL;
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_model_deform(data->model, mesh, &model);
    PyEval_RestoreThread(thread);
    binding_model_end(state, data);
    if (status != TUMBLE_OK) {
        return binding_raise_last(state, status, NULL);
    }
    PyObject *result = binding_model_wrap(Py_TYPE(self), model);
    if (result) {
        binding_model_data(result)->corners = Py_XNewRef(data->corners);
        binding_model_data(result)->sizes = Py_XNewRef(data->sizes);
    }
    return result;
}

PyObject *binding_model_deformed(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"vertices", "faces", "sizes", NULL};
    PyObject *values[3];
    binding_state *state = binding_state_of_object(self);
    const binding_model *data = binding_model_data(self);
    if (!state || binding_arguments("deformed", names, 2, 1, arguments, count, keywords, values)) {
        return NULL;
    }
    const bool has_faces = values[1] && values[1] != Py_None;
    if (!has_faces && !data->corners) {
        return binding_raise(state, TUMBLE_ERROR_ARGUMENT,
                             "the model does not remember its faces: give them, or make it with deformable=True", NULL);
    }
    binding_mesh mesh;
    PyObject *none = PyTuple_New(0);
    if (!none || binding_mesh_get(state, values[0], has_faces ? values[1] : none, values[2], NULL, NULL, &mesh)) {
        Py_XDECREF(none);
        return NULL;
    }
    Py_DECREF(none);
    if (!has_faces) {
        recall_corners(data, &mesh.mesh);
        mesh.mesh.polygon_sizes = data->sizes ? mesh.mesh.polygon_sizes : NULL;
        mesh.mesh.polygon_count = data->sizes ? mesh.mesh.polygon_count : 0;
    }
    PyObject *result = deform(state, self, &mesh.mesh);
    binding_mesh_release(&mesh);
    return result;
}

/* ---- Edits ---- */

static PyObject *copy_as(PyObject *self, binding_type which)
{
    binding_state *state = binding_state_of_object(self);
    return state ? PyObject_CallMethod(state->types[which], "from_block", "(O)", self) : NULL;
}

PyObject *binding_model_editable(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return copy_as(self, BINDING_TYPE_EDITABLE);
}

static PyObject *frozen(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return copy_as(self, BINDING_TYPE_MODEL);
}

static PyObject *end_edit(binding_state *state, binding_model *data, tumble_status status, PyObject *result)
{
    binding_edit_end(data);
    data->hash = -1;
    data->has_info = false;
    if (status != TUMBLE_OK) {
        Py_XDECREF(result);
        return binding_raise_last(state, status, NULL);
    }
    return result;
}

static PyObject *insert(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"vertices", "faces", "surfaces", "sizes", "radius", NULL};
    PyObject *values[5];
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    binding_mesh mesh;
    if (!state || binding_arguments("insert", names, 3, 2, arguments, count, keywords, values) ||
        binding_mesh_get(state, values[0], values[1], values[3], values[2], values[4], &mesh)) {
        return NULL;
    }
    if (binding_edit_begin(state, data)) {
        binding_mesh_release(&mesh);
        return NULL;
    }
    uint32_t first = 0;
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_model_insert(data->model, &mesh.mesh, &first);
    PyEval_RestoreThread(thread);
    binding_mesh_release(&mesh);
    return end_edit(state, data, status, PyLong_FromUnsignedLong(first));
}

static PyObject *remove_polygons(PyObject *self, PyObject *polygons)
{
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    binding_array array;
    if (!state || binding_array_get(state, polygons, "polygons", BINDING_INDICES, true, &array)) {
        return NULL;
    }
    if (binding_edit_begin(state, data)) {
        binding_array_release(&array);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_model_remove(data->model, array.data, array.item_count);
    PyEval_RestoreThread(thread);
    binding_array_release(&array);
    return end_edit(state, data, status, Py_NewRef(Py_None));
}

static PyObject *remove_surface(PyObject *self, PyObject *number)
{
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    uint64_t surface = 0;
    if (!state || binding_size(number, "surface", &surface)) {
        return NULL;
    }
    if (surface > UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "surface: it does not fit into 32 bits");
        return NULL;
    }
    if (binding_edit_begin(state, data)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_model_remove_surface(data->model, (uint32_t)surface);
    PyEval_RestoreThread(thread);
    return end_edit(state, data, status, Py_NewRef(Py_None));
}

static PyObject *set_radius(PyObject *self, PyObject *number)
{
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    double radius = 0;
    if (!state || binding_double(number, "radius", &radius) || binding_edit_begin(state, data)) {
        return NULL;
    }
    const tumble_status status = tumble_model_set_radius(data->model, radius);
    return end_edit(state, data, status, Py_NewRef(Py_None));
}

/* ---- The type ---- */

/* Two editable models are equal only if they are the same object, as each may change. */
static PyObject *compare(PyObject *self, PyObject *other, int operation)
{
    (void)self, (void)other, (void)operation;
    return Py_NewRef(Py_NotImplemented);
}

static PyMethodDef methods[] = {
    BINDING_FAST("insert", insert,
                 "insert($self, vertices, faces, surfaces=None, *, sizes=None, radius=None)\n--\n\n"
                 "Adds polygons, numbered from the returned number on. Numbers are never reused.\n\n"
                 "radius: a number, or one per polygon; None: the model's."),
    {"remove", remove_polygons, METH_O,
     "remove($self, polygons, /)\n--\n\nRemoves polygons by number; the others keep theirs."},
    {"remove_surface", remove_surface, METH_O,
     "remove_surface($self, surface, /)\n--\n\nRemoves all polygons of a surface."},
    {"set_radius", set_radius, METH_O, "set_radius($self, radius, /)\n--\n\nThe radius of all polygons from now on."},
    BINDING_PLAIN("frozen", frozen, "frozen($self)\n--\n\nAn immutable copy."),
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(editable_text,
             "A model whose polygons can be inserted and removed. R-trees are the fastest to edit.\n\n"
             "Every question takes one where it takes a Model. An edit while another thread asks about the model\n"
             "raises BusyError; so does a question during an edit.\n\n"
             ">>> import tumble\n"
             ">>> model = tumble.EditableModel([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], hierarchy='rtree')\n"
             ">>> model.insert([[0, 0, 1], [1, 0, 1], [0, 1, 1]], [[0, 1, 2]])\n"
             "1\n"
             ">>> model.remove([0])\n"
             ">>> model\n"
             "<tumble.EditableModel: 1 polygon, open, rtree, [0 0 1] to [1 1 1]>\n");

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)editable_text},
    {Py_tp_methods, methods},
    {Py_tp_richcompare, compare},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "tumble.EditableModel",
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

int binding_add_editable(PyObject *module, binding_state *state)
{
    return binding_add_type(module, BINDING_TYPE_EDITABLE, &spec, state->types[BINDING_TYPE_MODEL]);
}
