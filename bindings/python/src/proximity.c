/* Distance and spatial relation of two models. */
#include <string.h>

#include "binding.h"

/* The members of tumble.Relation are kept in their order, as calling an enumeration takes longer than a query. */
PyObject *binding_relation(binding_state *state, tumble_relation relation)
{
    if (!state->relations) {
        PyObject *type = binding_result_class(state, "Relation");
        state->relations = type ? PySequence_Tuple(type) : NULL;
        Py_XDECREF(type);
    }
    return state->relations ? Py_XNewRef(PyTuple_GetItem(state->relations, (Py_ssize_t)relation)) : NULL;
}

/* ---- Distance ---- */

static const char *const distance_names[] = {"a",
                                             "b",
                                             "pose_a",
                                             "pose_b",
                                             "within",
                                             "enough",
                                             "budget",
                                             "budget_tests",
                                             "relative_error",
                                             "absolute_error",
                                             "pairs",
                                             "tuning",
                                             NULL};
enum {
    WITHIN = 4,
    ENOUGH,
    BUDGET,
    BUDGET_TESTS,
    RELATIVE,
    ABSOLUTE,
    PAIRS,
    TUNING,
    DISTANCE_COUNT
};

typedef struct nearness {
    binding_question question;
    tumble_distance_options options;
    tumble_tuning tuning;
    tumble_distance_result result;
} nearness;

static int read_options(nearness *n, PyObject *const *values)
{
    tumble_distance_options *options = &n->options;
    double seconds = 0;
    *options = tumble_default_distance_options();
    if (binding_double(values[WITHIN], "within", &options->within) ||
        binding_double(values[ENOUGH], "enough", &options->enough) ||
        binding_double(values[BUDGET], "budget", &seconds) ||
        binding_size(values[BUDGET_TESTS], "budget_tests", &options->budget_box_tests) ||
        binding_double(values[RELATIVE], "relative_error", &options->relative_error) ||
        binding_double(values[ABSOLUTE], "absolute_error", &options->absolute_error) ||
        binding_flag(values[PAIRS], "pairs", &options->want_pairs)) {
        return -1;
    }
    options->budget_microseconds = 1e6 * seconds;
    const int is_tuned = values[TUNING] ? binding_tuning(values[TUNING], &n->tuning) : 0;
    options->tuning = is_tuned > 0 ? &n->tuning : NULL;
    return is_tuned < 0 ? -1 : 0;
}

/* The pairs of the second pass. */
static PyObject *pairs_of(const nearness *n)
{
    const Py_ssize_t count = n->result.pairs ? (Py_ssize_t)n->result.pair_count : 0;
    return binding_array_of(n->question.state, BINDING_NEAR, 1, &count, n->result.pairs);
}

static PyObject *distance_result(const nearness *n)
{
    PyObject *pairs = n->options.want_pairs ? pairs_of(n) : NULL;
    if (n->options.want_pairs && !pairs) {
        return NULL;
    }
    PyObject *result = binding_distance_result(n->question.state, &n->result, pairs);
    Py_XDECREF(pairs);
    return result;
}

static PyObject *distance(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[DISTANCE_COUNT];
    nearness n;
    if (binding_arguments("distance", distance_names, 4, 2, arguments, count, keywords, values) ||
        read_options(&n, values) || binding_question_begin(&n.question, self, values)) {
        return NULL;
    }
    const binding_question *q = &n.question;
    n.options.coherence = q->coherence;
    binding_question_run(&n.question);
    const tumble_status status =
        tumble_distance(q->query, q->a->model, q->pose_a, q->b->model, q->pose_b, &n.options, &n.result);
    PyObject *result = NULL;
    if (binding_question_ran(&n.question) == 0) {
        result = status == TUMBLE_OK ? distance_result(&n) : binding_question_raise(&n.question, status);
    }
    binding_question_end(&n.question, status == TUMBLE_OK ? &n.result.counters : NULL);
    return result;
}

/* ---- Relation ---- */

static const char *const relation_names[] = {"a", "b", "pose_a", "pose_b", NULL};

static int relate_models(binding_question *q, const char *function, PyObject *self, PyObject *const *arguments,
                         Py_ssize_t count, PyObject *keywords, tumble_relation_result *result)
{
    PyObject *values[4];
    if (binding_arguments(function, relation_names, 4, 2, arguments, count, keywords, values) ||
        binding_question_begin(q, self, values)) {
        return -1;
    }
    binding_question_run(q);
    const tumble_status status = tumble_relate(q->query, q->a->model, q->pose_a, q->b->model, q->pose_b, result);
    const int interrupted = binding_question_ran(q);
    if (status != TUMBLE_OK && !interrupted) {
        binding_question_raise(q, status);
    }
    binding_question_end(q, status == TUMBLE_OK ? &result->counters : NULL);
    return status == TUMBLE_OK && !interrupted ? 0 : -1;
}

static PyObject *relation(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    binding_question q;
    tumble_relation_result result;
    if (relate_models(&q, "relation", self, arguments, count, keywords, &result)) {
        return NULL;
    }
    return binding_relation(q.state, result.relation);
}

static PyObject *relate(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    binding_question q;
    tumble_relation_result r;
    if (relate_models(&q, "relate", self, arguments, count, keywords, &r)) {
        return NULL;
    }
    PyObject *value = binding_relation(q.state, r.relation), *pair = NULL;
    if (value) {
        pair = r.surfaces_meet ? Py_BuildValue("(kk)", (unsigned long)r.pair.polygon_a, (unsigned long)r.pair.polygon_b)
                               : Py_NewRef(Py_None);
    }
    PyObject *type = pair ? binding_result_class(q.state, "RelationResult") : NULL;
    PyObject *result =
        type ? PyObject_CallFunction(type, "OOOOO", value, r.closed_a ? Py_True : Py_False,
                                     r.closed_b ? Py_True : Py_False, r.surfaces_meet ? Py_True : Py_False, pair)
             : NULL;
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(pair);
    return result;
}

#define FUNCTION(name, function, text)                                                   \
    {                                                                                    \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, text \
    }

PyMethodDef binding_proximity_functions[] = {
    FUNCTION("distance", distance,
             "distance(a, b, pose_a=None, pose_b=None, *, within=None, enough=0.0, budget=None, budget_tests=0, "
             "relative_error=0.0, absolute_error=0.0, pairs=False, tuning=None)\n--\n\n"
             "The distance of two models and where they are that close, as a tumble.Distance.\n\n"
             "within: farther pairs are ignored; None: no limit. enough: stop at a pair within this distance. budget "
             "(seconds) and\n"
             "budget_tests limit the work; lower and upper are then what is proven. pairs: list all nearest pairs.\n\n"
             ">>> import tumble\n"
             ">>> tetrahedron = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
             "...                            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
             ">>> found = tumble.distance(tetrahedron, tetrahedron, None, tumble.pose((3, 0, 0)))\n"
             ">>> found.value, found.points.tolist()\n"
             "(2.0, [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]])\n"),
    FUNCTION("relation", relation,
             "relation(a, b, pose_a=None, pose_b=None)\n--\n\n"
             "How two models lie: a tumble.Relation, APART, TOUCHING, CROSSING, A_IN_B, B_IN_A or UNDEFINED."),
    FUNCTION("relate", relate,
             "relate(a, b, pose_a=None, pose_b=None)\n--\n\nThe relation with its circumstances: a RelationResult."),
    {NULL, NULL, 0, NULL},
};

const binding_part binding_proximity = {.name = "proximity", .functions = binding_proximity_functions};
