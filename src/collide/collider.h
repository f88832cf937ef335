/* A collision query in progress: the two models, the triangle test, and where results go. Walkers call
 * tmb_collider_leaf. */
#ifndef TUMBLE_SRC_COLLIDE_COLLIDER_H
#define TUMBLE_SRC_COLLIDE_COLLIDER_H

#include "base/assert.h"
#include "base/sort.h"
#include "collide/pair_set.h"
#include "math/scaled.h"
#include "query/encounter.h"
#include "tree/tuning.h"

/* The surfaces of a cluster's triangles. */
typedef struct tmb_cluster_surfaces {
    uint32_t cluster;
    int is_one; /* all are the same */
    uint32_t ids[TMB_CLUSTER_TRIANGLES];
} tmb_cluster_surfaces;

#define TMB_KNOWN_CLUSTERS 64 /* of each model, whose surfaces are kept in a direct-mapped table */

/* What a query with coherence leaves to the next one: see collide/front.h. */
typedef struct tmb_hot {
    uint64_t model_a, model_b; /* checksums of the models */
    int has_pair;
    uint32_t pair[2];                     /* addresses of triangles that intersected last */
    tumble_pose relative;                 /* of the last query that looked where B is */
    tmb_buffer kept, stack;               /* pairs of nodes: the front, and those that wait in a walk */
    tmb_buffer walk;                      /* tables of a walk */
    const struct tmb_front_walk *walk_of; /* that has left the front; NULL: there is none */
    size_t kept_count, fresh_count;       /* pairs of the front now, and when it was begun */
    double moved;                         /* no point of B has moved farther since then */
    double cold_work, fresh_work;         /* of a walk without a front, and of beginning this one */
    double cold_share;                    /* the first in terms of the second; 0: not known */
    double used_work;                     /* of all walks with this front, */
    uint32_t uses, life;                  /* which are so many; after how many it is begun anew */
    uint32_t failures, pause;             /* fronts in a row that did not pay; queries until the next one is begun */
} tmb_hot;

/* What collision queries keep in a query's handle. */
typedef struct tmb_collide_scratch {
    tmb_buffer stack;    /* of a walker */
    tmb_buffer walk;     /* the walker's tables */
    tmb_buffer pairs;    /* tumble_pair */
    tmb_buffer contacts; /* tumble_contact */
    tmb_buffer surfaces; /* tumble_surface_pair */
    tmb_buffer seen;     /* the sets of polygon pairs and of surface pairs */
    tmb_buffer seen_surfaces;
    tmb_buffer sort;   /* tmb_sort_item, twice as many as results */
    tmb_buffer sorted; /* contacts or surface pairs, until they take the place of the unsorted ones */
    /* Of queries for pairs of surfaces: */
    tmb_cluster_surfaces clusters_a[TMB_KNOWN_CLUSTERS], clusters_b[TMB_KNOWN_CLUSTERS];
    tmb_hot hot;
} tmb_collide_scratch;

/* NULL if memory runs out. */
tmb_collide_scratch *tmb_collide_scratch_of(tumble_query *query);

/* Results of one kind, in a buffer of the query. */
typedef struct tmb_result_list {
    int keep;           /* whether they are stored at all */
    int keep_delivered; /* and stay stored once a callback has seen them, to be sorted in the end */
    size_t stored, delivered;
} tmb_result_list;

/* All of them, sorted; NULL when none are there. */
static inline const void *tmb_result_view(const tmb_result_list *list, const tmb_buffer *buffer)
{
    return list->keep_delivered && list->stored ? buffer->data : NULL;
}

/* Two triangles, by their addresses, and whether they are known to intersect. */
typedef struct tmb_given_pair {
    uint32_t a, b, is_hit;
} tmb_given_pair;

typedef struct tmb_collider tmb_collider;

/* Another question that a collision query serves. `on_hit` sees each pair of triangles that intersect, and ends the
 * query with a nonzero result; mode FIRST then continues until that. `on_contact` gets them instead of the list of
 * contacts, in A's frame, and may set the status. Either may be NULL. */
typedef struct tmb_hit_sink {
    int (*on_hit)(void *user, uint32_t ta, uint32_t tb);
    void (*on_contact)(void *user, tmb_collider *collider, tumble_pair pair, const double a[3][3],
                       const double b[3][3]);
    void *user;
} tmb_hit_sink;

struct tmb_collider {
    tmb_encounter encounter;
    tmb_collide_scratch *scratch;
    const tmb_cluster_place *places_a; /* A's geometry, which every test of a leaf examines first */
    const uint32_t *clusters_a;
    int is_float_a;
    const tumble_collide_options *options;
    const tumble_tuning *tuning;
    int wants_views; /* results stay in the query's memory, sorted */
    tmb_hit_sink sink;
    int is_thin;       /* radii do not count */
    int one;           /* the first hit ends the query */
    int by_surface;    /* triangles of surfaces known to intersect are skipped */
    double limit;      /* triangles within this distance, in A's frame, count as intersecting: rounded up, */
    tmb_limit near;    /* and as it is */
    int has_radii;     /* ... that is, within that of the thickest polygons; others have limits of their own */
    int has_flat_ends; /* and one of the models consists of cylinders, which are less than that */
    int is_special;    /* clusters are compared by a kernel of its own: by_surface, or limit is not 0 */

