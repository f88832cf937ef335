/* Meshes from arrays: points, and polygons of one size or of many. */
#include <string.h>

#include "binding.h"

/* Points and corners are copied, because the library reads them without the GIL: another thread may change the arrays
 * after their indices were checked. */

static int get_points(binding_state *state, PyObject *vertices, binding_mesh *out)
{
    if (binding_array_get(state, vertices, "vertices", BINDING_POINTS, true, &out->points)) {
        return -1;
    }
    const binding_array *points = &out->points;
    const bool is_empty = points->item_count == 0;
    if (!is_empty && (points->dimension_count != 2 || points->shape[1] != 3)) {
        PyErr_SetString(PyExc_ValueError, "vertices: expected an array of shape (n, 3)");
        return -1;
    }
    out->mesh.points = points->is_float ? NULL : points->data;
    out->mesh.points_float = points->is_float ? points->data : NULL;
    out->mesh.point_count = points->item_count / 3;
    return 0;
}

static uint32_t *allocate_words(size_t count)
{
    uint32_t *words = calloc(count ? count : 1, sizeof *words);
    if (!words) {
        PyErr_NoMemory();
    }
    return words;
}

/* ---- Polygons as rows ---- */

/* Rows of three corners have no room for -1. */
static int check_triangles(const binding_array *rows)
{
    const uint32_t *corners = rows->data;
    for (size_t i = 0; i < rows->item_count; i++) {
        if (corners[i] == UINT32_MAX) {
            PyErr_Format(PyExc_ValueError, "faces: a corner of triangle %zu is -1", i / 3);
            return -1;
        }
    }
    return 0;
}

/* Corners of the polygons, which -1 may end early. */
static int pack_rows(binding_mesh *out, size_t count, size_t width)
{
    const uint32_t *rows = out->indices.data;
    out->polygon_sizes = allocate_words(count);
    out->corners = out->polygon_sizes ? allocate_words(count * width) : NULL;
    if (!out->corners) {
        return -1;
    }
    size_t used = 0;
    for (size_t i = 0; i < count; i++, rows += width) {
        uint32_t size = 0;
        while (size < width && rows[size] != UINT32_MAX) {
            out->corners[used++] = rows[size++];
        }
        for (size_t k = size; k < width; k++) {
            if (rows[k] != UINT32_MAX) {
                PyErr_Format(PyExc_ValueError, "faces: row %zu has a corner after -1, which ends a polygon", i);
                return -1;
            }
        }
        out->polygon_sizes[i] = size;
    }
    out->mesh.indices = out->corners;
    out->mesh.index_count = used;
    out->mesh.polygon_sizes = out->polygon_sizes;
    out->mesh.polygon_count = count;
    return 0;
}

static int get_rows(binding_state *state, PyObject *faces, binding_mesh *out)
{
    if (binding_array_get(state, faces, "faces", BINDING_PADDED, true, &out->indices)) {
        return -1;
    }
    const binding_array *rows = &out->indices;
    if (rows->item_count == 0) {
        out->mesh.indices = rows->data;
        return 0;
    }
    if (rows->dimension_count != 2) {
        PyErr_SetString(PyExc_ValueError, "faces: expected an array of shape (m, k), a list of polygons, or a flat "
                                          "array with sizes=");
        return -1;
    }
    if (rows->shape[1] == 3) {
        out->mesh.indices = rows->data;
        out->mesh.index_count = rows->item_count;
        return check_triangles(rows);
    }
    return pack_rows(out, (size_t)rows->shape[0], (size_t)rows->shape[1]);
}

/* ---- Polygons as a list ---- */

/* Other exceptions, such as Ctrl-C in a method of the polygon, pass. */
static int fail_polygon(const char *format, Py_ssize_t polygon, PyObject *corner)
{
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Format(corner ? PyExc_ValueError : PyExc_TypeError, format, polygon, corner);
    }
    return -1;
}

static int count_corners(PyObject *polygons, uint32_t *sizes, size_t *total)
{
    const Py_ssize_t count = PyTuple_Size(polygons);
    *total = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const Py_ssize_t size = PyObject_Size(PyTuple_GetItem(polygons, i));
        if (size < 0 || size > INT32_MAX) {
            return fail_polygon("faces: polygon %zd is not a sequence of corners", i, NULL);
        }
        sizes[i] = (uint32_t)size;
        *total += (size_t)size;
    }
    return 0;
}

static int read_corner(PyObject *corner, Py_ssize_t polygon, uint32_t *out)
{
    PyObject *number = PyNumber_Index(corner);
    const unsigned long value = number ? PyLong_AsUnsignedLong(number) : 0;
    Py_XDECREF(number);
    if (PyErr_Occurred() || value >= UINT32_MAX) {
        return fail_polygon("faces: polygon %zd has the corner %R, which is not the number of a vertex", polygon,
                            corner);
    }
    *out = (uint32_t)value;
    return 0;
}

/* A polygon that changed its length since it was counted must not write beyond the array. */
static int read_polygon(PyObject *polygon, Py_ssize_t number, uint32_t size, uint32_t *corners)
{
    PyObject *tuple = PySequence_Tuple(polygon);
    if (!tuple) {
        return -1;
    }
    int result = 0;
    if (PyTuple_Size(tuple) != (Py_ssize_t)size) {
        PyErr_Format(PyExc_RuntimeError, "faces: polygon %zd changed while it was read", number);
        result = -1;
    }
    for (uint32_t i = 0; !result && i < size; i++) {
        result = read_corner(PyTuple_GetItem(tuple, (Py_ssize_t)i), number, &corners[i]);
    }
    Py_DECREF(tuple);
    return result;
}

