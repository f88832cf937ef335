/* Mesh files: models of them, their arrays, and writing them. */
#include <string.h>

#include "model.h"

static const char *const format_words[] = {"obj", "off", "stl", "stl-text", "ply", "ply-text"};
static const int format_numbers[] = {TUMBLE_FORMAT_OBJ,      TUMBLE_FORMAT_OFF, TUMBLE_FORMAT_STL,
                                     TUMBLE_FORMAT_STL_TEXT, TUMBLE_FORMAT_PLY, TUMBLE_FORMAT_PLY_TEXT};
#define FORMAT_COUNT (sizeof format_numbers / sizeof format_numbers[0])

static size_t polygons_of(const tumble_mesh *mesh)
{
    return mesh->polygon_sizes ? mesh->polygon_count : mesh->index_count / 3;
}

/* ---- Models of meshes ---- */

/* The mesh with its connected parts as surfaces, if `crease` is not NULL. */
static PyObject *build_parts(binding_state *state, PyTypeObject *type, const tumble_mesh *mesh, PyObject *crease,
                             binding_building *building)
{
    double degrees = 180;
    if (!crease || crease == Py_None) {
        return binding_build(state, type, mesh, building);
    }
    if (binding_double(crease, "crease", &degrees)) {
        return NULL;
    }
    uint32_t *parts = malloc((polygons_of(mesh) + 1) * sizeof *parts);
    if (!parts) {
        return PyErr_NoMemory();
    }
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_mesh_components(state->context, mesh, degrees, parts, NULL);
    PyEval_RestoreThread(thread);
    tumble_mesh with_parts = *mesh;
    with_parts.surface_ids = parts;
    PyObject *self = status == TUMBLE_OK ? binding_build(state, type, &with_parts, building)
                                         : binding_raise_last(state, status, NULL);
    free(parts);
    return self;
}

static PyObject *read_model(binding_state *state, PyTypeObject *type, const char *path, PyObject *const *values)
{
    binding_building building;
    tumble_mesh_buffer *buffer = NULL;
    tumble_model *model = NULL;
    bool is_model = false;
    if (binding_building_get(values + 2, &building)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    tumble_status status = tumble_is_model_file(state->context, path, &is_model);
    if (status == TUMBLE_OK) {
        status = is_model ? tumble_model_load(state->context, path, &model)
                          : tumble_mesh_read(state->context, path, &buffer);
    }
    PyEval_RestoreThread(thread);
    if (status != TUMBLE_OK) {
        return binding_raise_last(state, status, path);
    }
    if (is_model) {
        return binding_model_wrap(type, model);
    }
    PyObject *self = build_parts(state, type, tumble_mesh_buffer_mesh(buffer), values[1], &building);
    tumble_mesh_buffer_destroy(buffer);
    return self;
}

PyObject *binding_model_read(PyObject *type, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"path",       "crease", "hierarchy", "threads",
                                        "deformable", "tuning", "radius",    NULL};
    PyObject *values[7];
    binding_state *state = binding_state_of_type((PyTypeObject *)type);
    if (!state || binding_arguments("read", names, 1, 1, arguments, count, keywords, values)) {
        return NULL;
    }
    PyObject *path = binding_path(values[0]);
    PyObject *self = path ? read_model(state, (PyTypeObject *)type, PyBytes_AsString(path), values) : NULL;
    Py_XDECREF(path);
    return self;
}

/* Of bytes that nobody can change: a copy, because the GIL is released. */
static PyObject *parse_model(binding_state *state, PyTypeObject *type, PyObject *bytes, tumble_format format,
                             PyObject *const *values)
{
    binding_building building;
    tumble_mesh_buffer *buffer = NULL;
    if (binding_building_get(values + 3, &building)) {
        return NULL;
    }
    const char *data = PyBytes_AsString(bytes);
    const size_t size = (size_t)PyBytes_Size(bytes);
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_mesh_read_memory(state->context, data, size, format, &buffer);
    PyEval_RestoreThread(thread);
    if (status != TUMBLE_OK) {
        return binding_raise_last(state, status, NULL);
    }
    PyObject *self = build_parts(state, type, tumble_mesh_buffer_mesh(buffer), values[2], &building);
    tumble_mesh_buffer_destroy(buffer);
    return self;
}

static PyObject *bytes_of(PyObject *data)
{
    if (!PyObject_CheckBuffer(data)) {
        PyErr_Format(PyExc_TypeError, "data: expected bytes, not %R", (PyObject *)Py_TYPE(data));
        return NULL;
    }
    return PyBytes_FromObject(data);
}

