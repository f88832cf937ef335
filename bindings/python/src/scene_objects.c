/* Objects of scenes: adding, removing, moving, and pairs that are not compared. */
#include <string.h>

#include "scenes.h"

/* ---- Models of objects ---- */

/* One object more, or less, of a model that can be edited. */
static int count_editable(binding_scene *s, PyObject *model, long change)
{
    PyObject *key = PyLong_FromVoidPtr(model);
    PyObject *known = key ? PyDict_GetItemWithError(s->editable, key) : NULL;
    const long count = (known ? PyLong_AsLong(known) : 0) + change;
    int failed = !key || PyErr_Occurred();
    if (!failed && count == 0) {
        failed = PyDict_DelItem(s->editable, key);
    } else if (!failed) {
        PyObject *value = PyLong_FromLong(count);
        failed = !value || PyDict_SetItem(s->editable, key, value);
        Py_XDECREF(value);
    }
    Py_XDECREF(key);
    return failed ? -1 : 0;
}

static int reserve_slots(binding_scene *s, size_t count)
{
    if (count <= s->slot_count) {
        return 0;
    }
    const size_t grown = count > 2 * s->slot_count ? count : 2 * s->slot_count;
    scene_slot *slots = PyMem_Realloc(s->slots, grown * sizeof *slots);
    if (!slots) {
        PyErr_NoMemory();
        return -1;
    }
    memset(slots + s->slot_count, 0, (grown - s->slot_count) * sizeof *slots);
    s->slots = slots;
    s->slot_count = grown;
    return 0;
}

/* The model of an object that was removed; its reference is now the caller's. */
static PyObject *take_model(binding_state *state, binding_scene *s, uint32_t index)
{
    PyObject *model = s->slots[index].model;
    s->slots[index].model = NULL;
    s->object_count--;
    if (binding_scene_is_editable(state, model) && count_editable(s, model, -1)) {
        PyErr_Clear();
    }
    return model;
}

/* ---- Adding ---- */

/* The arguments of _add: everything for `count` parts. */
typedef struct parts_arguments {
    PyObject *models; /* a tuple that nobody else has: one model, or one per part */
    binding_poses_view poses;
    Py_buffer groups, masks, clearances, radii, users, actives;
    size_t count;
} parts_arguments;

static void release_arguments(parts_arguments *a)
{
    Py_buffer *const buffers[] = {&a->groups, &a->masks, &a->clearances, &a->radii, &a->users, &a->actives};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        if (buffers[i]->obj) {
            PyBuffer_Release(buffers[i]);
        }
    }
    binding_poses_release(&a->poses);
    Py_XDECREF(a->models);
}

static int read_columns(PyObject *const *columns, parts_arguments *a)
{
    const Py_ssize_t count = (Py_ssize_t)a->count;
    return binding_scene_items(columns[0], "group", sizeof(uint32_t), count, &a->groups) ||
                   binding_scene_items(columns[1], "mask", sizeof(uint32_t), count, &a->masks) ||
                   binding_scene_items(columns[2], "clearance", sizeof(double), count, &a->clearances) ||
                   binding_scene_items(columns[3], "radius", sizeof(double), count, &a->radii) ||
                   binding_scene_items(columns[4], "user", sizeof(uint64_t), count, &a->users) ||
                   binding_scene_items(columns[5], "active", 1, count, &a->actives)
               ? -1
               : 0;
}

static int read_parts(binding_state *state, PyObject *arguments, parts_arguments *a)
{
    PyObject *models, *poses, *columns[6];
    if (!PyArg_ParseTuple(arguments, "OOOOOOOO:_add", &models, &poses, &columns[0], &columns[1], &columns[2],
                          &columns[3], &columns[4], &columns[5])) {
        return -1;
    }
    a->models = PySequence_Tuple(models);
    const size_t model_count = a->models ? (size_t)PyTuple_Size(a->models) : 0;
    if (!a->models || binding_poses_get(state, poses, "poses", &a->poses)) {
        return -1;
    }
    a->count = a->poses.poses ? a->poses.count : model_count;
    if (model_count != 1 && model_count != a->count) {
        PyErr_Format(PyExc_ValueError, "%zu models and %zu poses: expected one of either, or as many", model_count,
                     a->count);
        return -1;
    }
    return read_columns(columns, a);
}

