/* What a model knows about itself. */
#include <string.h>

#include "model.h"

/* Takes a pass over the triangles, so the GIL is released, and what is found is kept. -1 with an exception. */
static int get_info(PyObject *self, tumble_model_info *info)
{
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    if (!state || binding_model_begin(state, data)) {
        return -1;
    }
    tumble_status status = TUMBLE_OK;
    if (data->has_info) {
        *info = data->info;
    } else {
        PyThreadState *thread = PyEval_SaveThread();
        status = tumble_model_get_info(data->model, info);
        PyEval_RestoreThread(thread);
        data->info = *info;
        data->has_info = status == TUMBLE_OK;
    }
    binding_model_end(state, data);
    if (status != TUMBLE_OK) {
        binding_raise_last(state, status, NULL);
        return -1;
    }
    return 0;
}

Py_ssize_t binding_model_length(PyObject *self)
{
    tumble_model_info info;
    return get_info(self, &info) ? -1 : (Py_ssize_t)info.polygon_count;
}

static PyObject *get_closed(PyObject *self, void *closure)
{
    (void)closure;
    tumble_model_info info;
    return get_info(self, &info) ? NULL : PyBool_FromLong(info.closed);
}

static PyObject *get_bytes(PyObject *self, void *closure)
{
    (void)closure;
    tumble_model_info info;
    return get_info(self, &info) ? NULL : PyLong_FromUnsignedLongLong(info.total_bytes);
}

static PyObject *get_hierarchy(PyObject *self, void *closure)
{
    (void)closure;
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    if (!state || binding_model_begin(state, data)) {
        return NULL;
    }
    const tumble_hierarchy hierarchy = tumble_model_hierarchy(data->model);
    binding_model_end(state, data);
    return PyUnicode_FromString(tumble_hierarchy_name(hierarchy));
}

static PyObject *bounds_array(PyObject *self, const tumble_model_info *info)
{
    double bounds[2][3];
    memcpy(bounds[0], info->lower, sizeof info->lower);
    memcpy(bounds[1], info->upper, sizeof info->upper);
    return binding_array_of(binding_state_of_object(self), BINDING_FLOAT64, 2, (const Py_ssize_t[]){2, 3}, bounds);
}

static PyObject *get_radius(PyObject *self, void *closure)
{
    (void)closure;
    tumble_model_info info;
    return get_info(self, &info) ? NULL : PyFloat_FromDouble(info.radius);
}

static PyObject *get_flat_ends(PyObject *self, void *closure)
{
    (void)closure;
    tumble_model_info info;
    return get_info(self, &info) ? NULL : PyBool_FromLong(info.has_flat_ends);
}

static PyObject *get_bounds(PyObject *self, void *closure)
{
    (void)closure;
    tumble_model_info info;
    return get_info(self, &info) ? NULL : bounds_array(self, &info);
}

static PyObject *get_whole_info(PyObject *self, void *closure)
{
    (void)closure;
    tumble_model_info i;
    if (get_info(self, &i)) {
        return NULL;
    }
    PyObject *type = binding_result_class(binding_state_of_object(self), "ModelInfo");
    PyObject *result = NULL;
    if (type) {
        result = PyObject_CallFunction(
            type, "KKKKKNNNdN((ddd)(ddd))sKkKKd", (unsigned long long)i.polygon_count,
            (unsigned long long)i.triangle_count, (unsigned long long)i.point_count,
            (unsigned long long)i.surface_count, (unsigned long long)i.degenerate_count, PyBool_FromLong(i.closed),
            PyBool_FromLong(i.points_are_float), PyBool_FromLong(i.deformable), i.radius, PyBool_FromLong(i.has_radii),
            i.lower[0], i.lower[1], i.lower[2], i.upper[0], i.upper[1], i.upper[2], tumble_hierarchy_name(i.hierarchy),
            (unsigned long long)i.node_count, (unsigned long)i.depth, (unsigned long long)i.hierarchy_bytes,
            (unsigned long long)i.total_bytes, i.build_seconds);
        Py_DECREF(type);
    }
    return result;
}

static PyObject *get_tuning(PyObject *self, void *closure)
{
    (void)closure;
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    tumble_tuning tuning;
    if (!state || binding_model_begin(state, data)) {
        return NULL;
    }
    const tumble_status status = tumble_model_get_tuning(data->model, &tuning);
    binding_model_end(state, data);
    return status == TUMBLE_OK ? binding_tuning_mapping(&tuning) : binding_raise_last(state, status, NULL);
}

