/* How far must two models be moved to part them? */
#include <string.h>

#include "single.h"

static const char *const names[] = {"a",      "b",      "pose_a", "pose_b",       "direction",  "touching",
                                    "within", "enough", "budget", "budget_tests", "directions", NULL};
enum {
    DIRECTION = 4,
    TOUCHING,
    WITHIN,
    ENOUGH,
    BUDGET,
    BUDGET_TESTS,
    DIRECTIONS,
    COUNT
};

static int read_options(binding_state *state, PyObject *const *values, tumble_separate_options *options)
{
    double seconds = 0;
    uint64_t directions = options->budget_directions;
    if ((values[DIRECTION] && values[DIRECTION] != Py_None &&
         binding_three(state, values[DIRECTION], "direction", options->direction)) ||
        binding_flag(values[TOUCHING], "touching", &options->touching) ||
        binding_double(values[WITHIN], "within", &options->within) ||
        binding_double(values[ENOUGH], "enough", &options->enough) ||
        binding_double(values[BUDGET], "budget", &seconds) ||
        binding_size(values[BUDGET_TESTS], "budget_tests", &options->budget_box_tests) ||
        binding_size(values[DIRECTIONS], "directions", &directions)) {
        return -1;
    }
    options->budget_microseconds = 1e6 * seconds;
    options->budget_directions = directions < UINT32_MAX ? (uint32_t)directions : UINT32_MAX;
    return 0;
}

static int is_along(const tumble_separate_options *options)
{
    return options->direction[0] != 0 || options->direction[1] != 0 || options->direction[2] != 0;
}

static PyObject *point_of(binding_state *state, const double point[3], bool is_known)
{
    const Py_ssize_t three = 3;
    return is_known ? binding_array_of(state, BINDING_FLOAT64, 1, &three, point) : Py_NewRef(Py_None);
}

static PyObject *number_of(double number, bool is_known)
{
    return is_known ? PyFloat_FromDouble(number) : Py_NewRef(Py_None);
}

/* The members of tumble.Separation in their order. An item that could not be made is NULL, with an exception. */
enum {
    MEMBERS = 16
};

static void make_members(binding_state *state, const tumble_separate_options *options, const tumble_separate_result *r,
                         PyObject *out[MEMBERS])
{
    const bool moves = r->upper < (double)INFINITY && r->upper > 0, along = is_along(options);
    const bool has_last = moves && r->last.polygon_a != TUMBLE_NO_POLYGON, is_deep = !along && r->lower > 0;
    PyObject *answers = binding_result_class(state, "Answer");
    PyObject **next = out;
    *next++ = answers ? PyObject_CallFunction(answers, "i", (int)r->answer) : NULL;
    *next++ = PyBool_FromLong(r->is_complete);
    *next++ = binding_relation(state, r->relation);
    *next++ = PyFloat_FromDouble(r->lower);
    *next++ = PyFloat_FromDouble(r->upper);
    *next++ = point_of(state, r->translation, r->upper < (double)INFINITY);
    *next++ = r->upper < (double)INFINITY ? binding_pose_array(state, &r->pose_b) : Py_NewRef(Py_None);
    *next++ = has_last ? Py_BuildValue("(kk)", (unsigned long)r->last.polygon_a, (unsigned long)r->last.polygon_b)
                       : Py_NewRef(Py_None);
    *next++ = point_of(state, r->normal, has_last);
    *next++ = number_of(r->lower_along, along);
    *next++ = number_of(r->upper_along, along);
    *next++ = along ? PyBool_FromLong(r->is_tight) : Py_NewRef(Py_None);
    *next++ = point_of(state, r->deepest, is_deep);
    *next++ = number_of(r->depth_a, is_deep);
    *next++ = number_of(r->depth_b, is_deep);
    *next++ = PyLong_FromUnsignedLong(r->direction_count);
    Py_XDECREF(answers);
}

static PyObject *separate_result(binding_state *state, const tumble_separate_options *options,
                                 const tumble_separate_result *r)
{
    PyObject *members[MEMBERS] = {NULL};
    make_members(state, options, r, members);
    PyObject *type = binding_result_class(state, "Separation"), *arguments = type ? PyTuple_New(MEMBERS) : NULL;
    int failed = !arguments;
    for (int i = 0; i < MEMBERS; i++) {
        failed |= !members[i];
        if (arguments) {
            PyTuple_SetItem(arguments, i, members[i]); /* takes the reference */
        } else {
            Py_XDECREF(members[i]);
        }
    }
    PyObject *result = failed ? NULL : PyObject_CallObject(type, arguments);
    Py_XDECREF(type);
    Py_XDECREF(arguments);
    return result;
}

static PyObject *separate(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[COUNT];
    tumble_separate_options options = tumble_default_separate_options();
    tumble_separate_result r;
    binding_question question;
    const binding_question *q = &question;
    if (binding_arguments("separate", names, 4, 2, arguments, count, keywords, values) ||
        read_options(binding_state_of(self), values, &options) || binding_question_begin(&question, self, values)) {
        return NULL;
    }
    binding_question_run(&question);
    const tumble_status status =
        tumble_separate(q->query, q->a->model, q->pose_a, q->b->model, q->pose_b, &options, &r);
    PyObject *result = NULL;
    if (binding_question_ran(&question) == 0) {
        result =
            status == TUMBLE_OK ? separate_result(q->state, &options, &r) : binding_question_raise(&question, status);
    }
    binding_question_end(&question, status == TUMBLE_OK ? &r.counters : NULL);
    return result;
}

static PyMethodDef functions[] = {
    {"separate", (PyCFunction)(void (*)(void))separate, METH_FASTCALL | METH_KEYWORDS,
     "separate(a, b, pose_a=None, pose_b=None, *, direction=None, touching=False, within=None, enough=0.0, "
     "budget=None, budget_tests=0, directions=40)\n--\n\n"
     "The shortest translation of b that parts it from a, as a tumble.Separation: the depth is between lower and "
     "upper, and at\npose_b the models are apart, which is proven. direction: along this one only, exactly; None: in "
     "any, for which both must\nbe closed. touching: they may touch afterwards. Longer moves than within do not count; "
     "one that is not longer than enough\nis good enough. budget (seconds), budget_tests and directions limit the "
     "work.\n\n"
     ">>> import tumble\n"
     ">>> tetrahedron = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
     "...                            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
     ">>> found = tumble.separate(tetrahedron, tetrahedron, None, tumble.pose((0.25, 0.25, 0.25)))\n"
     ">>> round(found.upper, 6), found.normal.round(3).tolist()\n"
     "(0.144338, [0.577, 0.577, 0.577])\n"},
    {NULL, NULL, 0, NULL},
};

const binding_part binding_separations = {.name = "separations", .functions = functions};
