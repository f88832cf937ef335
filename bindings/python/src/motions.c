/* Models in motion: first contact, all contacts, clearance, and motions themselves, which Python sees as tumble.Motion
 * and tumble.Path. */
#include <string.h>

#include "single.h"
#include "ways.h"

/* ---- Questions ---- */

typedef struct motion_question {
    binding_question question;
    binding_way ways[2];
    tumble_path paths[2];
    bool along_path;
} motion_question;

static void release_ways(motion_question *m)
{
    binding_way_release(&m->ways[0]);
    binding_way_release(&m->ways[1]);
}

static int begin(motion_question *m, PyObject *self, PyObject *const *values)
{
    static const char *const names[] = {"motion_a", "motion_b"};
    binding_state *state = binding_state_of(self);
    PyObject *const models[4] = {values[0], values[1], NULL, NULL};
    memset(m->ways, 0, sizeof m->ways);
    for (int side = 0; side < 2; side++) {
        if (binding_way_get(state, values[2 + side], names[side], &m->ways[side])) {
            release_ways(m);
            return -1;
        }
        m->paths[side] = binding_way_path(&m->ways[side]);
    }
    m->along_path = m->ways[0].is_path || m->ways[1].is_path;
    if (binding_question_begin(&m->question, self, models)) {
        release_ways(m);
        return -1;
    }
    return 0;
}

static void end(motion_question *m, const tumble_counters *counters)
{
    binding_question_end(&m->question, counters);
    release_ways(m);
}

/* After the call of the library: 0, or -1 with an exception and everything released. */
static int ran(motion_question *m, tumble_status status)
{
    const int interrupted = binding_question_ran(&m->question);
    if (!interrupted && status == TUMBLE_OK) {
        return 0;
    }
    if (!interrupted) {
        binding_question_raise(&m->question, status);
    }
    end(m, NULL);
    return -1;
}

/* `begin` and `end` are for motions: a part of a path is a path. */
static int refuse_parts(const motion_question *m, double from, double to)
{
    if (m->along_path && (from != 0 || to != 1)) {
        PyErr_SetString(PyExc_ValueError, "begin, end: a part of a path is a tumble.Path of some of its pieces");
        return -1;
    }
    return 0;
}

/* ---- First contact ---- */

static const char *const first_names[] = {"a",     "b",   "motion_a", "motion_b",     "clearance", "tolerance",
                                          "begin", "end", "budget",   "budget_tests", NULL};
enum {
    CLEARANCE = 4,
    TOLERANCE,
    BEGIN,
    END,
    BUDGET,
    BUDGET_TESTS,
    FIRST_COUNT
};

static int read_first_options(PyObject *const *values, tumble_first_contact_options *options)
{
    double seconds = 0;
    if (binding_double(values[CLEARANCE], "clearance", &options->clearance) ||
        binding_double(values[TOLERANCE], "tolerance", &options->tolerance) ||
        binding_double(values[BEGIN], "begin", &options->begin) || binding_double(values[END], "end", &options->end) ||
        binding_double(values[BUDGET], "budget", &seconds) ||
        binding_size(values[BUDGET_TESTS], "budget_tests", &options->budget_box_tests)) {
        return -1;
    }
    options->budget_microseconds = 1e6 * seconds;
    return 0;
}

/* None if there is nothing. */
static PyObject *pair_of(const tumble_near *near, bool is_known)
{
    return is_known ? Py_BuildValue("(kk)", (unsigned long)near->polygon_a, (unsigned long)near->polygon_b)
                    : Py_NewRef(Py_None);
}

static PyObject *points_of(binding_state *state, const tumble_near *near, bool is_known)
{
    double points[2][3];
    memcpy(points[0], near->point_a, sizeof points[0]);
    memcpy(points[1], near->point_b, sizeof points[1]);
    return is_known ? binding_array_of(state, BINDING_FLOAT64, 2, (const Py_ssize_t[]){2, 3}, points)
                    : Py_NewRef(Py_None);
}

