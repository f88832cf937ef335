/* Lists of pairs of triangles. */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

static int compare_pairs(const void *one, const void *other)
{
    const tumble_pair *p = one, *q = other;
    const int a = (p->polygon_a > q->polygon_a) - (p->polygon_a < q->polygon_a);
    return a ? a : (p->polygon_b > q->polygon_b) - (p->polygon_b < q->polygon_b);
}

void pair_list_reserve(pair_list *list, size_t capacity)
{
    if (capacity > list->capacity) {
        tumble_pair *items = realloc(list->items, 2 * capacity * sizeof *items);
        if (!items) {
            bench_fail("no memory for %zu pairs", 2 * capacity);
        }
        list->items = items;
        list->capacity = 2 * capacity;
    }
}

void pair_list_add(pair_list *list, tumble_pair pair)
{
    pair_list_reserve(list, list->count + 1);
    list->items[list->count++] = pair;
}

void pair_list_sort(pair_list *list)
{
    size_t kept = 0;
    if (list->count > 1) {
        qsort(list->items, list->count, sizeof *list->items, compare_pairs);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (kept == 0 || compare_pairs(&list->items[kept - 1], &list->items[i]) != 0) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

void pair_list_compare(const pair_list *truth, const pair_list *list, uint64_t *missed, uint64_t *invented,
                       pair_list *differences)
{
    size_t i = 0, k = 0;
    while (i < truth->count || k < list->count) {
        const int order = i == truth->count  ? 1
                          : k == list->count ? -1
                                             : compare_pairs(&truth->items[i], &list->items[k]);
        *missed += order < 0;
        *invented += order > 0;
        if (order && differences) {
            pair_list_add(differences, order < 0 ? truth->items[i] : list->items[k]);
        }
        i += order <= 0;
        k += order >= 0;
    }
}

int pair_list_contains(const pair_list *list, tumble_pair pair)
{
    return list->count && bsearch(&pair, list->items, list->count, sizeof pair, compare_pairs) != NULL;
}

void pair_list_free(pair_list *list)
{
    free(list->items);
    memset(list, 0, sizeof *list);
}
