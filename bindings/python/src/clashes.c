/* The type of clashes: what a run found, read item by item or as one array. */
#include <math.h>
#include <string.h>

#include "clashes.h"

typedef struct clashes_object {
    PyObject_HEAD tumble_clashes *clashes;
    tumble_clash_rules *rules;
    PyObject *assembly;
} clashes_object;

static const tumble_clash_result *result_of(PyObject *self)
{
    return tumble_clashes_result(((clashes_object *)self)->clashes);
}

PyObject *binding_clashes_wrap(binding_state *state, tumble_clashes *clashes, tumble_clash_rules *rules,
                               PyObject *assembly)
{
    PyTypeObject *type = (PyTypeObject *)state->types[BINDING_TYPE_CLASHES];
    const allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = allocate(type, 0);
    if (!self) {
        tumble_clashes_destroy(clashes);
        tumble_clash_rules_destroy(rules);
        return NULL;
    }
    ((clashes_object *)self)->clashes = clashes;
    ((clashes_object *)self)->rules = rules;
    ((clashes_object *)self)->assembly = Py_NewRef(assembly);
    return self;
}

/* ---- All at once ---- */

static int64_t number_or_none(uint32_t number)
{
    return number == UINT32_MAX ? -1 : (int64_t)number;
}

static void fill_row(const tumble_clash *clash, binding_clash *row)
{
    row->kind = (uint32_t)clash->kind;
    row->severity = (uint32_t)clash->severity;
    row->change = (uint32_t)clash->change;
    row->inside = (uint32_t)clash->inside;
    row->a = number_or_none(clash->a);
    row->b = number_or_none(clash->b);
    row->rule = number_or_none(clash->rule);
    row->group = number_or_none(clash->group);
    for (int i = 0; i < 2; i++) {
        row->depth[i] = clash->has_depth ? clash->depth[i] : NAN;
    }
    row->distance = clash->distance;
    memcpy(row->point, clash->point, sizeof row->point);
    memcpy(row->nearest, clash->nearest, sizeof row->nearest);
    memcpy(row->normal, clash->normal, sizeof row->normal);
    memcpy(row->box, clash->box, sizeof row->box);
    row->contact_count = clash->contact_count;
}

static PyObject *get_table(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of_object(self);
    const tumble_clash_result *result = result_of(self);
    const Py_ssize_t count = (Py_ssize_t)result->clash_count;
    void *rows = NULL;
    PyObject *array = state ? binding_new_array(state, BINDING_CLASH, 1, &count, &rows) : NULL;
    for (Py_ssize_t i = 0; array && i < count; i++) {
        fill_row(&result->clashes[i], (binding_clash *)rows + i);
    }
    return array;
}

/* ---- One clash ---- */

static PyObject *segments_of(binding_state *state, const tumble_clash *clash)
{
    const Py_ssize_t shape[3] = {(Py_ssize_t)clash->segment_count, 2, 3};
    return binding_array_of(state, BINDING_FLOAT64, 3, shape, clash->segments);
}