static PyObject *first_result(binding_state *state, const tumble_first_contact_result *r)
{
    PyObject *answers = binding_result_class(state, "Answer");
    PyObject *answer = answers ? PyObject_CallFunction(answers, "i", (int)r->answer) : NULL;
    const bool is_known = r->answer == TUMBLE_YES;
    PyObject *pair = answer ? pair_of(&r->witness, is_known) : NULL;
    PyObject *points = pair ? points_of(state, &r->witness, is_known) : NULL;
    PyObject *type = points ? binding_result_class(state, "FirstContact") : NULL;
    PyObject *result = type ? PyObject_CallFunction(type, "OOdddOO", answer, r->is_complete ? Py_True : Py_False,
                                                    r->free_until, r->touching_at, r->error, pair, points)
                            : NULL;
    Py_XDECREF(answers);
    Py_XDECREF(answer);
    Py_XDECREF(pair);
    Py_XDECREF(points);
    Py_XDECREF(type);
    return result;
}

static PyObject *first_contact(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[FIRST_COUNT];
    tumble_first_contact_options options = tumble_default_first_contact_options();
    tumble_first_contact_result r;
    motion_question m;
    if (binding_arguments("first_contact", first_names, 4, 2, arguments, count, keywords, values) ||
        read_first_options(values, &options) || begin(&m, self, values)) {
        return NULL;
    }
    const binding_question *q = &m.question;
    if (refuse_parts(&m, options.begin, options.end)) {
        end(&m, NULL);
        return NULL;
    }
    binding_question_run(&m.question);
    const tumble_status status = m.along_path ? tumble_path_first_contact(q->query, q->a->model, &m.paths[0],
                                                                          q->b->model, &m.paths[1], &options, &r)
                                              : tumble_first_contact(q->query, q->a->model, m.paths[0].pieces,
                                                                     q->b->model, m.paths[1].pieces, &options, &r);
    if (ran(&m, status)) {
        return NULL;
    }
    PyObject *result = first_result(q->state, &r);
    end(&m, &r.counters);
    return result;
}

/* ---- All contacts ---- */

static PyObject *intervals_result(binding_state *state, const tumble_contact_intervals_result *r)
{
    const Py_ssize_t count = (Py_ssize_t)r->interval_count, shapes[2][2] = {{count, 4}, {count, 2}};
    void *data[2];
    PyObject *times = binding_new_array(state, BINDING_FLOAT64, 2, shapes[0], &data[0]);
    PyObject *pairs = times ? binding_new_array(state, BINDING_UINT32, 2, shapes[1], &data[1]) : NULL;
    for (Py_ssize_t i = 0; pairs && i < count; i++) {
        const tumble_contact_interval *at = &r->intervals[i];
        const double row[4] = {at->free_until, at->touching_at, at->touching_until, at->free_from};
        memcpy((double *)data[0] + 4 * i, row, sizeof row);
        memcpy((uint32_t *)data[1] + 2 * i, &at->pair, sizeof at->pair);
    }
    PyObject *type = pairs ? binding_result_class(state, "ContactIntervals") : NULL;
    PyObject *result = type ? PyObject_CallFunction(type, "OOdOd", times, pairs, r->error,
                                                    r->is_complete ? Py_True : Py_False, r->decided_until)
                            : NULL;
    Py_XDECREF(times);
    Py_XDECREF(pairs);
    Py_XDECREF(type);
    return result;
}

static PyObject *contact_intervals(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"a",         "b",      "motion_a",     "motion_b", "clearance",
                                        "tolerance", "budget", "budget_tests", NULL};
    PyObject *values[8];
    double seconds = 0;
    tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
    tumble_contact_intervals_result r;
    motion_question m;
    if (binding_arguments("contact_intervals", names, 4, 2, arguments, count, keywords, values) ||
        binding_double(values[4], "clearance", &options.clearance) ||
        binding_double(values[5], "tolerance", &options.tolerance) || binding_double(values[6], "budget", &seconds) ||
        binding_size(values[7], "budget_tests", &options.budget_box_tests) || begin(&m, self, values)) {
        return NULL;
    }
    options.budget_microseconds = 1e6 * seconds;
    const binding_question *q = &m.question;
    binding_question_run(&m.question);
    const tumble_status status =
        tumble_path_contact_intervals(q->query, q->a->model, &m.paths[0], q->b->model, &m.paths[1], &options, &r);
    if (ran(&m, status)) {
        return NULL;
    }
    PyObject *result = intervals_result(q->state, &r);
    end(&m, &r.counters);
    return result;
}

/* ---- Clearance ---- */