PyObject *binding_model_repr(PyObject *self)
{
    tumble_model_info info;
    if (get_info(self, &info)) {
        return NULL;
    }
    char text[300], radius[60] = "";
    if (info.radius > 0) {
        PyOS_snprintf(radius, sizeof radius, ", %s%.4g", info.has_radii ? "radii up to " : "radius ", info.radius);
    }
    PyOS_snprintf(text, sizeof text, "%llu polygon%s, %s, %s, [%.4g %.4g %.4g] to [%.4g %.4g %.4g]%s",
                  (unsigned long long)info.polygon_count, info.polygon_count == 1 ? "" : "s",
                  info.closed ? "closed" : "open", tumble_hierarchy_name(info.hierarchy), info.lower[0], info.lower[1],
                  info.lower[2], info.upper[0], info.upper[1], info.upper[2], radius);
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "__name__");
    PyObject *result = name ? PyUnicode_FromFormat("<tumble.%U: %s>", name, text) : NULL;
    Py_XDECREF(name);
    return result;
}

/* ---- Its triangles ---- */

static tumble_status copy_triangles(const tumble_model *model, size_t count, double (*corners)[3][3],
                                    uint32_t *polygons)
{
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; status == TUMBLE_OK && i < count; i++) {
        status = tumble_model_triangle(model, (uint32_t)i, corners[i], &polygons[i]);
    }
    return status;
}

static PyObject *triangles(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    tumble_model_info info;
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    if (get_info(self, &info) || binding_model_begin(state, data)) {
        return NULL;
    }
    const Py_ssize_t count = (Py_ssize_t)info.triangle_count;
    void *corners = NULL, *polygons = NULL;
    PyObject *corner_array = binding_new_array(state, BINDING_FLOAT64, 3, (const Py_ssize_t[]){count, 3, 3}, &corners);
    PyObject *polygon_array = corner_array ? binding_new_array(state, BINDING_UINT32, 1, &count, &polygons) : NULL;
    PyObject *result = NULL;
    if (polygon_array) {
        const tumble_status status = copy_triangles(data->model, (size_t)count, corners, polygons);
        result = status == TUMBLE_OK ? PyTuple_Pack(2, corner_array, polygon_array)
                                     : binding_raise_last(state, status, NULL);
    }
    binding_model_end(state, data);
    Py_XDECREF(corner_array);
    Py_XDECREF(polygon_array);
    return result;
}

/* The number of a polygon; what does not fit is out of range in any model. */
static int get_polygon(PyObject *number, uint32_t *out)
{
    uint64_t polygon = 0;
    if (binding_size(number, "polygon", &polygon)) {
        return -1;
    }
    *out = polygon < UINT32_MAX ? (uint32_t)polygon : UINT32_MAX;
    return 0;
}

static PyObject *surface_of(PyObject *self, PyObject *number)
{
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    uint32_t polygon, surface = 0;
    if (get_polygon(number, &polygon) || binding_model_begin(state, data)) {
        return NULL;
    }
    const tumble_status status = tumble_model_surface(data->model, polygon, &surface);
    binding_model_end(state, data);
    return status == TUMBLE_OK ? PyLong_FromUnsignedLong(surface) : binding_raise_last(state, status, NULL);
}

static PyObject *radius_of(PyObject *self, PyObject *number)
{
    binding_state *state = binding_state_of_object(self);
    binding_model *data = binding_model_data(self);
    uint32_t polygon;
    double radius = 0;
    if (get_polygon(number, &polygon) || binding_model_begin(state, data)) {
        return NULL;
    }
    const tumble_status status = tumble_model_radius(data->model, polygon, &radius);
    binding_model_end(state, data);
    return status == TUMBLE_OK ? PyFloat_FromDouble(radius) : binding_raise_last(state, status, NULL);
}

/* A picture for notebooks, drawn in Python. */
static PyObject *html(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    PyObject *module = PyImport_ImportModule("tumble._html");
    PyObject *text = module ? PyObject_CallMethod(module, "model_html", "(O)", self) : NULL;
    Py_XDECREF(module);
    return text;
}

