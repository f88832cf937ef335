/* How far must two models be moved to part them? Known solids, and a direction against exact arithmetic. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"
#include "span_oracle.h"
#include "tumble/ray.h"

enum {
    TRIANGLES = 8,
    HIERARCHIES = 5
};

static const tumble_hierarchy hierarchies[HIERARCHIES] = {TUMBLE_HIERARCHY_BRUTE, TUMBLE_HIERARCHY_WIDE,
                                                          TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                                          TUMBLE_HIERARCHY_RTREE};

static tumble_model *model_of(test_world *w, const models_mesh *mesh, int hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchies[hierarchy];
    return test_model(w->context, mesh, &options);
}

static void add_box(models_mesh *mesh, double x, double y, double z, double sx, double sy, double sz)
{
    static const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    const uint32_t first = (uint32_t)mesh->point_count;
    for (int i = 0; i < 8; i++)
        models_point(mesh, x + (i & 1 ? sx : 0), y + (i & 2 ? sy : 0), z + (i & 4 ? sz : 0));
    for (int i = 0; i < 6; i++)
        models_quad(mesh, first + faces[i][0], first + faces[i][1], first + faces[i][2], first + faces[i][3]);
}

static tumble_model *make_box(test_world *w, double x, double y, double z, double sx, double sy, double sz)
{
    models_mesh mesh = {0};
    add_box(&mesh, x, y, z, sx, sy, sz);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

static tumble_model *make_shape(test_world *w, const char *name, double size)
{
    const models_shape *shape = models_find_shape(name);
    double values[MODELS_PARAMETERS];
    models_mesh mesh = {0};
    models_defaults(shape, values);
    shape->make(&mesh, values);
    models_fit(&mesh, size, 0);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

static tumble_relation relation_at(test_world *w, const tumble_model *a, const tumble_pose *pose_a,
                                   const tumble_model *b, const tumble_pose *pose_b)
{
    tumble_relation_result r;
    assert_int_equal(tumble_relate(w->query, a, pose_a, b, pose_b, &r), TUMBLE_OK);
    return r.relation;
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Asks, and checks what holds for every answer. */
static tumble_separate_result separate(test_world *w, const tumble_model *a, const tumble_pose *pose_a,
                                       const tumble_model *b, const tumble_pose *pose_b,
                                       const tumble_separate_options *options)
{
    tumble_separate_result r;
    test_assert_status(w->context, tumble_separate(w->query, a, pose_a, b, pose_b, options, &r), TUMBLE_OK, "");
    assert_true(r.lower >= 0 && r.lower <= r.upper);
    if (r.upper < INFINITY) {
        const tumble_relation after = relation_at(w, a, pose_a, b, &r.pose_b);
        assert_true(after == TUMBLE_RELATION_APART || after == TUMBLE_RELATION_UNDEFINED ||
                    (options && options->touching && after == TUMBLE_RELATION_TOUCHING));
        assert_true(length_of(r.translation) <= r.upper * (1 + 1e-15));
    }
    return r;
}

static tumble_pose shifted(double x, double y, double z)
{
    tumble_pose pose = tumble_pose_identity();
    pose.m[0][3] = x;
    pose.m[1][3] = y;
    pose.m[2][3] = z;
    return pose;
}

/* ---- Known solids ---- */