static PyObject *model_at(const parts_arguments *a, size_t number)
{
    return PyTuple_GetItem(a->models, PyTuple_Size(a->models) == 1 ? 0 : (Py_ssize_t)number);
}

static tumble_part *make_parts(binding_state *state, const parts_arguments *a)
{
    tumble_part *parts = PyMem_Malloc((a->count ? a->count : 1) * sizeof *parts);
    if (!parts) {
        PyErr_NoMemory();
    }
    for (size_t i = 0; parts && i < a->count; i++) {
        binding_model *model = binding_model_of(state, model_at(a, i), "model");
        if (!model) {
            PyMem_Free(parts);
            return NULL;
        }
        parts[i] = tumble_default_part();
        parts[i].model = model->model;
        if (a->poses.poses) {
            parts[i].pose = a->poses.poses[i];
        }
        parts[i].group = ((const uint32_t *)a->groups.buf)[i];
        parts[i].mask = ((const uint32_t *)a->masks.buf)[i];
        parts[i].clearance = ((const double *)a->clearances.buf)[i];
        parts[i].radius = ((const double *)a->radii.buf)[i];
        parts[i].user = ((const uint64_t *)a->users.buf)[i];
        parts[i].is_inactive = !((const char *)a->actives.buf)[i];
    }
    return parts;
}

static int hold_models(binding_state *state, binding_scene *s, const parts_arguments *a)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(a->models); i++) {
        if (binding_scene_hold(state, s, PyTuple_GetItem(a->models, i))) {
            return -1;
        }
    }
    return 0;
}

/* The objects' models stay alive from here on. Memory for the slots is there. */
static int keep_models(binding_state *state, binding_scene *s, const parts_arguments *a, const tumble_object *objects)
{
    int failed = 0;
    for (size_t i = 0; i < a->count; i++) {
        PyObject *model = model_at(a, i);
        Py_INCREF(model);
        s->slots[objects[i].index].model = model;
        s->object_count++;
        failed |= binding_scene_is_editable(state, model) && count_editable(s, model, 1);
    }
    return failed ? -1 : 0;
}