    /* the triangle of B that was moved last, by its address: leaves come in runs */
    uint32_t moved_triangle;
    double moved[3][3], moved_lower[3], moved_upper[3]; /* and its box, enlarged by the limit */

    int is_hot; /* starts with what the last query has left */
    int collide;
    tumble_pair first;
    uint32_t first_triangles[2];                            /* their addresses */
    uint64_t pair_count, contact_count, surface_pair_count; /* found */
    int want_contacts, want_surfaces;                       /* whether they are searched for */
    tmb_result_list pairs, contacts, surfaces;
    size_t waiting;     /* results that no callback has seen */
    size_t batch;       /* this many are delivered together */
    int has_duplicates; /* a polygon pair may come up more than once */
    tmb_pair_set seen, seen_surfaces;

    const tmb_given_pair *given; /* not NULL: these are examined instead of a walk, */
    size_t given_count;          /* so many */
};

/* A question about two models, without poses yet. */
void tmb_collider_begin(tmb_collider *collider, tumble_query *query, const tumble_model *a, const tumble_model *b,
                        const tumble_collide_options *options);

/* Answers it, from the poses to the results; the same in three steps, of which the second sets the status, and the
 * third is tmb_results_end. */
tumble_status tmb_collider_run(tmb_collider *collider, const tumble_pose *pose_a, const tumble_pose *pose_b);

tumble_status tmb_collider_prepare(tmb_collider *collider, const tumble_pose *pose_a, const tumble_pose *pose_b);
void tmb_collider_walk(tmb_collider *collider);

/* tumble_collide, restricted to these pairs, which another traversal has left. The options are valid. */
tumble_status tmb_collide_given(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                const tumble_model *b, const tumble_pose *pose_b, const tumble_collide_options *options,
                                const tmb_given_pair *given, size_t given_count, tumble_collide_result *result);

/* What it has found. */
void tmb_collider_report(const tmb_collider *collider, double seconds, tumble_collide_result *result);

/* Whether the surfaces of two triangles are known to intersect, when surfaces are asked for. */
static inline int tmb_surfaces_are_known(const tmb_collider *collider, uint32_t ta, uint32_t tb)
{
    TMB_ASSERT(collider->by_surface);
    const uint32_t a = tmb_model_surface(collider->encounter.a, tmb_model_polygon(collider->encounter.a, ta));
    const uint32_t b = tmb_model_surface(collider->encounter.b, tmb_model_polygon(collider->encounter.b, tb));
    return tmb_pair_set_has(&collider->seen_surfaces, tmb_polygon_key(a, b));
}

/* The same for all triangles of two clusters; 0 also when these are of several surfaces. */
int tmb_clusters_are_known(const tmb_collider *collider, uint32_t cluster_a, uint32_t cluster_b);

/* The surfaces of a cluster of A or B, valid until those of the next are asked for. */
const tmb_cluster_surfaces *tmb_surfaces_of_a(const tmb_collider *collider, uint32_t cluster);
const tmb_cluster_surfaces *tmb_surfaces_of_b(const tmb_collider *collider, uint32_t cluster);

/* Tests the triangles at the addresses ta of A and tb of B, unless their surfaces are known to intersect and nothing
 * more is asked, and records a hit. Returns 1 when the query is to stop. */
int tmb_collider_leaf(tmb_collider *collider, uint32_t ta, uint32_t tb);

/* The same for triangles that are known to be a hit. */
int tmb_collider_hit(tmb_collider *collider, uint32_t ta, uint32_t tb);

/* Drops the clusters of the last query. */
void tmb_cluster_surfaces_begin(tmb_collide_scratch *scratch);

/* Results: begin before the walk; add a pair of intersecting triangles (1: stop); end sorts and copies to the caller's
 * arrays. */
tumble_status tmb_results_begin(tmb_collider *collider);
int tmb_results_add(tmb_collider *collider, uint32_t ta, uint32_t tb, double corners_a[3][3], double corners_b[3][3]);
tumble_status tmb_results_end(tmb_collider *collider);

/* Contacts are sorted by items that have their addresses as values: by the polygons, then by the points. Returns
 * whichever of the two arrays holds the result. */
tmb_sort_item *tmb_sort_contacts(tmb_sort_item *items, tmb_sort_item *scratch, size_t count);
static inline tmb_sort_item tmb_contact_item(const tumble_contact *contact)
{
    return (tmb_sort_item){tmb_polygon_key(contact->polygon_a, contact->polygon_b), (uintptr_t)contact};
}
static inline const tumble_contact *tmb_contact_of(const tmb_sort_item *item)
{
    return (const tumble_contact *)(uintptr_t)item->value; /* NOLINT(performance-no-int-to-ptr) */
}

/* Ends a query at its watch's request. */
void tmb_collider_cancel(tmb_collider *collider);

/* Walks of single hierarchies. Each visits every pair of triangles that can be a hit, until tmb_collider_leaf says stop
 * or status is not OK. 0: it does not do for these models, and has done nothing, or there is a status. */
int tmb_collide_brute(tmb_collider *collider);
int tmb_collide_boxtree(tmb_collider *collider);
int tmb_collide_wide(tmb_collider *collider);
int tmb_collide_kdop(tmb_collider *collider);
int tmb_collide_rtree(tmb_collider *collider);

/* The walk for all others. */
void tmb_collide_boxes(tmb_collider *collider);

#endif
