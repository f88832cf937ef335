/* Grouping: clusters with few corners, from triangles that lie near each other in a sequence.
 *
 * The sequence is processed in independent runs of fixed length, so the result does not depend on threads. Within a run
 * a cluster grows from the earliest remaining triangle, always by the neighbour with the most corners in it. Among
 * equals, the one whose corners have many triangles in the cluster comes first (a fan round a point has fewer corners
 * than a strip) and then the one whose corners have few triangles left, which would else become an island. */
#include <string.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "tree/clusters.h"

#define RUN TMB_CLUSTERS_RUN
#define SLOT_BITS 13
#define SLOTS (1u << SLOT_BITS) /* of the hash table of at most 3 RUN points */
#define NONE UINT32_MAX
#define NO_NUMBER 0xff

_Static_assert((RUN & (RUN - 1)) == 0 && 3 * RUN < SLOTS && 3 * RUN < UINT16_MAX, "sizes of a run");

/* A triangle's score ends with RUN - 1 - its number, so that the best score identifies the triangle and the earliest of
 * equals wins. */
#define SCORE_CORNER (4096 * RUN) /* for each corner that the cluster has */
#define SCORE_USE (16 * RUN)      /* for each triangle of the cluster at such a corner */
#define SCORE_LEFT (-16 * RUN)    /* for each triangle that is left at a corner */
#define SCORE_TAKEN INT32_MIN

/* A run's triangles and points, numbered from 0. */
typedef struct run {
    uint32_t count, point_count, left;
    uint32_t seed;                            /* no triangle before it is left */
    uint32_t points[3 * RUN];                 /* numbers in the mesh */
    uint16_t slots[SLOTS];                    /* point + 1; 0: free */
    uint16_t corners[RUN][3];                 /* of each triangle */
    uint16_t first[3 * RUN], length[3 * RUN]; /* of each point's list of */
    uint16_t around[3 * RUN];                 /* the triangles at it that are left */
    uint8_t number[3 * RUN];                  /* of each point in the cluster that grows */
    int32_t scores[RUN];
    uint16_t seen[RUN];           /* the last cluster whose candidate a triangle was */
    uint16_t candidates[RUN + 1]; /* triangles at the cluster's corners, and room for one */
    uint32_t candidate_count;
    uint16_t members[TMB_CLUSTER_CORNERS]; /* the cluster's points */
    int32_t uses[TMB_CLUSTER_CORNERS];     /* and how often its triangles use them */
} run;

/* ---- Points and neighbours ---- */

static uint32_t local_point(run *r, uint32_t point)
{
    uint32_t at = point * 0x9e3779b1u >> (32 - SLOT_BITS);
    while (r->slots[at] && r->points[r->slots[at] - 1] != point) {
        at = (at + 1) % SLOTS;
    }
    if (!r->slots[at]) {
        r->points[r->point_count] = point;
        r->slots[at] = (uint16_t)++r->point_count;
    }
    return r->slots[at] - 1u;
}

/* Lists by counting: each is filled from its end. */
static void list_neighbours(run *r)
{
    uint32_t total = 0;
    for (uint32_t p = 0; p < r->point_count; p++) {
        total += r->length[p];
        r->first[p] = (uint16_t)total;
    }
    for (uint32_t t = r->count; t-- > 0;) {
        for (int k = 0; k < 3; k++) {
            r->around[--r->first[r->corners[t][k]]] = (uint16_t)t;
        }
    }
}

static void begin_run(run *r, const uint32_t *corners, const uint32_t *order, uint32_t count)
{
    r->count = r->left = count;
    r->point_count = r->seed = 0;
    memset(r->slots, 0, sizeof r->slots);
    memset(r->length, 0, 3 * count * sizeof *r->length);
    memset(r->seen, 0, count * sizeof *r->seen);
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t *triangle = corners + 3 * (size_t)order[t];
        for (int k = 0; k < 3; k++) {
            const uint32_t point = local_point(r, triangle[k]);
            r->corners[t][k] = (uint16_t)point;
            r->length[point]++;
        }
    }
    memset(r->number, NO_NUMBER, r->point_count);
    for (uint32_t t = 0; t < count; t++) {
        int32_t left = 0;
        for (int k = 0; k < 3; k++) {
            left += r->length[r->corners[t][k]];
        }
        r->scores[t] = left * SCORE_LEFT + (int32_t)(RUN - 1 - t);
    }
    list_neighbours(r);
}

