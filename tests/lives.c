#include "lives.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editing.h"
#include "moving.h"

/* ---- Kinds ---- */

static const size_t builds[] = {TEST_TREE_WIDE,         TEST_TREE_WIDE_LONGEST, 0,
                                TEST_TREE_VARIANTS - 1, TEST_TREE_KDOP,         TEST_TREE_KDOP + 7,
                                TEST_TREE_KDOP + 14,    TEST_TREE_RTREE,        TEST_TREE_RTREE + 1,
                                TEST_TREE_RTREE + 2,    TEST_TREE_RTREE + 3};

typedef enum past {
    FRESH,
    DEFORMED,
    SCARRED,  /* polygons of other sizes came and went */
    GROWN,    /* from nothing, in random order */
    REPLACED, /* every polygon went and came again */
    WILD,     /* all of that at random, with a file in between */
    DEFORMED_AND_EDITED,
    PASTS
} past;

typedef enum storage {
    AS_IT_IS,
    IN_A_FILE,
    IN_A_BLOCK,
    STORAGES
} storage;

typedef struct life_kind {
    size_t build;
    past past;
    storage storage;
} life_kind;

static const char *const past_names[PASTS] = {"fresh", "deformed",           "scarred", "grown", "replaced",
                                              "wild",  "deformed and edited"};
static const char *const storage_names[STORAGES] = {"", ", from a file", ", from a block"};

static int is_possible(size_t build, past p)
{
    const int is_inserted = build == TEST_TREE_RTREE + TUMBLE_RTREE_LOAD_INSERT;
    return !is_inserted || (p != DEFORMED && p != DEFORMED_AND_EDITED);
}

/* All that are possible; the number of them for a number that is too large. */
static size_t find_kind(size_t kind, life_kind *out)
{
    size_t count = 0;
    for (size_t b = 0; b < sizeof builds / sizeof *builds; b++) {
        for (int i = 0; i < PASTS * STORAGES; i++) {
            const life_kind own = {builds[b], (past)(i / STORAGES), (storage)(i % STORAGES)};
            if (is_possible(own.build, own.past) && count++ == kind) {
                *out = own;
                return kind;
            }
        }
    }
    return count;
}

size_t test_life_kinds(void)
{
    life_kind none;
    return find_kind(SIZE_MAX, &none);
}

/* ---- A model that is edited ---- */

#define ABSENT UINT32_MAX
#define PATH "test_lives.model"

typedef struct biography {
    tumble_context *context;
    const models_mesh *set;
    tumble_model_options options;
    test_random *random;
    tumble_model *model;
    uint32_t *numbers; /* of the set's polygons; ABSENT: not in the model */
} biography;

/* Polygon i of the set, with points of its own. */
static void append(const biography *b, size_t i, models_mesh *mesh)
{
    uint32_t corners[3];
    for (size_t k = 0; k < 3; k++) {
        const double *p = b->set->points + 3 * (size_t)b->set->indices[3 * i + k];
        corners[k] = models_point(mesh, p[0], p[1], p[2]);
    }
    mesh->surface = b->set->surface_ids[i];
    models_triangle(mesh, corners[0], corners[1], corners[2]);
    assert_false(mesh->failed);
}

static uint32_t insert(const biography *b, models_mesh *mesh)
{
    const tumble_mesh view = models_view(mesh);
    uint32_t first;
    test_assert_status(b->context, tumble_model_insert(b->model, &view, &first), TUMBLE_OK, "");
    models_free(mesh);
    *mesh = (models_mesh){0};
    return first;
}