static int read_clearance_options(PyObject *const *values, tumble_clearance_along_options *options)
{
    double seconds = 0;
    if (binding_double(values[4], "begin", &options->begin) || binding_double(values[5], "end", &options->end) ||
        binding_double(values[6], "relative_error", &options->relative_error) ||
        binding_double(values[7], "absolute_error", &options->absolute_error) ||
        binding_double(values[8], "within", &options->within) ||
        binding_double(values[9], "enough", &options->enough) || binding_double(values[10], "budget", &seconds) ||
        binding_size(values[11], "budget_tests", &options->budget_box_tests)) {
        return -1;
    }
    options->budget_microseconds = 1e6 * seconds;
    return 0;
}

static PyObject *clearance_result(binding_state *state, const tumble_clearance_along_result *r)
{
    const bool is_known = r->upper < (double)INFINITY;
    PyObject *pair = pair_of(&r->nearest, is_known), *points = pair ? points_of(state, &r->nearest, is_known) : NULL;
    PyObject *type = points ? binding_result_class(state, "ClearanceAlong") : NULL;
    PyObject *result = type ? PyObject_CallFunction(type, "OdddOO", r->is_complete ? Py_True : Py_False, r->lower,
                                                    r->upper, r->time, pair, points)
                            : NULL;
    Py_XDECREF(pair);
    Py_XDECREF(points);
    Py_XDECREF(type);
    return result;
}

static PyObject *clearance_along(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {
        "a",      "b",      "motion_a", "motion_b",     "begin", "end", "relative_error", "absolute_error",
        "within", "enough", "budget",   "budget_tests", NULL};
    PyObject *values[12];
    tumble_clearance_along_options options = tumble_default_clearance_along_options();
    tumble_clearance_along_result r;
    motion_question m;
    if (binding_arguments("clearance_along", names, 4, 2, arguments, count, keywords, values) ||
        read_clearance_options(values, &options) || begin(&m, self, values)) {
        return NULL;
    }
    const binding_question *q = &m.question;
    if (refuse_parts(&m, options.begin, options.end)) {
        end(&m, NULL);
        return NULL;
    }
    binding_question_run(&m.question);
    const tumble_status status =
        m.along_path ? tumble_path_clearance(q->query, q->a->model, &m.paths[0], q->b->model, &m.paths[1], &options, &r)
                     : tumble_clearance_along(q->query, q->a->model, m.paths[0].pieces, q->b->model, m.paths[1].pieces,
                                              &options, &r);
    if (ran(&m, status)) {
        return NULL;
    }
    PyObject *result = clearance_result(q->state, &r);
    end(&m, &r.counters);
    return result;
}

/* ---- Motions out ---- */

static PyObject *motion_between(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"pose", "to", "centre", NULL};
    PyObject *values[3];
    tumble_pose poses[2] = {tumble_pose_identity(), tumble_pose_identity()};
    tumble_motion motion;
    double centre[3] = {0, 0, 0};
    binding_state *state = binding_state_of(self);
    if (binding_arguments("motion_between", names, 3, 2, arguments, count, keywords, values) ||
        binding_pose(state, values[0], "pose", &poses[0]) < 0 || binding_pose(state, values[1], "to", &poses[1]) < 0 ||
        (values[2] && values[2] != Py_None && binding_three(state, values[2], "centre", centre))) {
        return NULL;
    }
    const tumble_status status = tumble_motion_between(state->context, &poses[0], &poses[1], centre, &motion);
    if (status != TUMBLE_OK) {
        return binding_raise_last(state, status, NULL);
    }
    PyObject *pose = binding_pose_array(state, &motion.from),
             *type = pose ? binding_result_class(state, "Motion") : NULL;
    PyObject *result =
        type ? PyObject_CallFunction(type, "O(ddd)d(ddd)(ddd)", pose, motion.translation[0], motion.translation[1],
                                     motion.translation[2], motion.angle, motion.axis[0], motion.axis[1],
                                     motion.axis[2], motion.point[0], motion.point[1], motion.point[2])
             : NULL;
    Py_XDECREF(pose);
    Py_XDECREF(type);
    return result;
}