/* ---- Growing a cluster ---- */

static uint32_t earliest_left(run *r)
{
    while (r->scores[r->seed] == SCORE_TAKEN) {
        r->seed++;
    }
    return r->seed;
}

/* A point becomes a corner of the cluster, and the triangles around it candidates. */
static void add_corner(run *r, tmb_cluster_draft *draft, uint32_t point, uint16_t cluster)
{
    TMB_ASSERT(draft->corner_count < TMB_CLUSTER_CORNERS);
    const uint16_t *around = r->around + r->first[point];
    const uint32_t count = r->length[point];
    r->number[point] = (uint8_t)draft->corner_count;
    r->members[draft->corner_count] = (uint16_t)point;
    r->uses[draft->corner_count] = 0;
    draft->points[draft->corner_count++] = r->points[point];
    for (uint32_t i = 0; i < count; i++) {
        r->candidates[r->candidate_count] = around[i];
        r->candidate_count += r->seen[around[i]] != cluster;
        r->seen[around[i]] = cluster;
    }
}

/* Takes a triangle out of the list of a point, and adds to the scores of the others. */
static void leave(run *r, uint32_t point, uint32_t triangle, int32_t score)
{
    uint16_t *around = r->around + r->first[point];
    const uint32_t count = r->length[point];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t t = around[i];
        r->scores[t] += score;
        around[kept] = (uint16_t)t;
        kept += t != triangle;
    }
    r->length[point] = (uint16_t)kept;
}

static void add_triangle(run *r, tmb_cluster_draft *draft, uint32_t triangle, uint16_t cluster)
{
    TMB_ASSERT(draft->triangle_count < TMB_CLUSTER_TRIANGLES);
    r->left--;
    r->seen[triangle] = cluster;
    for (int k = 0; k < 3; k++) {
        const uint32_t point = r->corners[triangle][k];
        int32_t score = SCORE_USE - SCORE_LEFT;
        if (r->number[point] == NO_NUMBER) {
            add_corner(r, draft, point, cluster);
            score += SCORE_CORNER;
        }
        r->uses[r->number[point]]++;
        draft->words[k] |= (uint32_t)r->number[point] << 4 * draft->triangle_count;
        leave(r, point, triangle, score);
    }
    r->scores[triangle] = SCORE_TAKEN;
    draft->triangle_count++;
}

static int fits(const run *r, const tmb_cluster_draft *draft, uint32_t triangle)
{
    uint32_t count = draft->corner_count;
    for (int k = 0; k < 3; k++) {
        count += r->number[r->corners[triangle][k]] == NO_NUMBER;
    }
    return count <= TMB_CLUSTER_CORNERS;
}

/* The triangle to be added next. A cluster without neighbours that is still small continues elsewhere: see
 * tmb_clusters_most. */
static uint32_t next_triangle(run *r, const tmb_cluster_draft *draft)
{
    if (draft->triangle_count == TMB_CLUSTER_TRIANGLES || r->left == 0) {
        return NONE;
    }
    int32_t best = SCORE_TAKEN;
    for (uint32_t i = 0; i < r->candidate_count; i++) {
        const int32_t score = r->scores[r->candidates[i]];
        best = score > best ? score : best;
    }
    if (best == SCORE_TAKEN && draft->triangle_count >= TMB_CLUSTERS_LEAST) {
        return NONE;
    }
    const uint32_t t = best == SCORE_TAKEN ? earliest_left(r) : RUN - 1 - ((uint32_t)best & (RUN - 1));
    return fits(r, draft, t) ? t : NONE;
}

