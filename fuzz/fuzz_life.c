/* The life of a model, from bytes: it is built, deformed, saved, loaded, and edited, rightly and wrongly. After every
 * step it must answer as a fresh model of the same polygons does: pairs, contacts, distances, relations and errors. */
#include <stdio.h>

#include "fuzz_scene.h"

enum {
    STEPS_MOST = 6,
    BOOK_MOST = 64,
    CORNERS_MOST = 5,
    ROOM = 400,
    BUDGET = 100 /* of exact comparisons, see exact_cost */
};

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

/* ---- What the model should be ---- */

typedef struct polygon {
    double corners[CORNERS_MOST][3];
    uint32_t size, surface;
    int is_removed;
} polygon;

/* Polygons by their numbers. */
typedef struct book {
    polygon polygons[BOOK_MOST];
    uint32_t count;
} book;

static int has_larger(const book *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->polygons[i].size > 3) {
            return 1;
        }
    }
    return 0;
}

/* A mesh of those that are there, each with points of its own, and their numbers. */
typedef struct plain_mesh {
    double points[3 * CORNERS_MOST * BOOK_MOST];
    uint32_t indices[CORNERS_MOST * BOOK_MOST], sizes[BOOK_MOST], surfaces[BOOK_MOST], numbers[BOOK_MOST];
    tumble_mesh mesh;
} plain_mesh;

static void write_out(const book *all, uint32_t from, plain_mesh *out)
{
    uint32_t corners = 0, polygons = 0;
    for (uint32_t i = from; i < all->count; i++) {
        const polygon *one = &all->polygons[i];
        for (uint32_t k = 0; k < one->size && !one->is_removed; k++, corners++) {
            memcpy(out->points + (size_t)3 * corners, one->corners[k], sizeof one->corners[k]);
            out->indices[corners] = corners;
        }
        if (!one->is_removed) {
            out->sizes[polygons] = one->size;
            out->surfaces[polygons] = one->surface;
            out->numbers[polygons++] = i;
        }
    }
    out->mesh = tumble_default_mesh();
    out->mesh.points = out->points, out->mesh.point_count = corners;
    out->mesh.indices = out->indices, out->mesh.index_count = corners;
    out->mesh.polygon_sizes = out->sizes, out->mesh.polygon_count = polygons;
    out->mesh.surface_ids = out->surfaces;
}

/* Adds the polygons of a mesh, as far as there is room. */
static void next_polygons(bytes *in, book *all, size_t most)
{
    static small_mesh small;
    next_mesh(in, &small);
    next_copies(in, COPIES_FEW, &small);
    give_surfaces(&small);
    const uint32_t *corner = small.corners;
    for (size_t i = 0; i < small.mesh.polygon_count && i < most && all->count < BOOK_MOST; i++) {
        polygon *one = &all->polygons[all->count++];
        *one = (polygon){.size = small.sizes[i], .surface = small.surfaces[i]};
        for (uint32_t k = 0; k < one->size; k++, corner++) {
            memcpy(one->corners[k], small.points + (size_t)3 * *corner, sizeof one->corners[k]);
        }
    }
}

/* ---- The model ---- */

typedef struct life {
    bytes in;
    tumble_context *context;
    tumble_query *query;
    book book;
    plain_mesh built; /* what it was built of, for deforming */
    tumble_model *model;
    void *block; /* that it lives in, or NULL */
    int is_edited;
    small_mesh other_mesh;
    tumble_model *other;
    tumble_pose poses[2];
} life;

static void insert(life *l)
{
    static plain_mesh mesh;
    const uint32_t first = l->book.count;
    uint32_t told = 0;
    next_polygons(&l->in, &l->book, 8);
    write_out(&l->book, first, &mesh);
    const tumble_status status = tumble_model_insert(l->model, &mesh.mesh, &told);
    require(status == TUMBLE_OK && (told == first || mesh.mesh.polygon_count == 0), "inserting");
    l->is_edited |= mesh.mesh.polygon_count > 0;
}

/* Some may be given twice, or not exist: then nothing happens. */
static void remove_some(life *l)
{
    uint32_t numbers[4];
    const size_t count = next(&l->in) % 5;
    int is_good = 1;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = next(&l->in) % (l->book.count + 1);
        is_good &= numbers[i] < l->book.count && !l->book.polygons[numbers[i]].is_removed;
        for (size_t k = 0; k < i; k++) {
            is_good &= numbers[k] != numbers[i];
        }
    }
    const tumble_status status = tumble_model_remove(l->model, numbers, count);
    require(status == (is_good ? TUMBLE_OK : TUMBLE_ERROR_INDEX), "removing polygons");
    for (size_t i = 0; i < count && status == TUMBLE_OK; i++) {
        l->book.polygons[numbers[i]].is_removed = 1;
        l->is_edited = 1;
    }
}

