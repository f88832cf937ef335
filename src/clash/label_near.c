/* Groups by place: clashes whose points are chained by steps of at most a radius. Space is cut into cells with a
 * diagonal below the radius: all points of a cell belong together, and cells are compared with those around them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clash/clashes.h"

enum {
    REACH = 2 /* cells that a radius can reach beyond the next one */
};

typedef struct placed {
    double cell[3]; /* whole numbers */
    uint32_t clash;
} placed;

typedef struct nearness {
    const tumble_clash *items;
    double radius;
    placed *sorted; /* by cell */
    size_t count;
    uint32_t *parents; /* of clashes */
} nearness;

static int compare_cells(const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_placed(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    const int order = compare_cells(x->cell, y->cell);
    return order ? order : (x->clash > y->clash) - (x->clash < y->clash);
}

static uint32_t root_of(nearness *n, uint32_t clash)
{
    while (n->parents[clash] != clash) {
        clash = n->parents[clash] = n->parents[n->parents[clash]];
    }
    return clash;
}

static void join(nearness *n, uint32_t a, uint32_t b)
{
    const uint32_t x = root_of(n, a), y = root_of(n, b);
    n->parents[x < y ? y : x] = x < y ? x : y;
}

static int are_near(const nearness *n, uint32_t a, uint32_t b)
{
    const double *p = n->items[a].point, *q = n->items[b].point;
    const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= n->radius * n->radius;
}

/* The first place that is not before a cell. */
static size_t find_cell(const nearness *n, const double cell[3])
{
    size_t low = 0, high = n->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_cells(n->sorted[middle].cell, cell) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static size_t end_of_cell(const nearness *n, size_t begin)
{
    size_t end = begin;
    while (end < n->count && compare_cells(n->sorted[end].cell, n->sorted[begin].cell) == 0) {
        end++;
    }
    return end;
}

/* One pair that is near is enough. */
static void join_cells(nearness *n, size_t a, size_t a_end, size_t b, size_t b_end)
{
    if (root_of(n, n->sorted[a].clash) == root_of(n, n->sorted[b].clash)) {
        return;
    }
    for (size_t i = a; i < a_end; i++) {
        for (size_t j = b; j < b_end; j++) {
            if (are_near(n, n->sorted[i].clash, n->sorted[j].clash)) {
                join(n, n->sorted[i].clash, n->sorted[j].clash);
                return;
            }
        }
    }
}

static void join_around(nearness *n, size_t begin, size_t end)
{
    for (int i = 0; i < (2 * REACH + 1) * (2 * REACH + 1) * (2 * REACH + 1); i++) {
        const double *cell = n->sorted[begin].cell;
        const int steps[3] = {i % 5 - REACH, i / 5 % 5 - REACH, i / 25 - REACH};
        const double other[3] = {cell[0] + steps[0], cell[1] + steps[1], cell[2] + steps[2]};
        const size_t at = compare_cells(cell, other) < 0 ? find_cell(n, other) : n->count;
        if (at < n->count && compare_cells(n->sorted[at].cell, other) == 0) {
            join_cells(n, begin, end, at, end_of_cell(n, at));
        }
    }
}

static void sort_places(nearness *n, size_t clash_count)
{
    const double side = n->radius / 1.75; /* the diagonal is shorter than the radius, rounding included */
    for (uint32_t i = 0; i < clash_count; i++) {
        n->parents[i] = i;
        if (!tmb_clash_is_gone(&n->items[i])) {
            placed *place = &n->sorted[n->count++];
            for (int j = 0; j < 3; j++) {
                place->cell[j] = n->radius > 0 ? floor(n->items[i].point[j] / side) : n->items[i].point[j];
            }
            place->clash = i;
        }
    }
    qsort(n->sorted, n->count, sizeof *n->sorted, compare_placed);
}

tumble_status tmb_clash_label_near(const tumble_clashes *clashes, uint32_t *labels)
{
    tumble_context *context = clashes->context;
    const size_t count = clashes->result.clash_count;
    nearness n = {.items = clashes->clashes.data, .radius = clashes->options.group_radius, .parents = labels};
    n.sorted = tmb_allocate(context, count, sizeof *n.sorted);
    if (!n.sorted) {
        return tmb_fail_memory(context, "the groups of clashes");
    }
    sort_places(&n, count);
    for (size_t begin = 0; begin < n.count;) {
        const size_t end = end_of_cell(&n, begin);
        for (size_t i = begin + 1; i < end; i++) {
            join(&n, n.sorted[begin].clash, n.sorted[i].clash);
        }
        begin = end;
    }
    for (size_t begin = 0; begin < n.count && n.radius > 0;) {
        const size_t end = end_of_cell(&n, begin);
        join_around(&n, begin, end);
        begin = end;
    }
    for (uint32_t i = 0; i < count; i++) {
        labels[i] = root_of(&n, i);
    }
    tmb_release(context, n.sorted);
    return TUMBLE_OK;
}
