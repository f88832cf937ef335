/* First contact of models that only translate, against exact arithmetic: on lattices, all events are small fractions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "scenes.h"

enum {
    TRIANGLES = 10,
    HIERARCHIES = 5
};

typedef long long whole;

typedef struct fraction {
    whole num, den; /* den > 0 */
} fraction;

static int compare(fraction a, fraction b)
{
    const whole left = a.num * b.den, right = b.num * a.den;
    return (left > right) - (left < right);
}

static int compare_times(const void *a, const void *b)
{
    return compare(*(const fraction *)a, *(const fraction *)b);
}

typedef struct triangle {
    whole at[3][3];
} triangle;

static void cross(const whole a[3], const whole b[3], whole out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static whole dot(const whole a[3], const whole b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- The truth about two triangles ---- */

typedef struct events {
    fraction times[512];
    size_t count;
} events;

/* When two corners are in one plane with this normal. */
static void add_events(const triangle *a, const triangle *b, const whole way[3], const whole normal[3], events *out)
{
    const whole speed = dot(normal, way);
    for (int i = 0; i < 9 && speed != 0; i++) {
        const whole gap = dot(normal, a->at[i / 3]) - dot(normal, b->at[i % 3]);
        const fraction time = {speed > 0 ? gap : -gap, llabs(speed)};
        if (time.num >= 0 && time.num <= time.den) {
            assert_true(out->count < 512);
            out->times[out->count++] = time;
        }
    }
}

/* Whether they meet at a time: multiplied by its denominator, everything is whole. */
static int meet_at(oracle *truth, const triangle *a, const triangle *b, const whole way[3], fraction time)
{
    double scaled[2][3][3];
    for (int k = 0; k < 3; k++) {
        whole least[2] = {0, 0}, most[2] = {0, 0};
        for (int i = 0; i < 3; i++) {
            const whole x[2] = {a->at[i][k] * time.den, b->at[i][k] * time.den + way[k] * time.num};
            for (int side = 0; side < 2; side++) {
                scaled[side][i][k] = (double)x[side];
                least[side] = i == 0 || x[side] < least[side] ? x[side] : least[side];
                most[side] = i == 0 || x[side] > most[side] ? x[side] : most[side];
            }
        }
        if (least[0] > most[1] || least[1] > most[0])
            return 0;
    }
    return oracle_intersect(truth, (const double(*)[3])scaled[0], (const double(*)[3])scaled[1]);
}

/* The first time of contact is 0, or one at which a corner comes to a face, or an edge to an edge: also in the plane or
 * on the line of both. Returns whether there is one. */
static int first_of_pair(oracle *truth, const triangle *a, const triangle *b, const whole way[3], fraction *first)
{
    static const whole axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    whole edges[2][3][3], normal[3];
    events all = {.times = {{0, 1}}, .count = 1};
    for (int i = 0; i < 9; i++) {
        edges[0][i / 3][i % 3] = a->at[(i / 3 + 1) % 3][i % 3] - a->at[i / 3][i % 3];
        edges[1][i / 3][i % 3] = b->at[(i / 3 + 1) % 3][i % 3] - b->at[i / 3][i % 3];
    }
    for (int i = 0; i < 9; i++) {
        cross(edges[0][i / 3], edges[1][i % 3], normal);
        add_events(a, b, way, normal, &all);
        for (int side = 0; side < 2; side++) {
            cross(edges[side][i / 3], axes[i % 3], normal);
            add_events(a, b, way, normal, &all);
        }
    }
    for (int side = 0; side < 2; side++) {
        cross(edges[side][0], edges[side][1], normal);
        add_events(a, b, way, normal, &all);
    }
    for (int k = 0; k < 3; k++)
        add_events(a, b, way, axes[k], &all);
    qsort(all.times, all.count, sizeof *all.times, compare_times);
    for (size_t i = 0; i < all.count; i++) {
        if ((i == 0 || compare(all.times[i - 1], all.times[i]) != 0) && meet_at(truth, a, b, way, all.times[i])) {
            *first = all.times[i];
            return 1;
        }
    }
    return 0;
}

/* ---- Scenes ---- */

typedef struct scene {
    models_mesh meshes[2];
    tumble_model *models[2][HIERARCHIES];
    tumble_motion motions[2];
    triangle triangles[2][TRIANGLES];
    whole way[3]; /* of B relative to A */
} scene;

static const tumble_hierarchy hierarchies[HIERARCHIES] = {TUMBLE_HIERARCHY_BRUTE, TUMBLE_HIERARCHY_WIDE,
                                                          TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                                          TUMBLE_HIERARCHY_RTREE};

static void place_triangles(scene *s, int side)
{
    const models_mesh *mesh = &s->meshes[side];
    for (size_t t = 0; t < TRIANGLES; t++) {
        for (int i = 0; i < 3; i++) {
            double moved[3];
            tumble_pose_apply(&s->motions[side].from, mesh->points + 3 * mesh->indices[3 * t + (size_t)i], moved);
            for (int k = 0; k < 3; k++)
                s->triangles[side][t].at[i][k] = (whole)moved[k];
        }
    }
}

static void make_scene(test_world *w, scene *s, test_random *random)
{
    memset(s, 0, sizeof *s);
    for (int side = 0; side < 2; side++) {
        test_make_lattice(&s->meshes[side], random, TRIANGLES, 4, 3, 0.3);
        for (int h = 0; h < HIERARCHIES; h++) {
            tumble_model_options options = tumble_default_model_options();
            options.hierarchy = hierarchies[h];
            s->models[side][h] = test_model(w->context, &s->meshes[side], &options);
        }
        s->motions[side] = tumble_motion_still(NULL);
        s->motions[side].from = test_quarter_turn((size_t)test_random_whole(random, 0, 23));
        for (int k = 0; k < 3; k++) {
            s->motions[side].from.m[k][3] = test_random_whole(random, -7, 7);
            s->motions[side].translation[k] = test_random_chance(random, 0.3) ? 0 : test_random_whole(random, -30, 30);
        }
        place_triangles(s, side);
    }
    for (int k = 0; k < 3; k++)
        s->way[k] = (whole)(s->motions[1].translation[k] - s->motions[0].translation[k]);
}

static void free_scene(scene *s)
{
    for (int side = 0; side < 2; side++) {
        models_free(&s->meshes[side]);
        for (int h = 0; h < HIERARCHIES; h++)
            tumble_model_destroy(s->models[side][h]);
    }
}

static int first_of_scene(oracle *truth, const scene *s, fraction *first)
{
    int found = 0;
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        for (uint32_t j = 0; j < TRIANGLES; j++) {
            fraction time;
            if (first_of_pair(truth, &s->triangles[0][i], &s->triangles[1][j], s->way, &time) &&
                (!found || compare(time, *first) < 0)) {
                found = 1;
                *first = time;
            }
        }
    }
    return found;
}

/* The sign of a double less a fraction. */
static int compare_double(double x, fraction f)
{
    mpq_t exact, other;
    mpq_init(exact);
    mpq_init(other);
    mpq_set_d(exact, x);
    mpq_set_si(other, (long)f.num, (unsigned long)f.den);
    mpq_canonicalize(other);
    const int sign = mpq_cmp(exact, other);
    mpq_clear(exact);
    mpq_clear(other);
    return sign;
}

static void check_yes(oracle *truth, const scene *s, const tumble_first_contact_result *r, fraction first)
{
    fraction own;
    assert_int_equal(r->answer, TUMBLE_YES);
    assert_true(compare_double(r->free_until, first) <= 0);
    assert_true(compare_double(r->touching_at, first) >= 0);
    if (r->free_until == r->touching_at)
        assert_int_equal(compare_double(r->free_until, first), 0);
    else
        assert_true(nextafter(r->free_until, 2) == r->touching_at);
    assert_true(first_of_pair(truth, &s->triangles[0][r->witness.polygon_a], &s->triangles[1][r->witness.polygon_b],
                              s->way, &own));
    assert_int_equal(compare(own, first), 0);
}

/* With a tolerance, the interval only grows downward. */
static void check_tolerance(test_world *w, const scene *s, int h, const tumble_first_contact_result *exact)
{
    tumble_first_contact_options options = tumble_default_first_contact_options();
    tumble_first_contact_result r;
    options.tolerance = 0.01;
    assert_int_equal(
        tumble_first_contact(w->query, s->models[0][h], &s->motions[0], s->models[1][h], &s->motions[1], &options, &r),
        TUMBLE_OK);
    assert_int_equal(r.answer, exact->answer);
    assert_true(r.free_until <= exact->free_until);
    assert_true(r.answer == TUMBLE_NO ||
                (r.touching_at >= exact->touching_at && r.touching_at - r.free_until <= options.tolerance));
}

static void lattices(void **state)
{
    test_world *w = *state;
    oracle *truth = oracle_create();
    test_random random = {71};
    size_t seen[3] = {0, 0, 0}; /* never, at 0, later */
    for (size_t n = 0; n < test_count(600); n++) {
        scene s;
        fraction first = {0, 1};
        make_scene(w, &s, &random);
        const int found = first_of_scene(truth, &s, &first);
        seen[found ? 1 + (first.num > 0) : 0]++;
        for (int h = 0; h < HIERARCHIES; h++) {
            tumble_first_contact_options options = tumble_default_first_contact_options();
            tumble_first_contact_result r;
            options.tolerance = 0;
            assert_int_equal(tumble_first_contact(w->query, s.models[0][h], &s.motions[0],
                                                  s.models[1][HIERARCHIES - 1 - h], &s.motions[1], &options, &r),
                             TUMBLE_OK);
            assert_true(r.is_complete && r.error == 0);
            if (found) {
                check_yes(truth, &s, &r, first);
            } else {
                assert_int_equal(r.answer, TUMBLE_NO);
                assert_true(r.free_until == 1 && r.touching_at == INFINITY);
            }
            check_tolerance(w, &s, h, &r);
        }
        free_scene(&s);
    }
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
    oracle_destroy(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(lattices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