static PyObject *motion_pose(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"motion", "time", NULL};
    PyObject *values[2];
    binding_state *state = binding_state_of(self);
    binding_way way;
    double time = 0;
    if (binding_arguments("motion_pose", names, 2, 2, arguments, count, keywords, values) ||
        binding_double(values[1], "time", &time) || binding_way_get(state, values[0], "motion", &way)) {
        return NULL;
    }
    const tumble_path path = binding_way_path(&way);
    const tumble_status status = tumble_path_check(state->context, &path);
    PyObject *result = NULL;
    if (status != TUMBLE_OK) {
        binding_raise_last(state, status, NULL);
    } else if (!(time >= (path.times ? path.times[0] : 0) &&
                 time <= (path.times ? path.times[path.piece_count] : (double)path.piece_count))) {
        PyErr_SetString(PyExc_ValueError,
                        way.is_path ? "time: expected one of the path" : "time: expected a number from 0 to 1");
    } else {
        const tumble_pose pose = tumble_path_pose(&path, time);
        result = binding_pose_array(state, &pose);
    }
    binding_way_release(&way);
    return result;
}

#define FUNCTION(name, function, text)                                                   \
    {                                                                                    \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, text \
    }

#define TETRAHEDRON                                                                  \
    ">>> import tumble\n"                                                            \
    ">>> tetrahedron = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n" \
    "...                            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"

static PyMethodDef functions[] = {
    FUNCTION("first_contact", first_contact,
             "first_contact(a, b, motion_a=None, motion_b=None, *, clearance=0.0, tolerance=1e-6, begin=0.0, end=1.0, "
             "budget=None, budget_tests=0)\n--\n\n"
             "When two models in motion are in contact for the first time, as a tumble.FirstContact: they are free at "
             "every real\ntime before free_until, and there is a contact at a time up to touching_at. Motions are "
             "tumble.Motion or tumble.Path,\nwhose times are then those of the result; None: no motion. budget "
             "(seconds) and budget_tests limit the work; free_until is then "
             "what is proven.\n\n" TETRAHEDRON
             ">>> path = tumble.Motion(tumble.pose((3, 0, 0)), translation=(-4, 0, 0))\n"
             ">>> found = tumble.first_contact(tetrahedron, tetrahedron, None, path)\n"
             ">>> found.touching_at, found.points.tolist()\n"
             "(0.5, [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])\n"),
    FUNCTION("contact_intervals", contact_intervals,
             "contact_intervals(a, b, motion_a=None, motion_b=None, *, clearance=0.0, tolerance=1e-3, "
             "budget=None, budget_tests=0)\n--\n\n"
             "All contacts of two models in motion or along a tumble.Path, as tumble.ContactIntervals: a row of times "
             "for each interval, "
             "free_until,\ntouching_at, touching_until and free_from, and a pair of polygons that are in contact at "
             "touching_at.\n\n" TETRAHEDRON ">>> path = tumble.Motion(tumble.pose((3, 0, 0)), translation=(-8, 0, 0))\n"
             ">>> tumble.contact_intervals(tetrahedron, tetrahedron, None, path).times.round(2).tolist()\n"
             "[[0.25, 0.25, 0.5, 0.5]]\n"),
    FUNCTION("clearance_along", clearance_along,
             "clearance_along(a, b, motion_a=None, motion_b=None, *, begin=0.0, end=1.0, relative_error=1e-6, "
             "absolute_error=0.0, within=None, enough=0.0, budget=None, budget_tests=0)\n--\n\n"
             "How close two models in motion or along a tumble.Path come, and when, as a tumble.ClearanceAlong: at "
             "every real time\ntheir distance is at least lower, and at time it is at most upper. Ignores what is "
             "farther apart than within; stops\nat the first distance up to enough.\n\n" TETRAHEDRON
             ">>> path = tumble.Motion(tumble.pose((3, 1.5, 0)), translation=(-4, 0, 0))\n"
             ">>> near = tumble.clearance_along(tetrahedron, tetrahedron, None, path)\n"
             ">>> round(near.lower, 5), round(near.upper, 5)\n"
             "(0.5, 0.5)\n"),
    FUNCTION("motion_between", motion_between,
             "motion_between(pose, to, centre=None)\n--\n\n"
             "The tumble.Motion from one pose to another of the same scale: a point of the model (None: its origin) "
             "moves on a\nline, and the model turns about it the short way."),
    FUNCTION("motion_pose", motion_pose,
             "motion_pose(motion, time)\n--\n\nThe pose of a tumble.Motion at a time from 0 to 1, or of a tumble.Path "
             "at one "
             "of its times: (3, 4)."),
    {NULL, NULL, 0, NULL},
};

const binding_part binding_motions = {.name = "motions", .functions = functions};