static PyObject *add_parts(binding_state *state, binding_scene *s, const parts_arguments *a, const tumble_part *parts)
{
    const Py_ssize_t shape[1] = {(Py_ssize_t)a->count};
    void *objects;
    PyObject *out = binding_new_array(state, BINDING_UINT64, 1, shape, &objects);
    /* Indices are below the largest number of objects that the scene ever had, and these. */
    if (!out || hold_models(state, s, a) || reserve_slots(s, s->most_objects + a->count)) {
        Py_XDECREF(out);
        binding_scene_end(state, s);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_scene_add(s->scene, parts, a->count, objects);
    PyEval_RestoreThread(thread);
    if (status != TUMBLE_OK) {
        Py_DECREF(out);
        return binding_scene_fail(state, s, status);
    }
    if (keep_models(state, s, a, objects)) {
        Py_CLEAR(out);
    }
    s->most_objects = s->object_count > s->most_objects ? s->object_count : s->most_objects;
    binding_scene_end(state, s);
    return out;
}

PyObject *binding_scene_add(PyObject *self, PyObject *arguments)
{
    parts_arguments a = {0};
    binding_state *state = binding_state_of_object(self);
    tumble_part *parts = state && read_parts(state, arguments, &a) == 0 ? make_parts(state, &a) : NULL;
    binding_scene *s = parts ? binding_scene_begin(state, self) : NULL;
    PyObject *out = s ? add_parts(state, s, &a, parts) : NULL;
    PyMem_Free(parts);
    release_arguments(&a);
    return out;
}

/* ---- Removing, moving ---- */

/* A call with handles, and what else it needs. */
typedef struct handles_call {
    binding_state *state;
    binding_scene *s;
    tumble_object *objects; /* a copy: another thread, or a method of an argument, could change the handles */
    size_t count;
} handles_call;

static int copy_handles(PyObject *handles, handles_call *call)
{
    Py_buffer view;
    if (binding_scene_objects(handles, &view, &call->count)) {
        return -1;
    }
    call->objects = PyMem_Malloc(view.len ? (size_t)view.len : 1);
    if (call->objects) {
        memcpy(call->objects, view.buf, (size_t)view.len);
    } else {
        PyErr_NoMemory();
    }
    PyBuffer_Release(&view);
    return call->objects ? 0 : -1;
}

static int begin_handles(PyObject *self, PyObject *handles, handles_call *call)
{
    call->state = binding_state_of_object(self);
    if (!call->state || copy_handles(handles, call)) {
        return -1;
    }
    call->s = binding_scene_begin(call->state, self);
    if (!call->s) {
        PyMem_Free(call->objects);
    }
    return call->s ? 0 : -1;
}

static PyObject *end_handles(handles_call *call, tumble_status status)
{
    PyObject *out = NULL;
    if (status != TUMBLE_OK || PyErr_Occurred()) {
        out = binding_scene_fail(call->state, call->s, status);
    } else {
        binding_scene_end(call->state, call->s);
        out = Py_NewRef(Py_None);
    }
    PyMem_Free(call->objects);
    return out;
}

PyObject *binding_scene_remove(PyObject *self, PyObject *arguments)
{
    PyObject *handles;
    handles_call call = {0};
    if (!PyArg_ParseTuple(arguments, "O:_remove", &handles) || begin_handles(self, handles, &call)) {
        return NULL;
    }
    PyObject **models = PyMem_Malloc((call.count ? call.count : 1) * sizeof *models);
    tumble_status status = TUMBLE_ERROR_MEMORY;
    if (models) {
        status = tumble_scene_remove(call.s->scene, call.objects, call.count);
    }
    const size_t removed = status == TUMBLE_OK ? call.count : 0;
    for (size_t i = 0; i < removed; i++) {
        models[i] = take_model(call.state, call.s, call.objects[i].index);
    }
    PyObject *out = end_handles(&call, status);
    for (size_t i = 0; i < removed; i++) {
        Py_DECREF(models[i]); /* may run Python code, which may use the scene */
    }
    PyMem_Free(models);
    return out;
}

/* The poses are copied: another thread may change them during the call, after they were checked. */
PyObject *binding_scene_move(PyObject *self, PyObject *arguments)
{
    PyObject *handles, *poses;
    binding_poses_view view = {0};
    handles_call call = {0};
    binding_state *state = binding_state_of_object(self);
    if (!state || !PyArg_ParseTuple(arguments, "OO:_move", &handles, &poses) ||
        binding_poses_get(state, poses, "poses", &view) || begin_handles(self, handles, &call)) {
        binding_poses_release(&view);
        return NULL;
    }
    const size_t count = call.count;
    tumble_pose *copy = PyMem_Malloc((count ? count : 1) * sizeof *copy);
    tumble_status status = copy ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    if (!view.poses || view.count != count) {
        PyErr_Format(PyExc_ValueError, "poses: %zu are given for %zu objects", view.poses ? view.count : (size_t)0,
                     count);
    } else if (status == TUMBLE_OK) {
        PyThreadState *thread = PyEval_SaveThread();
        memcpy(copy, view.poses, count * sizeof *copy);
        status = tumble_scene_move(call.s->scene, call.objects, copy, count);
        PyEval_RestoreThread(thread);
    }
    PyMem_Free(copy);
    binding_poses_release(&view);
    return end_handles(&call, status);
}

PyObject *binding_scene_activate(PyObject *self, PyObject *arguments)
{
    PyObject *handles;
    int is_active;
    handles_call call = {0};
    if (!PyArg_ParseTuple(arguments, "Op:_activate", &handles, &is_active) || begin_handles(self, handles, &call)) {
        return NULL;
    }
    return end_handles(&call, tumble_scene_activate(call.s->scene, call.objects, call.count, is_active));
}

/* ---- All about one object ---- */

/* A tuple: model, pose, group, mask, clearance, radius, user, active. */
PyObject *binding_scene_get(PyObject *self, PyObject *arguments)
{
    unsigned long long handle;
    binding_state *state = binding_state_of_object(self);
    if (!state || !PyArg_ParseTuple(arguments, "K:_get", &handle)) {
        return NULL;
    }
    binding_scene *s = binding_scene_begin(state, self);
    if (!s) {
        return NULL;
    }
    tumble_object object;
    tumble_part part;
    const uint64_t bits = handle;
    memcpy(&object, &bits, sizeof object);
    const tumble_status status = tumble_scene_get(s->scene, object, &part);
    if (status != TUMBLE_OK) {
        return binding_scene_fail(state, s, status);
    }
    PyObject *out = Py_BuildValue("ONIIddKN", s->slots[object.index].model, binding_pose_array(state, &part.pose),
                                  part.group, part.mask, part.clearance, part.radius, (unsigned long long)part.user,
                                  PyBool_FromLong(!part.is_inactive));
    binding_scene_end(state, s);
    return out;
}

/* Numbers of a part that are given; None leaves them. */
static int change_part(binding_state *state, PyObject *const *values, tumble_part *part)
{
    uint64_t group = part->group, mask = part->mask;
    bool is_active = !part->is_inactive;
    if (binding_pose(state, values[0], "pose", &part->pose) < 0 || binding_size(values[1], "group", &group) ||
        binding_size(values[2], "mask", &mask) || binding_double(values[3], "clearance", &part->clearance) ||
        binding_double(values[4], "radius", &part->radius) || binding_size(values[5], "user", &part->user) ||
        binding_flag(values[6], "active", &is_active)) {
        return -1;
    }
    if (group > UINT32_MAX || mask > UINT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "group and mask have 32 bits");
        return -1;
    }
    part->group = (uint32_t)group;
    part->mask = (uint32_t)mask;
    part->is_inactive = !is_active;
    return 0;
}