/* (id, key_a, key_b, review, comment, reason, segments): what the table does not have. */
static PyObject *get_clash(PyObject *self, PyObject *object)
{
    binding_state *state = binding_state_of_object(self);
    const tumble_clash_result *result = result_of(self);
    uint64_t number = 0;
    if (!state || binding_size(object, "number", &number)) {
        return NULL;
    }
    if (number >= result->clash_count) {
        return PyErr_Format(PyExc_IndexError, "there are %zu clashes", result->clash_count);
    }
    const tumble_clash *clash = &result->clashes[number];
    const char *const texts[] = {clash->id, clash->key_a, clash->key_b, clash->review, clash->comment, clash->reason};
    PyObject *tuple = PyTuple_New(7);
    for (Py_ssize_t i = 0; tuple && i < 7; i++) {
        PyObject *item = i < 6 ? binding_text(texts[i]) : segments_of(state, clash);
        if (!item || PyTuple_SetItem(tuple, i, item)) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

static Py_ssize_t length(PyObject *self)
{
    return (Py_ssize_t)result_of(self)->clash_count;
}

/* ---- Groups, rules, facts ---- */

static PyObject *group_tuple(binding_state *state, const tumble_clash_group *group)
{
    const Py_ssize_t count = (Py_ssize_t)group->clash_count;
    void *data = NULL;
    PyObject *name = binding_text(group->name);
    PyObject *numbers = name ? binding_new_array(state, BINDING_INT64, 1, &count, &data) : NULL;
    for (Py_ssize_t i = 0; numbers && i < count; i++) {
        ((int64_t *)data)[i] = group->clashes[i];
    }
    PyObject *result = numbers ? Py_BuildValue("sOLiO", group->id, name, (long long)number_or_none(group->part),
                                               (int)group->severity, numbers)
                               : NULL;
    Py_XDECREF(name);
    Py_XDECREF(numbers);
    return result;
}

static PyObject *rule_tuple(const tumble_clash_rule_view *rule)
{
    PyObject *name = binding_text(rule->name);
    PyObject *result =
        name ? Py_BuildValue("OddiKK(KK)", name, rule->clearance, rule->touch, (int)rule->severity,
                             (unsigned long long)rule->pair_count, (unsigned long long)rule->clash_count,
                             (unsigned long long)rule->set_counts[0], (unsigned long long)rule->set_counts[1])
             : NULL;
    Py_XDECREF(name);
    return result;
}

static PyObject *get_groups(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of_object(self);
    const tumble_clash_result *result = result_of(self);
    PyObject *list = state ? PyList_New(0) : NULL;
    for (size_t i = 0; list && i < result->group_count; i++) {
        PyObject *tuple = group_tuple(state, &result->groups[i]);
        if (!tuple || PyList_Append(list, tuple)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(tuple);
    }
    return list;
}

static PyObject *get_rules(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    const tumble_clash_result *result = result_of(self);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < result->rule_count; i++) {
        PyObject *tuple = rule_tuple(&result->rules[i]);
        if (!tuple || PyList_Append(list, tuple)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(tuple);
    }
    return list;
}

/* (complete, part_count, metres, up, grouping, pair_count, known_count, question_count, seconds). */
static PyObject *get_facts(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    const tumble_clash_result *result = result_of(self);
    return Py_BuildValue("OndiiKKKd", result->complete ? Py_True : Py_False, (Py_ssize_t)result->part_count,
                         result->metres, result->up, (int)result->grouping, (unsigned long long)result->pair_count,
                         (unsigned long long)result->known_count, (unsigned long long)result->question_count,
                         result->seconds);
}

static PyObject *write_json(PyObject *self, PyObject *object)
{
    binding_state *state = binding_state_of_object(self);
    PyObject *path = state ? binding_path(object) : NULL;
    if (!path) {
        return NULL;
    }
    const char *name = PyBytes_AsString(path);
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_clash_write_json(state->context, result_of(self), name);
    PyEval_RestoreThread(thread);
    PyObject *result = status == TUMBLE_OK ? Py_NewRef(Py_None) : binding_raise_last(state, status, name);
    Py_DECREF(path);
    return result;
}

/* ---- Life ---- */

/* The clashes go before their assembly does, so that is never cleared. */
static int clashes_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((clashes_object *)self)->assembly);
    return 0;
}

static void clashes_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyObject_GC_UnTrack(self);
    tumble_clashes_destroy(((clashes_object *)self)->clashes);
    tumble_clash_rules_destroy(((clashes_object *)self)->rules);
    Py_XDECREF(((clashes_object *)self)->assembly);
    release(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"clash", get_clash, METH_O, NULL},
    {"groups", get_groups, METH_NOARGS, NULL},
    {"rules", get_rules, METH_NOARGS, NULL},
    {"facts", get_facts, METH_NOARGS, NULL},
    {"table", get_table, METH_NOARGS, NULL},
    {"write_json", write_json, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, clashes_dealloc},
    {Py_tp_traverse, clashes_traverse},
    {Py_tp_methods, methods},
    {Py_sq_length, length},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "tumble._tumble.Clashes",
    .basicsize = sizeof(clashes_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

static int add(PyObject *module, binding_state *state)
{
    (void)state;
    return binding_add_type(module, BINDING_TYPE_CLASHES, &spec, NULL);
}

const binding_part binding_clashes = {.name = "clashes", .add = add};
