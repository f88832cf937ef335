/* What questions about one model share: see single.h. */
#include "single.h"

int binding_single_begin(binding_single *b, PyObject *self, PyObject *model, PyObject *pose, PyObject *threads)
{
    *b = (binding_single){.state = binding_state_of(self), .threads = 1};
    b->model = binding_model_of(b->state, model, "model");
    if (!b->model || binding_size(threads, "threads", &b->threads)) {
        return -1;
    }
    const int given = binding_pose(b->state, pose, "pose", &b->pose);
    b->has_pose = given > 0;
    if (given < 0 || binding_model_begin(b->state, b->model)) {
        return -1;
    }
    b->idle = binding_query_take(b->state);
    if (!b->idle) {
        binding_model_end(b->state, b->model);
        return -1;
    }
    return 0;
}

uint32_t binding_single_threads(const binding_single *b)
{
    return (uint32_t)(b->threads < 256 ? b->threads : 256);
}

int binding_single_end(binding_single *b)
{
    const bool failed = b->status != TUMBLE_OK && !b->work.is_interrupted;
    char message[600] = "";
    if (failed) {
        tumble_query_error(b->idle->query, message, sizeof message);
    }
    binding_query_give(b->state, b->idle);
    binding_model_end(b->state, b->model);
    if (failed) {
        binding_raise(b->state, b->status, message, NULL);
    }
    return failed || b->work.is_interrupted ? -1 : 0;
}

int binding_points_get(binding_state *state, PyObject *object, const char *name, binding_array *out)
{
    if (binding_array_get(state, object, name, BINDING_DOUBLES, true, out)) {
        return -1;
    }
    const int last = out->dimension_count - 1;
    if ((out->dimension_count != 1 && out->dimension_count != 2) || out->shape[last] != 3) {
        PyErr_Format(PyExc_ValueError, "%s: give an array of shape (n, 3), or three numbers", name);
        binding_array_release(out);
        return -1;
    }
    return 0;
}