PyObject *binding_model_parse(PyObject *type, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"data",       "format", "crease", "hierarchy", "threads",
                                        "deformable", "tuning", "radius", NULL};
    PyObject *values[8];
    int format = TUMBLE_FORMAT_AUTO;
    binding_state *state = binding_state_of_type((PyTypeObject *)type);
    if (!state || binding_arguments("parse", names, 2, 1, arguments, count, keywords, values) ||
        binding_word(values[1], "format", format_words, format_numbers, FORMAT_COUNT, &format)) {
        return NULL;
    }
    PyObject *bytes = bytes_of(values[0]);
    PyObject *self = bytes ? parse_model(state, (PyTypeObject *)type, bytes, (tumble_format)format, values) : NULL;
    Py_XDECREF(bytes);
    return self;
}

/* ---- Arrays of meshes ---- */

static PyObject *name_of(const tumble_mesh_buffer *buffer, uint32_t surface)
{
    const size_t length = tumble_mesh_buffer_surface_name(buffer, surface, NULL, 0);
    char *text = malloc(length + 1);
    if (!text) {
        return PyErr_NoMemory();
    }
    (void)tumble_mesh_buffer_surface_name(buffer, surface, text, length + 1);
    PyObject *name = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    free(text);
    return name;
}

/* {surface: name} of those that have one. */
static PyObject *names_of(const tumble_mesh_buffer *buffer, const tumble_mesh *mesh)
{
    PyObject *names = PyDict_New();
    const size_t count = mesh->surface_ids ? polygons_of(mesh) : 0;
    for (size_t i = 0; names && i < count; i++) {
        const uint32_t surface = mesh->surface_ids[i];
        if ((i && surface == mesh->surface_ids[i - 1]) || !tumble_mesh_buffer_surface_name(buffer, surface, NULL, 0)) {
            continue;
        }
        PyObject *key = PyLong_FromUnsignedLong(surface);
        PyObject *name = key ? name_of(buffer, surface) : NULL;
        if (!name || PyDict_SetItem(names, key, name)) {
            Py_CLEAR(names);
        }
        Py_XDECREF(key);
        Py_XDECREF(name);
    }
    return names;
}

static PyObject *warning_of(const tumble_mesh_buffer *buffer)
{
    char text[400];
    return tumble_mesh_buffer_warning(buffer, text, sizeof text)
               ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace")
               : Py_NewRef(Py_None);
}

/* Points in packed order; readers give doubles. */
static PyObject *points_of(binding_state *state, const tumble_mesh *mesh)
{
    const Py_ssize_t shape[] = {(Py_ssize_t)mesh->point_count, 3};
    return binding_array_of(state, BINDING_FLOAT64, 2, shape, mesh->points);
}

static PyObject *sizes_of(binding_state *state, const tumble_mesh *mesh)
{
    const Py_ssize_t count = (Py_ssize_t)polygons_of(mesh);
    void *data = NULL;
    PyObject *array = binding_new_array(state, BINDING_UINT32, 1, &count, &data);
    uint32_t *sizes = data;
    for (Py_ssize_t i = 0; array && i < count; i++) {
        sizes[i] = mesh->polygon_sizes ? mesh->polygon_sizes[i] : 3;
    }
    return array;
}

static PyObject *surfaces_of(binding_state *state, const tumble_mesh *mesh)
{
    const Py_ssize_t count = (Py_ssize_t)polygons_of(mesh);
    void *data = NULL;
    PyObject *array = binding_new_array(state, BINDING_UINT32, 1, &count, &data);
    if (array && count) {
        memset(data, 0, (size_t)count * sizeof(uint32_t));
        if (mesh->surface_ids) {
            memcpy(data, mesh->surface_ids, (size_t)count * sizeof(uint32_t));
        }
    }
    return array;
}

static PyObject *mesh_result(binding_state *state, const tumble_mesh_buffer *buffer)
{
    const tumble_mesh *mesh = tumble_mesh_buffer_mesh(buffer);
    const Py_ssize_t index_count = (Py_ssize_t)mesh->index_count;
    PyObject *parts[6] = {NULL};
    const bool is_whole = (parts[0] = points_of(state, mesh)) &&
                          (parts[1] = binding_array_of(state, BINDING_UINT32, 1, &index_count, mesh->indices)) &&
                          (parts[2] = sizes_of(state, mesh)) && (parts[3] = surfaces_of(state, mesh)) &&
                          (parts[4] = names_of(buffer, mesh)) && (parts[5] = warning_of(buffer));
    PyObject *type = is_whole ? binding_result_class(state, "Mesh") : NULL;
    PyObject *result =
        type ? PyObject_CallFunctionObjArgs(type, parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], NULL)
             : NULL;
    Py_XDECREF(type);
    for (int i = 0; i < 6; i++) {
        Py_XDECREF(parts[i]);
    }
    return result;
}