/* The cluster is closed: its corners and their uses no longer count. */
static void forget_corners(run *r, const tmb_cluster_draft *draft)
{
    for (uint32_t i = 0; i < draft->corner_count; i++) {
        const uint32_t point = r->members[i];
        leave(r, point, NONE, -SCORE_CORNER - r->uses[i] * SCORE_USE);
        r->number[point] = NO_NUMBER;
    }
    r->candidate_count = 0;
}

/* ---- All runs ---- */

typedef struct grouping {
    const uint32_t *corners, *order;
    size_t count;
    tmb_cluster_draft *drafts; /* MOST_OF_RUN for each run */
    uint32_t *grouped, *addresses;
    uint32_t *made; /* drafts of each run */
} grouping;

#define MOST_OF_RUN ((RUN + TMB_CLUSTERS_LEAST - 1) / TMB_CLUSTERS_LEAST)

static uint32_t group_run(run *r, const grouping *g, size_t begin, tmb_cluster_draft *drafts)
{
    uint32_t made = 0, taken = 0;
    const size_t count = g->count - begin < RUN ? g->count - begin : RUN;
    begin_run(r, g->corners, g->order + begin, (uint32_t)count);
    r->candidate_count = 0;
    while (r->left > 0) {
        tmb_cluster_draft *draft = &drafts[made];
        *draft = (tmb_cluster_draft){{0}, 0, 0, {0}};
        for (uint32_t t = earliest_left(r); t != NONE; t = next_triangle(r, draft)) {
            g->addresses[begin + t] = tmb_triangle_address(made, draft->triangle_count);
            g->grouped[begin + taken++] = g->order[begin + t];
            add_triangle(r, draft, t, (uint16_t)(made + 1));
        }
        forget_corners(r, draft);
        made++;
    }
    return made;
}

static void group_runs(void *shared, size_t begin, size_t end)
{
    const grouping *g = shared;
    run r;
    for (size_t i = begin; i < end; i++) {
        g->made[i] = group_run(&r, g, i * RUN, g->drafts + i * MOST_OF_RUN);
    }
}

/* Moves the drafts of all runs together, and the addresses with them. */
static size_t close_gaps(const grouping *g, size_t runs)
{
    size_t made = 0;
    for (size_t i = 0; i < runs; i++) {
        const size_t begin = i * RUN, end = g->count - begin < RUN ? g->count : begin + RUN;
        memmove(g->drafts + made, g->drafts + i * MOST_OF_RUN, g->made[i] * sizeof *g->drafts);
        for (size_t t = begin; t < end; t++) {
            g->addresses[t] += tmb_triangle_address((uint32_t)made, 0);
        }
        made += g->made[i];
    }
    return made;
}

int tmb_clusters_group(tmb_arena *arena, uint32_t thread_count, const uint32_t *corners, const uint32_t *order,
                       size_t count, tmb_clusters *out)
{
    TMB_ASSERT(order);
    TMB_ASSERT(thread_count >= 1);
    const size_t runs = (count + RUN - 1) / RUN;
    grouping g = {.corners = corners, .order = order, .count = count};
    g.drafts = tmb_arena_allocate(arena, runs * MOST_OF_RUN, sizeof *g.drafts);
    g.grouped = tmb_arena_allocate(arena, count, sizeof *g.grouped);
    g.addresses = tmb_arena_allocate(arena, count, sizeof *g.addresses);
    g.made = tmb_arena_allocate(arena, runs, sizeof *g.made);
    if (!g.drafts || !g.grouped || !g.addresses || !g.made ||
        !tmb_parallel_for(arena->context, tmb_threads_for(thread_count, runs, 4), runs, 4, group_runs, &g)) {
        return 0;
    }
    *out = (tmb_clusters){g.drafts, close_gaps(&g, runs), g.grouped, g.addresses};
    return 1;
}