/* Boxes part along the axis in which they overlap least. */
static void boxes(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_box(w, 0, 0, 0, 2, 3, 4), *b = make_box(w, 0, 0, 0, 1, 1, 1);
    test_random random = {5};
    for (size_t n = 0; n < test_count(60); n++) {
        double at[3], least = INFINITY;
        static const double sizes[3] = {2, 3, 4};
        for (int k = 0; k < 3; k++) {
            at[k] = -0.9 + (sizes[k] + 0.8) * test_random_unit(&random);
            least = fmin(least, fmin(at[k] + 1, sizes[k] - at[k]));
        }
        const tumble_pose pose = shifted(at[0], at[1], at[2]);
        const tumble_separate_result r = separate(w, a, NULL, b, &pose, NULL);
        assert_int_equal(r.answer, TUMBLE_YES);
        assert_true(r.upper >= least * (1 - 1e-14) && r.upper <= least * (1 + 1e-12));
        assert_true(r.lower <= least * (1 + 1e-14) && r.lower > 0);
        assert_true(fabs(length_of(r.normal) - 1) < 1e-14);
    }
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* The same box twice: half a side from everywhere, on both sides. The bounds meet. */
static void same_box(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_box(w, 0, 0, 0, 2, 2, 2);
    const tumble_separate_result r = separate(w, a, NULL, a, NULL, NULL);
    assert_true(r.upper >= 2 && r.upper < 2 + 1e-12);
    assert_true(r.lower <= 2 && r.lower > 2 - 1e-9);
    assert_true(fabs(r.depth_a - 1) < 1e-9 && fabs(r.depth_b - 1) < 1e-9);
    tumble_model_destroy(a);
}

/* Balls, also one within the other: the sum of the radii less the distance of the centres, nearly. */
static void balls(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_shape(w, "sphere", 2), *b = make_shape(w, "sphere", 1);
    static const double distances[] = {0, 0.1, 0.3, 0.45, 0.7, 1.1, 1.4};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        const double d = distances[i], depth = 1.5 - d;
        const tumble_pose pose = shifted(0.6 * d, 0, 0.8 * d);
        const tumble_separate_result r = separate(w, a, NULL, b, &pose, NULL);
        assert_true(r.upper > 0.97 * depth && r.upper < 1.01 * depth);
        assert_true(r.lower > 0.97 * depth && r.lower < 1.001 * depth);
    }
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* The way out of a room, or only away from its wall. */
static void room(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0}, hole = {0};
    tumble_separate_options options = tumble_default_separate_options();
    test_make_grid_box(&mesh, 2);
    test_make_grid_box(&hole, 2);
    models_fit(&mesh, 10, 0);
    models_fit(&hole, 8, 0);
    models_append(&mesh, &hole, NULL);
    tumble_model *walls = test_model(w->context, &mesh, NULL), *chair = make_box(w, -0.5, -0.5, -0.5, 1, 1, 1);
    const tumble_pose in_floor = shifted(0, 0, -3.75), inside_wall = shifted(0, 0, 4.5);
    options.direction[2] = 3;
    tumble_separate_result r = separate(w, walls, NULL, chair, &in_floor, &options);
    assert_true(r.lower <= 0.25 && r.upper >= 0.25 && r.upper - r.lower < 1e-14 && r.is_tight);
    options.direction[2] = -1;
    r = separate(w, walls, NULL, chair, &in_floor, &options); /* through the floor */
    assert_true(r.lower <= 1.75 && r.upper >= 1.75 && r.upper - r.lower < 1e-14);
    r = separate(w, walls, NULL, chair, &in_floor, NULL);
    assert_true(r.upper >= 0.25 && r.upper < 0.25 + 1e-12 && r.lower > 0.2499);
    r = separate(w, walls, NULL, chair, &inside_wall, NULL); /* flush with both of its sides */
    assert_true(r.upper >= 1 && r.upper < 1 + 1e-12 && r.lower > 0.99);
    tumble_model_destroy(walls);
    tumble_model_destroy(chair);
    models_free(&mesh);
    models_free(&hole);
}