static void remove_surface(life *l)
{
    const uint32_t surface = next(&l->in) % (SURFACES_MOST + 1);
    uint32_t removed = 0;
    for (uint32_t i = 0; i < l->book.count; i++) {
        polygon *one = &l->book.polygons[i];
        if (one->surface == surface && !one->is_removed) {
            one->is_removed = 1;
            removed++;
        }
    }
    const tumble_status status = tumble_model_remove_surface(l->model, surface);
    require(status == (removed ? TUMBLE_OK : TUMBLE_ERROR_INDEX), "removing a surface");
    l->is_edited |= removed > 0;
}

/* Larger polygons would keep their old triangles, which a fresh model need not have. */
static void deform(life *l)
{
    const number_kind kind = next_kind(&l->in);
    tumble_model *deformed = NULL;
    double *points = l->built.points;
    for (size_t i = 0; i < l->built.mesh.point_count; i++) {
        points[3 * i + i % 3] = finite(points[3 * i + i % 3] + next_number(&l->in, &kind));
    }
    const tumble_status status = tumble_model_deform(l->model, &l->built.mesh, &deformed);
    if (l->is_edited || has_larger(&l->book)) {
        require(l->is_edited == (status == TUMBLE_ERROR_UNSUPPORTED) || !l->is_edited,
                "edited models are not deformed");
        tumble_model_destroy(deformed);
        return;
    }
    require(status == TUMBLE_OK, "deforming");
    for (uint32_t i = 0; i < l->book.count; i++) {
        memcpy(l->book.polygons[i].corners, points + (size_t)9 * i, 9 * sizeof *points);
    }
    tumble_model_destroy(l->model);
    l->model = deformed;
}

static void reload(life *l, int copies)
{
    size_t size;
    const void *block = tumble_model_block(l->model, &size);
    require(block != NULL, "a block");
    void *kept = aligned_alloc(64, (size + 63) / 64 * 64);
    tumble_model *loaded = NULL;
    require(kept != NULL, "memory");
    memcpy(kept, block, size);
    require(tumble_model_from_block(l->context, kept, size, copies, &loaded) == TUMBLE_OK, "loading");
    tumble_model_destroy(l->model);
    free(l->block);
    l->model = loaded;
    l->block = kept;
}

static void step(life *l)
{
    switch (next(&l->in) % 8) {
    case 0: remove_some(l); break;
    case 1: remove_surface(l); break;
    case 2: deform(l); break;
    case 3: reload(l, 0); break;
    case 4: reload(l, 1); break;
    default: insert(l); break;
    }
}

/* ---- Answers ---- */

typedef struct answers {
    tumble_status status[3];
    tumble_collide_result collide;
    tumble_pair pairs[ROOM];
    tumble_contact contacts[ROOM];
    tumble_distance_result distance;
    tumble_relation_result relation;
    char message[256];
} answers;

static void ask(const life *l, const tumble_model *model, answers *out)
{
    tumble_collide_options options = tumble_default_collide_options();
    memset(out, 0, sizeof *out);
    options.pairs = out->pairs;
    options.contacts = out->contacts;
    options.pair_capacity = options.contact_capacity = ROOM;
    out->status[0] = tumble_collide(l->query, model, &l->poses[0], l->other, &l->poses[1], &options, &out->collide);
    if (out->status[0] != TUMBLE_OK) {
        (void)tumble_query_error(l->query, out->message, sizeof out->message);
    }
    out->status[1] = tumble_distance(l->query, model, &l->poses[0], l->other, &l->poses[1], NULL, &out->distance);
    out->status[2] = tumble_relate(l->query, l->other, &l->poses[1], model, &l->poses[0], &out->relation);
}

/* The fresh model numbers the polygons that are there; numbers grow, so the order stays. */
static void renumber(answers *fresh, const uint32_t *numbers)
{
    for (size_t i = 0; i < fresh->collide.pair_count && i < ROOM; i++) {
        fresh->pairs[i].polygon_a = numbers[fresh->pairs[i].polygon_a];
    }
    for (size_t i = 0; i < fresh->collide.contact_count && i < ROOM; i++) {
        fresh->contacts[i].polygon_a = numbers[fresh->contacts[i].polygon_a];
    }
}

static int is_near(double x, double y)
{
    return x == y || fabs(x - y) <= 1e-13 * fabs(y) + 0x1p-1070;
}

