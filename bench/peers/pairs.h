/* Lists of pairs of triangles. */
#ifndef TUMBLE_BENCH_PEERS_PAIRS_H
#define TUMBLE_BENCH_PEERS_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "tumble/query.h"

/* Starts as {0}. */
typedef struct pair_list {
    tumble_pair *items;
    size_t count, capacity;
} pair_list;

/* Room for so many items; those that are there stay. */
void pair_list_reserve(pair_list *list, size_t capacity);
void pair_list_add(pair_list *list, tumble_pair pair);

/* In order, each once. */
void pair_list_sort(pair_list *list);

/* Of lists in order: how many items of `truth` are missing in `list`, how many of `list` are none of `truth`. Those are
 * also added to `differences` unless it is NULL. */
void pair_list_compare(const pair_list *truth, const pair_list *list, uint64_t *missed, uint64_t *invented,
                       pair_list *differences);
int pair_list_contains(const pair_list *list, tumble_pair pair); /* in order */
void pair_list_free(pair_list *list);

#endif