static PyObject *read_mesh(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"path", NULL};
    binding_state *state = binding_state_of(module);
    PyObject *value;
    if (binding_arguments("read_mesh", names, 1, 1, arguments, count, keywords, &value)) {
        return NULL;
    }
    PyObject *path = binding_path(value);
    if (!path) {
        return NULL;
    }
    tumble_mesh_buffer *buffer = NULL;
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_mesh_read(state->context, PyBytes_AsString(path), &buffer);
    PyEval_RestoreThread(thread);
    PyObject *result =
        status == TUMBLE_OK ? mesh_result(state, buffer) : binding_raise_last(state, status, PyBytes_AsString(path));
    tumble_mesh_buffer_destroy(buffer);
    Py_DECREF(path);
    return result;
}

static PyObject *write_mesh(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"path", "vertices", "faces", "surfaces", "sizes", "format", NULL};
    binding_state *state = binding_state_of(module);
    PyObject *values[6];
    int format = TUMBLE_FORMAT_AUTO;
    binding_mesh mesh;
    if (binding_arguments("write_mesh", names, 4, 3, arguments, count, keywords, values) ||
        binding_word(values[5], "format", format_words, format_numbers, FORMAT_COUNT, &format)) {
        return NULL;
    }
    PyObject *path = binding_path(values[0]);
    if (!path || binding_mesh_get(state, values[1], values[2], values[4], values[3], NULL, &mesh)) {
        Py_XDECREF(path);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status =
        tumble_mesh_write(state->context, &mesh.mesh, PyBytes_AsString(path), (tumble_format)format);
    PyEval_RestoreThread(thread);
    binding_mesh_release(&mesh);
    PyObject *result =
        status == TUMBLE_OK ? Py_NewRef(Py_None) : binding_raise_last(state, status, PyBytes_AsString(path));
    Py_DECREF(path);
    return result;
}

static PyObject *components(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"vertices", "faces", "crease", "sizes", NULL};
    binding_state *state = binding_state_of(module);
    PyObject *values[4];
    double crease = 180;
    binding_mesh mesh;
    if (binding_arguments("components", names, 3, 2, arguments, count, keywords, values) ||
        binding_double(values[2], "crease", &crease) ||
        binding_mesh_get(state, values[0], values[1], values[3], NULL, NULL, &mesh)) {
        return NULL;
    }
    const Py_ssize_t polygon_count = (Py_ssize_t)polygons_of(&mesh.mesh);
    void *parts = NULL;
    PyObject *array = binding_new_array(state, BINDING_UINT32, 1, &polygon_count, &parts);
    if (array) {
        PyThreadState *thread = PyEval_SaveThread();
        const tumble_status status = tumble_mesh_components(state->context, &mesh.mesh, crease, parts, NULL);
        PyEval_RestoreThread(thread);
        if (status != TUMBLE_OK) {
            Py_CLEAR(array);
            binding_raise_last(state, status, NULL);
        }
    }
    binding_mesh_release(&mesh);
    return array;
}

static PyMethodDef functions[] = {
    BINDING_FAST("read_mesh", read_mesh,
                 "read_mesh(path)\n--\n\nThe arrays of a mesh file, as a tumble.Mesh: OBJ, OFF, STL or PLY."),
    BINDING_FAST("write_mesh", write_mesh,
                 "write_mesh(path, vertices, faces, surfaces=None, *, sizes=None, format=None)\n--\n\n"
                 "Writes 'obj', 'off', 'stl', 'stl-text', 'ply' or 'ply-text'; None: by the name of the file."),
    BINDING_FAST("components", components,
                 "components(vertices, faces, crease=180.0, *, sizes=None)\n--\n\n"
                 "The connected part of each polygon, as numbers from 0, which can be surfaces of a model.\n\n"
                 "Polygons that share an edge belong together unless the surface bends there by more than crease\n"
                 "degrees."),
    {NULL, NULL, 0, NULL},
};

const binding_part binding_files = {.name = "files", .functions = functions};