static void compare(const answers *found, const answers *fresh)
{
    require(memcmp(found->status, fresh->status, sizeof fresh->status) == 0, "the same statuses");
    require(strcmp(found->message, fresh->message) == 0, "the same message");
    if (fresh->status[0] == TUMBLE_OK) {
        require(found->collide.pair_count == fresh->collide.pair_count &&
                    found->collide.contact_count == fresh->collide.contact_count,
                "the same numbers of pairs and contacts");
        require(memcmp(found->pairs, fresh->pairs, sizeof fresh->pairs) == 0, "the same pairs");
        require(memcmp(found->contacts, fresh->contacts, sizeof fresh->contacts) == 0, "the same contacts");
    }
    if (fresh->status[1] == TUMBLE_OK) {
        require(found->distance.answer == fresh->distance.answer &&
                    is_near(found->distance.lower, fresh->distance.lower),
                "the same distance");
    }
    if (fresh->status[2] == TUMBLE_OK) {
        require(found->relation.relation == fresh->relation.relation &&
                    found->relation.closed_a == fresh->relation.closed_a &&
                    found->relation.closed_b == fresh->relation.closed_b,
                "the same relation");
    }
}

static void check_answers(const life *l)
{
    static plain_mesh mesh;
    static answers found, expected;
    tumble_model *fresh = NULL;
    tumble_model_info info;
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    write_out(&l->book, 0, &mesh);
    require(tumble_model_create(l->context, &mesh.mesh, &options, &fresh) == TUMBLE_OK, "a fresh model");
    ask(l, fresh, &expected);
    renumber(&expected, mesh.numbers);
    ask(l, l->model, &found);
    compare(&found, &expected);
    require(tumble_model_get_info(l->model, &info) == TUMBLE_OK && info.polygon_count == mesh.mesh.polygon_count,
            "the number of polygons");
    tumble_model_destroy(fresh);
}

/* ---- One input ---- */

/* Numbers of very different sizes, for which few triangles are enough work. */
static int is_costly(const life *l, size_t polygons)
{
    static small_mesh meshes[2];
    for (uint32_t i = 0; i < l->book.count && i < POINTS_MOST; i++) {
        memcpy(meshes[0].points + (size_t)3 * i, l->book.polygons[i].corners[i % 3], sizeof(double[3]));
    }
    meshes[0].mesh.point_count = l->book.count < POINTS_MOST ? l->book.count : POINTS_MOST;
    meshes[1] = l->other_mesh;
    return polygons * l->other_mesh.mesh.polygon_count * exact_cost(meshes, l->poses) > BUDGET;
}

static void begin(life *l)
{
    static const tumble_hierarchy kinds[] = {TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_WIDE,
                                             TUMBLE_HIERARCHY_KDOP,  TUMBLE_HIERARCHY_WIDE,  TUMBLE_HIERARCHY_BOXTREE,
                                             TUMBLE_HIERARCHY_KDOP,  TUMBLE_HIERARCHY_BRUTE};
    const unsigned choice = next(&l->in);
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = kinds[choice & 7];
    options.deformable = choice >> 3 & 1;
    tumble_tuning tuning = tumble_default_tuning();
    tuning.boxtree.layout = (tumble_boxtree_layout)(choice >> 4 & 1);
    tuning.kdop.tumble = choice >> 5 & 1 ? TUMBLE_KDOP_TUMBLE_LOOKUP : TUMBLE_KDOP_TUMBLE_AUTO;
    tuning.kdop.hull = choice >> 6 & 1;
    tuning.kdop.leaf = choice >> 7 ? 1 : 8;
    options.tuning = &tuning;
    l->poses[0] = next_pose(&l->in, l->context);
    l->poses[1] = next_pose(&l->in, l->context);
    next_mesh(&l->in, &l->other_mesh);
    cut_mesh(&l->other_mesh, 3);
    next_polygons(&l->in, &l->book, 16);
    write_out(&l->book, 0, &l->built);
    require(tumble_model_create(l->context, &l->built.mesh, &options, &l->model) == TUMBLE_OK, "a model");
    l->other = make(l->context, &l->other_mesh, NULL);
    require(tumble_query_create(l->context, &l->query) == TUMBLE_OK, "a query");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static life l;
    memset(&l, 0, sizeof l);
    l.in = (bytes){data, size};
    l.context = kept_context(0);
    begin(&l);
    for (int i = 0; i < STEPS_MOST && l.in.size; i++) {
        step(&l);
        if (is_costly(&l, l.book.count)) {
            break;
        }
        check_answers(&l);
    }
    tumble_model_destroy(l.model);
    free(l.block);
    tumble_model_destroy(l.other);
    tumble_query_destroy(l.query);
    return 0;
}