PyGetSetDef binding_model_attributes[] = {
    {"bounds", get_bounds, NULL, "The least and the largest corner, as an array of shape (2, 3).", NULL},
    {"closed", get_closed, NULL, "Every edge has exactly two triangles, in opposite directions.", NULL},
    {"nbytes", get_bytes, NULL, "The size of everything that the model holds.", NULL},
    {"hierarchy", get_hierarchy, NULL, "The name of its hierarchy: 'wide' unless another was asked for.", NULL},
    {"radius", get_radius, NULL, "The radius of the polygons, or the largest: 0 if the model is thin.", NULL},
    {"flat_ends", get_flat_ends, NULL, "Whether the polygons are the axes of cylinders with flat ends.", NULL},
    {"info", get_whole_info, NULL, "All facts, as a tumble.ModelInfo.", NULL},
    {"tuning", get_tuning, NULL, "Options of its hierarchy, as far as the model remembers them: name to value.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyMethodDef binding_model_methods[] = {
    BINDING_FAST_CLASS("read", binding_model_read,
                       "read($type, path, *, crease=None, hierarchy='auto', threads=0, deformable=False, tuning=None, "
                       "radius=0.0)\n--\n\n"
                       "A model of a file: OBJ, OFF, STL, PLY, or a saved model.\n\n"
                       "crease: makes connected parts surfaces, parted where the surface bends by more degrees."),
    BINDING_FAST_CLASS(
        "parse", binding_model_parse,
        "parse($type, data, format=None, *, crease=None, hierarchy='auto', threads=0, deformable=False, "
        "tuning=None, radius=0.0)\n--\n\n"
        "A model of the bytes of a mesh file; format: 'obj', 'off', 'stl' or 'ply'; None: as they look."),
    BINDING_FAST_CLASS(
        "load", binding_model_load,
        "load($type, path)\n--\n\nA saved model, mapped into memory: the file must not change meanwhile."),
    BINDING_FAST("save", binding_model_save,
                 "save($self, path)\n--\n\nSaves the model with its hierarchy, under a temporary name at first."),
    BINDING_FAST_CLASS(
        "from_block", binding_model_from_block,
        "from_block($type, block)\n--\n\nA model of the bytes of another: bytes(model) or memoryview(model)."),
    BINDING_FAST_CLASS("ball", binding_solid_ball,
                       "ball($type, centre, radius, *, hierarchy='auto', threads=0, tuning=None)\n--\n\n"
                       "A solid ball: exact, of one polygon that is a point."),
    BINDING_FAST_CLASS("balls", binding_solid_balls,
                       "balls($type, centres, radii, *, hierarchy='auto', threads=0, tuning=None)\n--\n\n"
                       "Balls with radii of their own; polygon i is ball i."),
    BINDING_FAST_CLASS("capsule", binding_solid_capsule,
                       "capsule($type, a, b, radius, *, hierarchy='auto', threads=0, tuning=None)\n--\n\n"
                       "Everything within the radius of the segment from a to b."),
    BINDING_FAST_CLASS(
        "cylinder", binding_solid_cylinder,
        "cylinder($type, a, b, radius, *, hierarchy='auto', threads=0, tuning=None)\n--\n\n"
        "The cylinder with flat ends around the segment from a to b, without facets. It can be asked what it\n"
        "collides with, how far everything is, where rays hit it, and what is in it.\n\n"
        ">>> import tumble\n"
        ">>> tool = tumble.Model.cylinder([0, 0, 0], [0, 0, 10], 5)\n"
        ">>> part = tumble.Model.box([3, 4, 10], [9, 9, 12])\n"
        ">>> tumble.collide(tool, part), tumble.collide(tool, part, pose_b=tumble.pose((0, 0, 1e-9)))\n"
        "(True, False)\n"
        ">>> tumble.distance(tool, part, pose_b=tumble.pose((0, 0, 2))).value\n"
        "2.0\n"),
    BINDING_FAST_CLASS("cylinders", binding_solid_cylinders,
                       "cylinders($type, ends, radii, *, hierarchy='auto', threads=0, tuning=None)\n--\n\n"
                       "Cylinders with flat ends and radii of their own; ends (n, 2, 3). Polygon i is cylinder i."),
    BINDING_FAST_CLASS("box", binding_solid_box,
                       "box($type, lower, upper, radius=0.0, *, hierarchy='auto', threads=0, tuning=None)\n--\n\n"
                       "The surface of the box from lower to upper; with a radius, larger by that and rounded."),
    BINDING_FAST_CLASS("polyline", binding_solid_polyline,
                       "polyline($type, points, radius, *, hierarchy='auto', threads=0, tuning=None)\n--\n\n"
                       "What a ball sweeps along points (n, 3); polygon i is the segment from point i to the next.\n\n"
                       ">>> import tumble\n"
                       ">>> cable = tumble.Model.polyline([[0, 0, 0], [4, 0, 0], [4, 3, 0]], 0.25)\n"
                       ">>> cable\n"
                       "<tumble.Model: 2 polygons, open, wide, [0 0 0] to [4 3 0], radius 0.25>\n"
                       ">>> tumble.distance(cable, tumble.Model.ball([2, 2, 0], 0.5)).value\n"
                       "1.25\n"),
    BINDING_FAST("deformed", binding_model_deformed,
                 "deformed($self, vertices, faces=None, *, sizes=None)\n--\n\n"
                 "A model of the same polygons at new points, in a fraction of the time of a build.\n\n"
                 "The faces are those that the model was made of; a model made with deformable=True remembers them."),
    BINDING_PLAIN("editable", binding_model_editable, "editable($self)\n--\n\nAn EditableModel of the same polygons."),
    BINDING_PLAIN(
        "triangles", triangles,
        "triangles($self)\n--\n\nIts triangles, in its own order: corners (n, 3, 3), and their polygons (n,)."),
    {"surface_of", surface_of, METH_O, "surface_of($self, polygon, /)\n--\n\nThe surface of a polygon."},
    {"radius_of", radius_of, METH_O, "radius_of($self, polygon, /)\n--\n\nThe radius of a polygon."},
    {"__reduce_ex__", binding_model_reduce, METH_O, "Pickled as its block."},
    BINDING_PLAIN("_repr_html_", html, "A table and a picture for notebooks."),
    {NULL, NULL, 0, NULL},
};