static int read_list(PyObject *polygons, binding_mesh *out)
{
    const size_t count = (size_t)PyTuple_Size(polygons);
    size_t total;
    out->polygon_sizes = allocate_words(count);
    if (!out->polygon_sizes || count_corners(polygons, out->polygon_sizes, &total)) {
        return -1;
    }
    out->corners = allocate_words(total);
    if (!out->corners) {
        return -1;
    }
    uint32_t *corners = out->corners;
    for (size_t i = 0; i < count; i++) {
        if (read_polygon(PyTuple_GetItem(polygons, (Py_ssize_t)i), (Py_ssize_t)i, out->polygon_sizes[i], corners)) {
            return -1;
        }
        corners += out->polygon_sizes[i];
    }
    out->mesh.indices = out->corners;
    out->mesh.index_count = total;
    out->mesh.polygon_sizes = out->polygon_sizes;
    out->mesh.polygon_count = count;
    return 0;
}

/* A copy that nobody can change while polygons are read, whose methods may be Python code. */
static int get_list(PyObject *faces, binding_mesh *out)
{
    PyObject *polygons = PySequence_Tuple(faces);
    const int result = polygons ? read_list(polygons, out) : -1;
    Py_XDECREF(polygons);
    return result;
}

/* ---- A flat array and sizes ---- */

static int get_flat(binding_state *state, PyObject *faces, PyObject *sizes, binding_mesh *out)
{
    if (binding_array_get(state, faces, "faces", BINDING_INDICES, true, &out->indices) ||
        binding_array_get(state, sizes, "sizes", BINDING_INDICES, true, &out->sizes)) {
        return -1;
    }
    if (out->indices.dimension_count != 1 || out->sizes.dimension_count != 1) {
        PyErr_SetString(PyExc_ValueError, "faces and sizes: expected two arrays of one dimension");
        return -1;
    }
    out->mesh.indices = out->indices.data;
    out->mesh.index_count = out->indices.item_count;
    out->mesh.polygon_sizes = out->sizes.data;
    out->mesh.polygon_count = out->sizes.item_count;
    return 0;
}

/* ---- All of it ---- */

static size_t polygons_of(const tumble_mesh *mesh)
{
    return mesh->polygon_sizes ? mesh->polygon_count : mesh->index_count / 3;
}

static int get_surfaces(binding_state *state, PyObject *surfaces, binding_mesh *out)
{
    if (!surfaces || surfaces == Py_None) {
        return 0;
    }
    if (binding_array_get(state, surfaces, "surfaces", BINDING_INDICES, true, &out->surfaces)) {
        return -1;
    }
    const size_t count = polygons_of(&out->mesh);
    if (out->surfaces.dimension_count != 1 || out->surfaces.item_count != count) {
        PyErr_Format(PyExc_ValueError, "surfaces: expected an array of %zu numbers, one per polygon", count);
        return -1;
    }
    out->mesh.surface_ids = out->surfaces.data;
    return 0;
}

static int repeat_radius(double radius, binding_mesh *out)
{
    const size_t count = polygons_of(&out->mesh);
    out->equal_radii = malloc((count + 1) * sizeof *out->equal_radii);
    if (!out->equal_radii) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        out->equal_radii[i] = radius;
    }
    out->mesh.radii = out->equal_radii;
    return 0;
}

static int get_radii(binding_state *state, PyObject *radius, binding_mesh *out)
{
    double number = 0;
    if (!radius || radius == Py_None) {
        return 0;
    }
    if (!PySequence_Check(radius)) {
        return binding_double(radius, "radius", &number) || repeat_radius(number, out) ? -1 : 0;
    }
    if (binding_array_get(state, radius, "radius", BINDING_DOUBLES, true, &out->radii)) {
        return -1;
    }
    const size_t count = polygons_of(&out->mesh);
    if (out->radii.dimension_count != 1 || out->radii.item_count != count) {
        PyErr_Format(PyExc_ValueError, "radius: expected a number, or an array of %zu, one per polygon", count);
        return -1;
    }
    out->mesh.radii = out->radii.data;
    return 0;
}

static int get_faces(binding_state *state, PyObject *faces, PyObject *sizes, binding_mesh *out)
{
    if (sizes && sizes != Py_None) {
        return get_flat(state, faces, sizes, out);
    }
    return PyList_Check(faces) || PyTuple_Check(faces) ? get_list(faces, out) : get_rows(state, faces, out);
}

int binding_mesh_get(binding_state *state, PyObject *vertices, PyObject *faces, PyObject *sizes, PyObject *surfaces,
                     PyObject *radius, binding_mesh *out)
{
    memset(out, 0, sizeof *out);
    out->mesh = tumble_default_mesh();
    if (get_points(state, vertices, out) || get_faces(state, faces, sizes, out) || get_surfaces(state, surfaces, out) ||
        get_radii(state, radius, out)) {
        binding_mesh_release(out);
        return -1;
    }
    return 0;
}

void binding_mesh_release(binding_mesh *mesh)
{
    binding_array_release(&mesh->points);
    binding_array_release(&mesh->indices);
    binding_array_release(&mesh->sizes);
    binding_array_release(&mesh->surfaces);
    binding_array_release(&mesh->radii);
    free(mesh->equal_radii);
    free(mesh->polygon_sizes);
    free(mesh->corners);
    memset(mesh, 0, sizeof *mesh);
}
