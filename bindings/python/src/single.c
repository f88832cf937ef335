/* What questions about one model share: see single.h. */
#include <string.h>

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

/* ---- Blocks ---- */

#define BLOCK_SECONDS 0.01 /* far less than somebody waits for Ctrl-C, far more than threads take to start */
#define BLOCK_MOST 65536

static size_t next_size(size_t size, double seconds)
{
    const size_t wanted = seconds > 2 * BLOCK_SECONDS ? size / 2 : seconds < BLOCK_SECONDS ? 2 * size : size;
    return wanted < 1 ? 1 : wanted < BLOCK_MOST ? wanted : BLOCK_MOST;
}

void binding_single_run(binding_single *b, size_t count, binding_single_block *block, void *user)
{
    size_t size = 64;
    binding_work_begin(&b->work);
    while (b->first < count && b->status == TUMBLE_OK && !b->work.is_interrupted) {
        const double start = binding_seconds();
        const size_t some = count - b->first < size ? count - b->first : size;
        b->status = block(b, user, b->first, some);
        size = next_size(size, binding_seconds() - start);
        b->first += b->status == TUMBLE_OK ? some : 0;
        (void)binding_work_look(&b->work);
    }
    binding_work_end(&b->work);
}

/* "point 3: ..." of a block that starts at point 64 is about point 67. */
static void count_from(size_t first, char *message, size_t capacity)
{
    const size_t word = strcspn(message, "0123456789");
    char *rest = message + word, text[600];
    if (strncmp(message, "ray ", word) != 0 && strncmp(message, "point ", word) != 0) {
        return;
    }
    const unsigned long long number = strtoull(message + word, &rest, 10);
    memcpy(text, message, sizeof text);
    PyOS_snprintf(message, capacity, "%.*s%llu%.550s", (int)word, text, number + first, text + (rest - message));
}

int binding_single_end(binding_single *b)
{
    const bool failed = b->status != TUMBLE_OK && !b->work.is_interrupted;
    char message[600] = "";
    if (failed) {
        if (tumble_query_error(b->idle->query, message, sizeof message) != b->status) {
            message[0] = '\0'; /* of an earlier failure */
        }
        count_from(b->first, message, sizeof message);
    }
    binding_query_give(b->state, b->idle);
    binding_model_end(b->state, b->model);
    if (failed) {
        binding_raise(b->state, b->status, message, NULL);
    }
    return failed || b->work.is_interrupted ? -1 : 0;
}

int binding_items_add(binding_items *items, const void *from, size_t count)
{
    if (items->count + count > items->capacity) {
        const size_t capacity = 2 * (items->count + count) + 64;
        char *grown = realloc(items->data, capacity * items->size);
        if (!grown) {
            return -1;
        }
        items->data = grown;
        items->capacity = capacity;
    }
    if (from && count) {
        memcpy(items->data + items->count * items->size, from, count * items->size);
    }
    items->count += count;
    return 0;
}

int binding_list_mode(PyObject *word, int *out)
{
    static const char *const words[] = {"test", "count", "first", "all"};
    static const int numbers[] = {TUMBLE_TEST, TUMBLE_COUNT, TUMBLE_FIRST, TUMBLE_ALL};
    return binding_word(word, "mode", words, numbers, 4, out);
}

PyObject *binding_starts(binding_state *state, const uint64_t *counts, size_t count)
{
    const Py_ssize_t shape = (Py_ssize_t)count + 1;
    void *data = NULL;
    PyObject *array = binding_new_array(state, BINDING_INT64, 1, &shape, &data);
    int64_t *starts = data, total = 0;
    for (size_t i = 0; array && i <= count; i++) {
        starts[i] = total;
        total += i < count ? (int64_t)counts[i] : 0;
    }
    return array;
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

int binding_three(binding_state *state, PyObject *object, const char *name, double out[3])
{
    binding_array array;
    if (binding_array_get(state, object, name, BINDING_DOUBLES, true, &array)) {
        return -1;
    }
    const bool is_good = array.dimension_count == 1 && array.item_count == 3;
    if (is_good) {
        memcpy(out, array.data, 3 * sizeof *out);
    } else {
        PyErr_Format(PyExc_ValueError, "%s: give three numbers", name);
    }
    binding_array_release(&array);
    return is_good ? 0 : -1;
}