/* The same values for all of the objects. */
PyObject *binding_scene_set(PyObject *self, PyObject *arguments)
{
    PyObject *handles, *values[7];
    handles_call call = {0};
    if (!PyArg_ParseTuple(arguments, "OOOOOOOO:_set", &handles, &values[0], &values[1], &values[2], &values[3],
                          &values[4], &values[5], &values[6]) ||
        begin_handles(self, handles, &call)) {
        return NULL;
    }
    tumble_part *parts = PyMem_Malloc((call.count ? call.count : 1) * sizeof *parts);
    tumble_status status = parts ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    for (size_t i = 0; status == TUMBLE_OK && i < call.count; i++) {
        status = tumble_scene_get(call.s->scene, call.objects[i], &parts[i]);
        if (status == TUMBLE_OK && change_part(call.state, values, &parts[i])) {
            status = TUMBLE_ERROR_ARGUMENT;
        }
    }
    if (status == TUMBLE_OK) {
        status = tumble_scene_set(call.s->scene, call.objects, parts, call.count);
    }
    PyMem_Free(parts);
    return end_handles(&call, status);
}

/* ---- Pairs that are not compared ---- */

PyObject *binding_scene_ignore(PyObject *self, PyObject *arguments)
{
    PyObject *handles;
    int is_ignored;
    handles_call call = {0};
    if (!PyArg_ParseTuple(arguments, "Op:_ignore", &handles, &is_ignored) || begin_handles(self, handles, &call)) {
        return NULL;
    }
    const tumble_object_pair *pairs = (const tumble_object_pair *)call.objects;
    return end_handles(&call, tumble_scene_ignore(call.s->scene, pairs, call.count / 2, is_ignored));
}

PyObject *binding_scene_ignore_groups(PyObject *self, PyObject *arguments)
{
    unsigned int groups_a, groups_b;
    int is_ignored;
    binding_state *state = binding_state_of_object(self);
    if (!state || !PyArg_ParseTuple(arguments, "IIp:_ignore_groups", &groups_a, &groups_b, &is_ignored)) {
        return NULL;
    }
    binding_scene *s = binding_scene_begin(state, self);
    if (!s) {
        return NULL;
    }
    const tumble_status status = tumble_scene_ignore_groups(s->scene, groups_a, groups_b, is_ignored);
    if (status != TUMBLE_OK) {
        return binding_scene_fail(state, s, status);
    }
    binding_scene_end(state, s);
    Py_RETURN_NONE;
}