static uint32_t *shuffled(test_random *random, size_t count)
{
    uint32_t *order = malloc((count + 1) * sizeof *order);
    assert_non_null(order);
    for (size_t i = 0; i < count; i++) {
        const size_t j = (size_t)test_random_whole(random, 0, (int)i);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    return order;
}

/* Those that are absent, in random order, a few at a time. */
static void insert_absent(biography *b)
{
    const size_t count = b->set->polygon_count;
    uint32_t *order = shuffled(b->random, count);
    models_mesh mesh = {0};
    size_t begin = 0;
    for (size_t i = 0; i < count; i++) {
        if (b->numbers[order[i]] == ABSENT) {
            append(b, order[i], &mesh);
            b->numbers[order[i]] = (uint32_t)mesh.polygon_count - 1; /* and the first one's, below */
        } else {
            b->numbers[order[i]] |= 1u << 31; /* it is not one of these */
        }
        if (i + 1 == count || test_random_chance(b->random, 0.3)) {
            const uint32_t first = mesh.polygon_count ? insert(b, &mesh) : 0;
            for (; begin <= i; begin++) {
                uint32_t *number = &b->numbers[order[begin]];
                *number = *number & 1u << 31 ? *number & ~(1u << 31) : *number + first;
            }
        }
    }
    free(order);
}

static void remove_some(biography *b, double share)
{
    const size_t count = b->set->polygon_count;
    uint32_t *order = shuffled(b->random, count), gone[5];
    for (size_t i = 0; i < count;) {
        const size_t most = (size_t)test_random_whole(b->random, 1, 5);
        size_t some = 0;
        for (; i < count && some < most; i++) {
            uint32_t *number = &b->numbers[order[i]];
            if (*number != ABSENT && test_random_chance(b->random, share)) {
                gone[some++] = *number;
                *number = ABSENT;
            }
        }
        test_assert_status(b->context, tumble_model_remove(b->model, gone, some), TUMBLE_OK, "");
    }
    free(order);
}

/* Triangles with the largest coordinates, the smallest and some between. They go by number or by surface. */
static void scar(biography *b)
{
    static const double values[] = {DBL_MAX, -DBL_MAX, 1e300, -1e300, 3.5e38, 1e16,
                                    -1.1,    0.1,      0,     -0.0,   1e-310, -0x1p-1074};
    const uint32_t count = (uint32_t)test_random_whole(b->random, 1, 12), surface = 12345;
    const int by_surface = test_random_whole(b->random, 0, 1);
    models_mesh mesh = {0};
    uint32_t gone[12];
    for (uint32_t i = 0; i < count; i++) {
        const int most = test_random_whole(b->random, 0, 1) ? 11 : 4; /* often all of them are large */
        for (int k = 0; k < 3; k++) {
            double p[3];
            for (int j = 0; j < 3; j++) {
                p[j] = values[test_random_whole(b->random, 0, most)];
            }
            (void)models_point(&mesh, p[0], p[1], p[2]);
        }
        mesh.surface = by_surface ? surface : 0;
        models_triangle(&mesh, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    const uint32_t first = insert(b, &mesh);
    if (test_random_whole(b->random, 0, 1)) {
        remove_some(b, 0.1);
        insert_absent(b);
    }
    for (uint32_t i = 0; i < count; i++) {
        gone[i] = first + i;
    }
    test_assert_status(b->context,
                       by_surface ? tumble_model_remove_surface(b->model, surface)
                                  : tumble_model_remove(b->model, gone, count),
                       TUMBLE_OK, "");
}

/* ---- Pasts ---- */

static void pass_through(biography *b, storage s)
{
    tumble_model *copy = NULL;
    size_t size;
    if (s == IN_A_FILE) {
        test_assert_status(b->context, tumble_model_save(b->model, PATH), TUMBLE_OK, "");
        test_assert_status(b->context, tumble_model_load(b->context, PATH, &copy), TUMBLE_OK, "");
        assert_int_equal(remove(PATH), 0);
    } else if (s == IN_A_BLOCK) {
        const void *block = tumble_model_block(b->model, &size);
        assert_non_null(block);
        test_assert_status(b->context, tumble_model_from_block(b->context, block, size, true, &copy), TUMBLE_OK, "");
    } else {
        return;
    }
    tumble_model_destroy(b->model);
    b->model = copy;
}

/* Of the whole set. */
static void begin_fresh(biography *b)
{
    b->model = test_model(b->context, b->set, &b->options);
    for (size_t i = 0; i < b->set->polygon_count; i++) {
        b->numbers[i] = (uint32_t)i;
    }
}

static void begin_empty(biography *b)
{
    const models_mesh nothing = {0};
    b->model = test_model(b->context, &nothing, &b->options);
    memset(b->numbers, 0xff, b->set->polygon_count * sizeof *b->numbers);
}

static void begin_deformed(biography *b)
{
    models_mesh before = test_share(b->set);
    tumble_model *deformed = NULL;
    test_move(&before, b->set, (enum test_motion)test_random_whole(b->random, 0, TEST_MOTIONS - 1), b->random);
    for (size_t i = 0; i < 3 * before.point_count; i++) {
        before.points[i] = isfinite(before.points[i]) ? before.points[i] : 1;
    }
    tumble_model *model = test_model(b->context, &before, &b->options);
    test_deform(b->context, model, b->set, &deformed);
    if (test_random_whole(b->random, 0, 1)) { /* into the memory of an earlier one */
        test_deform(b->context, model, &before, &deformed);
        test_deform(b->context, model, b->set, &deformed);
    }
    tumble_model_destroy(model);
    free(before.points);
    for (size_t i = 0; i < b->set->polygon_count; i++) {
        b->numbers[i] = (uint32_t)i;
    }
    b->model = deformed;
}

static void edit_wildly(biography *b)
{
    for (int i = 0; i < 4; i++) {
        switch (test_random_whole(b->random, 0, 4)) {
        case 0: scar(b); break;
        case 1: remove_some(b, 0.5); break;
        case 2: remove_some(b, 1); break;
        case 3: insert_absent(b); break;
        default: pass_through(b, IN_A_FILE); break;
        }
        if (b->model->edit) {
            test_check_edit(b->model);
        }
    }
    insert_absent(b);
}

static void live(biography *b, past p)
{
    if (p == DEFORMED || p == DEFORMED_AND_EDITED) {
        begin_deformed(b);
    } else if (p == GROWN) {
        begin_empty(b);
    } else {
        begin_fresh(b);
    }
    switch (p) {
    case FRESH:
    case DEFORMED: break;
    case SCARRED: scar(b); break;
    case GROWN: insert_absent(b); break;
    case REPLACED:
        remove_some(b, 1);
        insert_absent(b);
        break;
    default: edit_wildly(b); break;
    }
}

/* ---- What it is compared with ---- */

typedef struct numbered {
    uint32_t number, polygon;
} numbered;

static int by_number(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static void make_fresh(const biography *b, test_life *life)
{
    const size_t count = life->count = b->set->polygon_count;
    numbered *all = malloc((count + 1) * sizeof *all);
    models_mesh mesh = {0};
    life->numbers = malloc((count + 1) * sizeof *life->numbers);
    assert_true(all && life->numbers);
    for (size_t i = 0; i < count; i++) {
        all[i] = (numbered){b->numbers[i], (uint32_t)i};
    }
    qsort(all, count, sizeof *all, by_number);
    for (size_t i = 0; i < count; i++) {
        append(b, all[i].polygon, &mesh);
        life->numbers[i] = all[i].number;
    }
    life->fresh = test_brute_model(b->context, &mesh);
    models_free(&mesh);
    free(all);
}

test_life test_life_make(tumble_context *context, const models_mesh *set, size_t kind, test_random *random)
{
    test_life life = {.model = NULL};
    life_kind own = {0};
    assert_int_equal(find_kind(kind, &own), kind);
    biography b = {.context = context, .set = set, .options = test_tree_variant(own.build), .random = random};
    b.numbers = malloc((set->polygon_count + 1) * sizeof *b.numbers);
    assert_non_null(b.numbers);
    live(&b, own.past);
    pass_through(&b, own.storage);
    (void)snprintf(life.name, sizeof life.name, "%s, %s%s", past_names[own.past], test_tree_name(own.build),
                   storage_names[own.storage]);
    make_fresh(&b, &life);
    life.model = b.model;
    free(b.numbers);
    return life;
}

void test_life_free(test_life *life)
{
    tumble_model_destroy(life->model);
    tumble_model_destroy(life->fresh);
    free(life->numbers);
}

uint32_t test_life_rank(const test_life *life, uint32_t number)
{
    size_t low = 0, high = life->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (life->numbers[middle] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == life->count || life->numbers[low] != number) {
        fail_msg("%s: there is no polygon %u", life->name, number);
    }
    return (uint32_t)low;
}