/* A small ball deep in a large one: surfaces do not meet at first. */
static void contained(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_box(w, -3, -3, -3, 6, 6, 6), *b = make_box(w, -0.5, -0.5, -0.5, 1, 1, 1);
    tumble_separate_options options = tumble_default_separate_options();
    options.direction[0] = 2;
    const tumble_pose pose = shifted(1, 0.25, 0);
    tumble_separate_result r = separate(w, a, NULL, b, &pose, &options);
    assert_int_equal(r.relation, TUMBLE_RELATION_B_IN_A);
    assert_true(r.is_tight && r.lower_along == 1.25 && r.upper_along == 1.25);
    r = separate(w, b, &pose, a, NULL, &options);
    assert_int_equal(r.relation, TUMBLE_RELATION_A_IN_B);
    assert_true(r.is_tight && r.lower_along == 2.25 && r.upper_along == 2.25);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* Within a length: yes, no, and what touching means. */
static void limits(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_box(w, 0, 0, 0, 1, 1, 1);
    tumble_separate_options options = tumble_default_separate_options();
    const tumble_pose overlap = shifted(0.75, 0.1, 0.2), flush = shifted(1, 0, 0), far_away = shifted(3, 0, 0);
    options.within = options.enough = 0.25 + 1e-9;
    assert_int_equal(separate(w, a, NULL, a, &overlap, &options).answer, TUMBLE_YES);
    options.within = options.enough = 0.25 - 1e-9;
    assert_int_equal(separate(w, a, NULL, a, &overlap, &options).answer, TUMBLE_NO);
    options = tumble_default_separate_options();
    tumble_separate_result r = separate(w, a, NULL, a, &flush, &options);
    assert_int_equal(r.relation, TUMBLE_RELATION_TOUCHING);
    assert_true(r.upper > 0 && r.upper < 1e-12 && r.lower == 0);
    options.touching = true;
    r = separate(w, a, NULL, a, &flush, &options);
    assert_true(r.upper == 0 && r.lower == 0 && r.answer == TUMBLE_YES);
    r = separate(w, a, NULL, a, &overlap, &options);
    assert_true(r.translation[0] == 0.25 && r.upper < 0.25 + 1e-15);
    options.direction[0] = 1;
    r = separate(w, a, NULL, a, &overlap, &options);
    assert_true(r.lower_along == 0.25 && r.upper_along == 0.25 && r.is_tight && r.translation[0] == 0.25);
    assert_true(r.lower > 0.25 - 1e-15 && r.upper < 0.25 + 1e-15);
    r = separate(w, a, NULL, a, &far_away, NULL);
    assert_int_equal(r.relation, TUMBLE_RELATION_APART);
    assert_true(r.upper == 0 && r.last.polygon_a == TUMBLE_NO_POLYGON);
    tumble_model_destroy(a);
}

/* ---- Along a direction ---- */

typedef struct lattice {
    models_mesh meshes[2];
    tumble_model *models[2][HIERARCHIES];
    tumble_pose poses[2];
    span_triangle triangles[2][TRIANGLES];
} lattice;

static void make_lattice(test_world *w, lattice *s, test_random *random)
{
    for (int side = 0; side < 2; side++) {
        models_mesh *mesh = &s->meshes[side];
        memset(mesh, 0, sizeof *mesh);
        test_make_lattice(mesh, random, TRIANGLES, 4, 4, 0.2);
        s->poses[side] = test_quarter_turn((size_t)test_random_whole(random, 0, 23));
        for (int k = 0; k < 3; k++)
            s->poses[side].m[k][3] = test_random_whole(random, -2, 2);
        for (int h = 0; h < HIERARCHIES; h++)
            s->models[side][h] = model_of(w, mesh, h);
        for (size_t t = 0; t < TRIANGLES; t++) {
            for (int i = 0; i < 3; i++) {
                double moved[3];
                tumble_pose_apply(&s->poses[side], mesh->points + 3 * mesh->indices[3 * t + (size_t)i], moved);
                for (int k = 0; k < 3; k++)
                    s->triangles[side][t].at[i][k] = (long long)moved[k];
            }
        }
    }
}

static void free_lattice(lattice *s)
{
    for (int side = 0; side < 2; side++) {
        models_free(&s->meshes[side]);
        for (int h = 0; h < HIERARCHIES; h++)
            tumble_model_destroy(s->models[side][h]);
    }
}

static void lattices(void **state)
{
    test_world *w = *state;
    oracle *truth = oracle_create();
    test_random random = {72};
    size_t later = 0, at_once = 0;
    for (size_t n = 0; n < test_count(150); n++) {
        lattice s;
        long long way[3] = {0, 0, 0};
        int meets;
        tumble_separate_options options = tumble_default_separate_options();
        make_lattice(w, &s, &random);
        while (way[0] == 0 && way[1] == 0 && way[2] == 0) {
            for (int k = 0; k < 3; k++)
                options.direction[k] = (double)(way[k] = (long long)test_random_whole(&random, -3, 3));
        }
        const span_fraction free = span_free(truth, s.triangles[0], TRIANGLES, s.triangles[1], TRIANGLES, way, &meets);
        later += (size_t)meets;
        at_once += (size_t)!meets;
        for (int h = 0; h < HIERARCHIES; h++) {
            const tumble_separate_result r =
                separate(w, s.models[0][h], &s.poses[0], s.models[1][HIERARCHIES - 1 - h], &s.poses[1], &options);
            assert_true(r.is_complete && r.is_tight && r.answer == TUMBLE_YES);
            assert_true(span_compare_double(r.lower_along, free) <= 0);
            assert_true(span_compare_double(r.upper_along, free) >= 0);
            assert_true(r.lower_along == r.upper_along || nextafter(r.lower_along, INFINITY) == r.upper_along);
            assert_true(r.lower_along < r.upper_along || span_compare_double(r.lower_along, free) == 0);
            assert_int_equal(r.last.polygon_a != TUMBLE_NO_POLYGON, meets);
        }
        free_lattice(&s);
    }
    assert_true(later > 0 && at_once > 0);
    oracle_destroy(truth);
}

/* ---- Boxes that slide on each other ---- */

/* Out of an upper box, on to a lower one: after half a unit they only touch, after nine more they are apart. */
static void slides(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    tumble_separate_options options = tumble_default_separate_options();
    add_box(&mesh, 0, 0, 0.125, 1, 1, 1);
    add_box(&mesh, 0, 0, -1, 10, 1, 1);
    tumble_model *step = test_model(w->context, &mesh, NULL), *box = make_box(w, 0.5, 0.25, 0, 1, 0.5, 0.5);
    options.direction[0] = 1;
    assert_true(separate(w, step, NULL, box, NULL, &options).lower_along == 9.5);
    options.touching = true;
    options.within = 1;
    const tumble_separate_result r = separate(w, step, NULL, box, NULL, &options);
    assert_int_equal(r.answer, TUMBLE_YES);
    assert_true(r.is_tight && r.lower_along == 0.5 && r.upper_along == 0.5 && r.upper < 0.5 + 1e-14);
    tumble_model_destroy(step);
    tumble_model_destroy(box);
    models_free(&mesh);
}

typedef struct whole_box {
    int lower[3], size[3];
} whole_box;

static whole_box random_box(test_random *random, int from, int most)
{
    whole_box out;
    for (int k = 0; k < 3; k++) {
        out.size[k] = test_random_whole(random, 1, most);
        out.lower[k] = test_random_whole(random, 0, 5 - out.size[k]) + (k == 0 ? from : 0);
    }
    return out;
}

/* The multiples of the way at which box b, moved, meets a: from `first` to `last`. With `passes`, their inner points:
 * the ends do not count. 0: there are none. */
static int span_of_boxes(const whole_box *a, const whole_box *b, const long long way[3], int passes,
                         span_fraction *first, span_fraction *last)
{
    *first = (span_fraction){-1000, 1};
    *last = (span_fraction){1000, 1};
    for (int k = 0; k < 3; k++) {
        const long long size = llabs(way[k]);
        long long from = a->lower[k] - b->lower[k] - b->size[k], to = a->lower[k] + a->size[k] - b->lower[k];
        if (way[k] == 0) {
            if (passes ? from >= 0 || to <= 0 : from > 0 || to < 0)
                return 0;
            continue;
        }
        const span_fraction ends[2] = {{way[k] > 0 ? from : -to, size}, {way[k] > 0 ? to : -from, size}};
        *first = span_compare(ends[0], *first) > 0 ? ends[0] : *first;
        *last = span_compare(ends[1], *last) < 0 ? ends[1] : *last;
    }
    const int order = span_compare(*first, *last);
    return passes ? order < 0 : order <= 0;
}

/* The least multiple at which, or right after which, no boxes meet. */
static span_fraction end_of_boxes(const whole_box *a, size_t count, const whole_box *b, const long long way[3],
                                  int passes)
{
    span_fraction end = {0, 1}, first, last;
    int is_in = 0; /* whether a span that holds 0 was found */
    for (size_t i = 0; i < count; i++) {
        if (!span_of_boxes(&a[i], b, way, passes, &first, &last))
            continue;
        const int from = span_compare(first, end), to = span_compare(last, end);
        const int holds = passes ? from < 0 && to > 0 : from <= 0 && (to > 0 || (to == 0 && !is_in));
        if (holds) {
            end = last;
            is_in = 1;
            i = (size_t)-1; /* again from the first one */
        }
    }
    return end;
}

/* A row of boxes and one that is moved, in all positions to each other, also flush and inside. */
static void rows_of_boxes(void **state)
{
    test_world *w = *state;
    test_random random = {73};
    size_t tight[2] = {0, 0}, slid = 0;
    for (size_t n = 0; n < test_count(400); n++) {
        models_mesh mesh = {0};
        whole_box row[3], moved = random_box(&random, test_random_whole(&random, 0, 12), 4);
        long long way[3] = {0, 0, 0};
        tumble_separate_options options = tumble_default_separate_options();
        for (int i = 0; i < 3; i++) {
            row[i] = random_box(&random, 6 * i, 5);
            add_box(&mesh, row[i].lower[0], row[i].lower[1], row[i].lower[2], row[i].size[0], row[i].size[1],
                    row[i].size[2]);
        }
        while (way[0] == 0 && way[1] == 0 && way[2] == 0) {
            for (int k = 0; k < 3; k++)
                options.direction[k] = (double)(way[k] = (long long)test_random_whole(&random, -2, 2));
        }
        tumble_model *a = test_model(w->context, &mesh, NULL),
                     *b = make_box(w, moved.lower[0], moved.lower[1], moved.lower[2], moved.size[0], moved.size[1],
                                   moved.size[2]);
        for (int touching = 0; touching < 2; touching++) {
            const span_fraction end = end_of_boxes(row, 3, &moved, way, touching);
            options.touching = touching;
            const tumble_separate_result r = separate(w, a, NULL, b, NULL, &options);
            assert_int_equal(r.answer, TUMBLE_YES);
            assert_true(span_compare_double(r.lower_along, end) <= 0);
            assert_true(span_compare_double(r.upper_along, end) >= 0);
            assert_true(touching || r.is_tight);
            if (r.is_tight) {
                assert_true(4 * r.upper_along > r.upper - 1e-12);
                tight[touching]++;
                slid += touching && end.num > 0;
                assert_true(r.lower_along == r.upper_along || nextafter(r.lower_along, INFINITY) == r.upper_along);
            }
        }
        tumble_model_destroy(a);
        tumble_model_destroy(b);
        models_free(&mesh);
    }
    assert_true(5 * tight[1] > 4 * tight[0] && slid > 0);
}

/* ---- Ranges ---- */

/* Lengths below the normal doubles are rounded down, too; tiny points at a huge scale. */
static void tiny(void **state)
{
    test_world *w = *state;
    const double u = 0x1p-1074;
    tumble_model *a = make_box(w, 0, 0, 0, 3 * u, 3 * u, 3 * u);
    const tumble_pose by_u = shifted(u, u, 0);
    tumble_separate_options options = tumble_default_separate_options();
    options.direction[0] = options.direction[1] = u;
    const tumble_separate_result r = separate(w, a, NULL, a, &by_u, &options);
    assert_true(r.is_tight && r.lower_along == 2 && r.lower > 0 && r.lower <= 2 * u); /* of 2.83 u */
    tumble_pose large = tumble_pose_identity(), moved;
    for (int k = 0; k < 3; k++)
        large.m[k][k] = 0x1p300;
    moved = large;
    moved.m[0][3] = u * 0x1p300;
    options.direction[0] = u * 0x1p300;
    options.direction[1] = 0;
    const tumble_separate_result far = separate(w, a, &large, a, &moved, &options);
    assert_true(far.is_tight && far.lower_along == 2 && far.upper_along == 2);
    tumble_model_destroy(a);
}

/* Moves so small beside the models that multiples, as parts of their size, are below the normal doubles: what a limit
 * proves is no more than the exact end. */
static void tiny_beside_models(void **state)
{
    test_world *w = *state;
    for (int i = 0; i < 40; i++) {
        const double deep = (1 + i * 0.37) * 0x1p-70;
        models_mesh mesh = {0};
        add_box(&mesh, 0, 0, 0, deep, 1, 1);
        const uint32_t a = models_point(&mesh, -0x1p969, 0x1p969, 0), b = models_point(&mesh, 0, 0x1p969, 0);
        models_triangle(&mesh, a, b, b);
        tumble_model *large = test_model(w->context, &mesh, NULL), *box = make_box(w, 0.25 * deep, -1, -1, 1, 3, 3);
        tumble_separate_result all, limited;
        tumble_separate_options options = tumble_default_separate_options();
        options.direction[0] = 3;
        options.touching = true;
        assert_int_equal(tumble_separate(w->query, large, NULL, box, NULL, &options, &all), TUMBLE_OK);
        assert_true(all.is_tight && fabs(all.upper_along - 0.25 * deep) <= 0x1p-50 * deep);
        options.within = options.enough = 0.375 * deep;
        assert_int_equal(tumble_separate(w->query, large, NULL, box, NULL, &options, &limited), TUMBLE_OK);
        assert_int_equal(limited.answer, TUMBLE_NO);
        assert_true(limited.lower <= all.upper && limited.lower_along <= all.upper_along);
        tumble_model_destroy(large);
        tumble_model_destroy(box);
        models_free(&mesh);
    }
}

/* ---- Errors ---- */

static void arguments(void **state)
{
    test_world *w = *state;
    tumble_model *box = make_box(w, 0, 0, 0, 1, 1, 1), *open_one, *thick;
    models_mesh mesh = {0};
    tumble_separate_options options = tumble_default_separate_options();
    tumble_separate_result r;
    const uint32_t a = models_point(&mesh, 0, 0, 0), b = models_point(&mesh, 1, 0, 0), c = models_point(&mesh, 0, 1, 0);
    models_triangle(&mesh, a, b, c);
    open_one = test_model(w->context, &mesh, NULL);
    thick = test_model(w->context, &mesh, NULL);
    assert_int_equal(tumble_model_set_radius(thick, 0.5), TUMBLE_OK);
    assert_int_equal(tumble_separate(NULL, box, NULL, box, NULL, NULL, &r), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_separate(w->query, NULL, NULL, box, NULL, NULL, &r), TUMBLE_ERROR_ARGUMENT,
                       "model is null");
    test_assert_status(w->context, tumble_separate(w->query, box, NULL, box, NULL, NULL, NULL), TUMBLE_ERROR_ARGUMENT,
                       "result is null");
    test_assert_status(w->context, tumble_separate(w->query, box, NULL, open_one, NULL, NULL, &r),
                       TUMBLE_ERROR_UNSUPPORTED, "model B is open");
    test_assert_status(w->context, tumble_separate(w->query, open_one, NULL, box, NULL, NULL, &r),
                       TUMBLE_ERROR_UNSUPPORTED, "model A is open");
    test_assert_status(w->context, tumble_separate(w->query, box, NULL, thick, NULL, NULL, &r),
                       TUMBLE_ERROR_UNSUPPORTED, "model B has a radius");
    options.direction[1] = NAN;
    test_assert_status(w->context, tumble_separate(w->query, box, NULL, box, NULL, &options, &r),
                       TUMBLE_ERROR_NOT_FINITE, "direction");
    options = tumble_default_separate_options();
    options.within = -1;
    test_assert_status(w->context, tumble_separate(w->query, box, NULL, box, NULL, &options, &r), TUMBLE_ERROR_ARGUMENT,
                       "within");
    const tumble_pose huge = shifted(1e308, 1e308, 1e308);
    test_assert_status(w->context, tumble_separate(w->query, box, &huge, box, &huge, NULL, &r), TUMBLE_ERROR_NOT_FINITE,
                       "range of doubles");
    options = tumble_default_separate_options();
    options.direction[2] = -2;
    assert_true(separate(w, box, NULL, open_one, NULL, &options).lower_along == 0); /* it touches, and leaves at once */
    assert_true(separate(w, box, NULL, open_one, NULL, &options).upper < 1e-12);
    tumble_model_destroy(box);
    tumble_model_destroy(open_one);
    tumble_model_destroy(thick);
    models_free(&mesh);
}

/* A budget ends the search; what it has is still proven. */
static void budgets(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_shape(w, "gear", 2), *b = make_shape(w, "torus", 2);
    const tumble_separate_result all = separate(w, a, NULL, b, NULL, NULL);
    assert_true(all.is_complete && all.answer == TUMBLE_YES && all.direction_count <= 40);
    double last = INFINITY;
    for (uint64_t tests = 1; tests < 20 * all.counters.box_tests; tests *= 4) {
        tumble_separate_options options = tumble_default_separate_options();
        options.budget_box_tests = tests;
        const tumble_separate_result r = separate(w, a, NULL, b, NULL, &options);
        assert_int_equal(r.answer, r.upper < INFINITY ? TUMBLE_YES : TUMBLE_MAYBE);
        assert_true(r.upper <= last && r.lower <= all.upper);
        last = r.upper;
    }
    assert_true(last == all.upper);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

static tumble_status ask(test_world *w, void *user)
{
    tumble_model *const *models = user;
    const tumble_pose pose = shifted(0.4, 0.1, 0);
    tumble_query *query;
    tumble_separate_result r;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        tumble_separate_options options = tumble_default_separate_options();
        options.budget_directions = 4;
        status = tumble_separate(query, models[0], NULL, models[1], &pose, &options, &r);
        tumble_query_destroy(query);
    }
    return status;
}

static void allocations(void **state)
{
    test_world *w = *state;
    tumble_model *models[2] = {make_box(w, 0, 0, 0, 1, 1, 1), make_box(w, -0.3, -0.3, -0.2, 1, 1, 1)};
    relation_at(w, models[0], NULL, models[1], NULL); /* the models keep what this learns */
    for (int how = TEST_FAIL_ALONE; how <= TEST_FAIL_TAKING_TURNS; how++)
        assert_true(test_fail_each(w, (test_failing)how, ask, NULL, models) > 4);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(boxes),     TEST_IN_WORLD(same_box),
        TEST_IN_WORLD(balls),     TEST_IN_WORLD(room),
        TEST_IN_WORLD(contained), TEST_IN_WORLD(limits),
        TEST_IN_WORLD(lattices),  TEST_IN_WORLD(arguments),
        TEST_IN_WORLD(budgets),   TEST_IN_WORLD(allocations),
        TEST_IN_WORLD(slides),    TEST_IN_WORLD(rows_of_boxes),
        TEST_IN_WORLD(tiny),      TEST_IN_WORLD(tiny_beside_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
