/* Which part of the run before is which part now: by its key where geometry and place are the same, too; then by what
 * stayed as it was. Several that cannot be told apart are taken in their order. */
#include <stdlib.h>
#include <string.h>

#include "clash/history.h"

/* A part of either run. */
typedef struct candidate {
    const char *key, *path, *file, *geometry;
    const tumble_pose *pose;
    uint32_t number;
} candidate;

typedef int compare_candidates(const void *a, const void *b);

static int compare_poses(const tumble_pose *a, const tumble_pose *b)
{
    for (int i = 0; i < 12; i++) {
        const double x = a->m[i / 4][i % 4], y = b->m[i / 4][i % 4];
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    const int order = strcmp(x->geometry, y->geometry);
    return order ? order : compare_poses(x->pose, y->pose);
}

static int by_key_and_place(const void *a, const void *b)
{
    const int order = strcmp(((const candidate *)a)->key, ((const candidate *)b)->key);
    return order ? order : by_place(a, b);
}

static int by_path_and_place(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    const int order = strcmp(x->path, y->path);
    const int next = order ? order : strcmp(x->file, y->file);
    return next ? next : by_place(a, b);
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const candidate *)a)->key, ((const candidate *)b)->key);
}

static int by_geometry(const void *a, const void *b)
{
    return strcmp(((const candidate *)a)->geometry, ((const candidate *)b)->geometry);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = ((const candidate *)a)->number, y = ((const candidate *)b)->number;
    return (x > y) - (x < y);
}

static size_t run_length(const candidate *items, size_t begin, size_t count, compare_candidates *compare)
{
    size_t end = begin + 1;
    while (end < count && compare(&items[begin], &items[end]) == 0) {
        end++;
    }
    return end - begin;
}

/* What is told apart by no comparison keeps its order. */
static void sort(candidate *items, size_t count, compare_candidates *compare)
{
    qsort(items, count, sizeof *items, compare);
    for (size_t i = 0; i < count;) {
        const size_t length = run_length(items, i, count, compare);
        qsort(items + i, length, sizeof *items, by_number);
        i += length;
    }
}

typedef struct matching {
    candidate *sides[2]; /* before, now: those without a partner */
    size_t counts[2];
    tmb_clash_history *history;
} matching;

static void keep_unmatched(matching *m)
{
    const uint32_t *const partners[2] = {m->history->now, m->history->was};
    for (int side = 0; side < 2; side++) {
        size_t kept = 0;
        for (size_t i = 0; i < m->counts[side]; i++) {
            if (partners[side][m->sides[side][i].number] == UINT32_MAX) {
                m->sides[side][kept++] = m->sides[side][i];
            }
        }
        m->counts[side] = kept;
    }
}

/* Pairs of what compares as equal; only_one: where there is one of it in both runs. */
static void match(matching *m, compare_candidates *compare, int only_one, int needs_geometry)
{
    size_t at[2] = {0, 0};
    sort(m->sides[0], m->counts[0], compare);
    sort(m->sides[1], m->counts[1], compare);
    while (at[0] < m->counts[0] && at[1] < m->counts[1]) {
        const candidate *old = &m->sides[0][at[0]], *new = &m->sides[1][at[1]];
        const int order = compare(old, new);
        if (order) {
            at[order > 0]++;
            continue;
        }
        const size_t olds = run_length(m->sides[0], at[0], m->counts[0], compare);
        const size_t news = run_length(m->sides[1], at[1], m->counts[1], compare);
        const int may = (!needs_geometry || *old->geometry) && (!only_one || (olds == 1 && news == 1));
        for (size_t i = 0; may && i < olds && i < news; i++) {
            m->history->now[old[i].number] = new[i].number;
            m->history->was[new[i].number] = old[i].number;
        }
        at[0] += olds;
        at[1] += news;
    }
    keep_unmatched(m);
}

static void match_all(matching *m)
{
    match(m, by_key_and_place, 0, 0);
    match(m, by_path_and_place, 0, 1); /* "#2" of a name is now "#1" */
    match(m, by_key, 0, 0);            /* moved, or changed */
    match(m, by_place, 0, 1);          /* renamed */
    match(m, by_geometry, 1, 1);       /* renamed and moved */
}

/* Whether all that rules and answers look at is as it was. */
static int is_same(const tmb_old_part *old, const tumble_assembly_part *part, const char *geometry)
{
    return *geometry && strcmp(old->geometry, geometry) == 0 && compare_poses(&old->pose, &part->pose) == 0 &&
           strcmp(old->key, part->key) == 0 && strcmp(old->name, part->name) == 0 &&
           strcmp(old->path, part->path) == 0 && strcmp(old->file, part->file) == 0 &&
           strcmp(old->guid, part->guid) == 0 && strcmp(old->class_name, part->class_name) == 0 &&
           strcmp(old->material, part->material) == 0;
}

static const char *geometry_of(const tumble_clashes *clashes, const tumble_assembly_part *part)
{
    return part->model == UINT32_MAX ? "" : clashes->result.hashes[part->model];
}

static void fill(const tumble_clashes *clashes, matching *m)
{
    const tmb_clash_history *history = m->history;
    const tmb_old_part *olds = tmb_old_parts(history->before);
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, &m->counts[1]);
    m->counts[0] = history->before->part_count;
    for (size_t i = 0; i < m->counts[0]; i++) {
        const tmb_old_part *p = &olds[i];
        m->sides[0][i] = (candidate){p->key, p->path, p->file, p->geometry, &p->pose, (uint32_t)i};
        history->now[i] = UINT32_MAX;
    }
    for (size_t i = 0; i < m->counts[1]; i++) {
        const tumble_assembly_part *p = &parts[i];
        m->sides[1][i] = (candidate){p->key, p->path, p->file, geometry_of(clashes, p), &p->pose, (uint32_t)i};
        history->was[i] = UINT32_MAX;
    }
}

tumble_status tmb_clash_match_parts(tumble_clashes *clashes, tmb_clash_history *history)
{
    tumble_context *context = clashes->context;
    matching m = {.history = history};
    size_t count;
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, &count);
    m.sides[0] = tmb_allocate(context, history->before->part_count + 1, sizeof *m.sides[0]);
    m.sides[1] = tmb_allocate(context, count + 1, sizeof *m.sides[1]);
    const int has_room = m.sides[0] && m.sides[1];
    if (has_room) {
        fill(clashes, &m);
        match_all(&m);
        for (size_t i = 0; i < count; i++) {
            const uint32_t was = history->was[i];
            history->is_same[i] = was != UINT32_MAX && is_same(&tmb_old_parts(history->before)[was], &parts[i],
                                                               geometry_of(clashes, &parts[i]));
        }
    }
    tmb_release(context, m.sides[0]);
    tmb_release(context, m.sides[1]);
    return has_room ? TUMBLE_OK : tmb_fail_memory(context, "the parts of the run before");
}
