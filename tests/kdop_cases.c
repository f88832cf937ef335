#include "kdop_cases.h"

#include "math/bounds.h"
#include "query/local_map.h"

#include <math.h>
#include <stdio.h>

#include "math/vec3.h"

const uint32_t test_kdops[TEST_KDOPS] = {6, 12, 14, 18, 26};
const uint32_t test_kdop_leaves[TEST_KDOP_LEAVES] = {1, 2, 7, 40, 255};

tumble_model_options test_kdop_options(uint32_t k, uint32_t leaf, tumble_kdop_tumble kept, int hull)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_KDOP;
    test_tune(options, kdop.k, k);
    test_tune(options, kdop.leaf, leaf);
    test_tune(options, kdop.tumble, kept);
    test_tune(options, kdop.hull, (uint32_t)hull);
    return options;
}

tumble_model_options test_any_kdop(test_random *random, uint32_t k)
{
    tumble_model_options options =
        test_kdop_options(k, test_kdop_leaves[test_random_whole(random, 0, TEST_KDOP_LEAVES - 1)],
                          (tumble_kdop_tumble)test_random_whole(random, 0, TUMBLE_KDOP_TUMBLE_AXES),
                          test_random_chance(random, 0.5) ? (int)test_random_whole(random, 1, 4) : 0);
    test_tune(options, kdop.split, (tumble_kdop_split)test_random_whole(random, 0, TUMBLE_KDOP_SPLIT_MIN_MAX));
    test_tune(options, kdop.at, (tumble_kdop_at)test_random_whole(random, 0, TUMBLE_KDOP_AT_BEST));
    test_tune(options, kdop.all_directions, test_random_chance(random, 0.3));
    test_tune(options, kdop.estimate, test_random_chance(random, 0.5));
    test_tune(options, kdop.bare_leaves, test_random_chance(random, 0.4));
    return options;
}

tumble_kdop_walk test_any_walk(test_random *random, const tumble_model *b, double size)
{
    const tmb_kdop_root *root = &b->block->kdop;
    tumble_kdop_walk walk = {.traversal = (tumble_kdop_traversal)test_random_whole(random, 0, 2),
                             .mixed = (tumble_kdop_mixed)test_random_whole(random, 0, 1)};
    do {
        walk.tumble = (tumble_kdop_tumble)test_random_whole(random, 0, TUMBLE_KDOP_TUMBLE_AXES);
    } while ((walk.tumble == TUMBLE_KDOP_TUMBLE_LOOKUP || walk.tumble == TUMBLE_KDOP_TUMBLE_VERTICES) &&
             root->tumble != (uint32_t)walk.tumble);
    do {
        walk.root = (tumble_kdop_root)test_random_whole(random, 0, 2);
    } while (walk.root == TUMBLE_KDOP_ROOT_HULL && root->hull_count == 0);
    if (test_random_chance(random, 0.2)) {
        walk.epsilon = size * pow(10, test_random_range(random, -3, 1));
    }
    return walk;
}

const char *test_walk_name(const tumble_kdop_walk *walk)
{
#define WORD(name, number, word, text) word,
    static const char *const tumbles[] = {TUMBLE_KDOP_TUMBLE_LIST(WORD)};
    static const char *const traversals[] = {TUMBLE_KDOP_TRAVERSAL_LIST(WORD)};
#undef WORD
    static const char *const roots[] = {"any root", "hull root", "same root"};
    static char names[4][120];
    static unsigned next;
    char *name = names[next++ % 4];
    snprintf(name, sizeof names[0], "%s, %s, %s, %s, epsilon %g", tumbles[walk->tumble], roots[walk->root],
             traversals[walk->traversal], walk->mixed ? "primitives" : "volumes", walk->epsilon);
    return name;
}

/* ---- Poses ---- */

void test_random_vector(test_random *random, double u[3])
{
    do {
        for (int j = 0; j < 3; j++) {
            u[j] = test_random_range(random, -1, 1);
        }
    } while (tmb_dot(u, u) > 1 || tmb_dot(u, u) < 0.01);
}

void test_random_across(test_random *random, const double axis[3], double out[3])
{
    double u[3];
    do {
        test_random_vector(random, u);
        const double height = tmb_dot(u, axis) / tmb_dot(axis, axis);
        for (int j = 0; j < 3; j++) {
            out[j] = u[j] - height * axis[j];
        }
    } while (tmb_length(out) < 0.05);
    const double length = tmb_length(out);
    for (int j = 0; j < 3; j++) {
        out[j] /= length;
    }
}

double test_angle(const double a[3], const double b[3])
{
    double normal[3];
    tmb_cross(a, b, normal);
    return atan2(tmb_length(normal), tmb_dot(a, b));
}

static void normalize(const double from[3], double out[3])
{
    const double length = tmb_length(from);
    for (int k = 0; k < 3; k++) {
        out[k] = from[k] / length;
    }
}

tumble_pose test_turn(const double axis[3], double angle)
{
    double n[3];
    normalize(axis, n);
    const double c = cos(angle), s = sin(angle);
    tumble_pose pose = tumble_pose_identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double odd = i == j ? 0 : (j - i + 3) % 3 == 1 ? -n[3 - i - j] : n[3 - i - j];
            pose.m[i][j] = (i == j ? c : 0) + (1 - c) * n[i] * n[j] + s * odd;
        }
    }
    return pose;
}

/* Some direction across n, of length 1. */
static void across(const double n[3], double out[3])
{
    const int least = fabs(n[0]) <= fabs(n[1]) ? (fabs(n[0]) <= fabs(n[2]) ? 0 : 2) : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
    double axis[3] = {0, 0, 0}, side[3];
    axis[least] = 1;
    tmb_cross(n, axis, side);
    normalize(side, out);
}

tumble_pose test_turn_onto(const double from[3], const double to[3], double about)
{
    double a[3], b[3], axis[3];
    normalize(from, a);
    normalize(to, b);
    tmb_cross(a, b, axis);
    const double sine = tmb_length(axis), cosine = tmb_dot(a, b);
    if (sine < 1e-12) {
        across(a, axis);
    }
    const tumble_pose first = test_turn(axis, sine < 1e-12 ? (cosine > 0 ? 0 : acos(-1)) : atan2(sine, cosine));
    const tumble_pose second = test_turn(b, about);
    return about == 0 ? first : tumble_pose_compose(&second, &first);
}

/* Takes a direction of the set to a place that has a ring's boundary, or none, between it and another one. */
static tumble_pose turn_to_ring(test_random *random, uint32_t k)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(k);
    double from[3], centre[3], side[3], to[3];
    tmb_kdop_lane(set, (uint32_t)test_random_whole(random, 0, (int)k - 1), from);
    tmb_kdop_lane(set, (uint32_t)test_random_whole(random, 0, (int)k - 1), to);
    normalize(to, centre);
    across(centre, side);
    double other[3];
    tmb_cross(centre, side, other);
    const int ring = test_random_whole(random, 0, 31);
    const double angle = ring * acos(set->cover) / 31, around = test_random_range(random, 0, 6.3);
    for (int j = 0; j < 3; j++) {
        to[j] = cos(angle) * centre[j] + sin(angle) * (cos(around) * side[j] + sin(around) * other[j]);
    }
    return test_turn_onto(from, to, test_random_chance(random, 0.5) ? 0 : test_random_range(random, 0, 6.3));
}

tumble_pose test_special_turn(test_random *random, uint32_t k)
{
    const double eighth = acos(-1) / 4, axis[3] = {test_random_range(random, -1, 1), test_random_range(random, -1, 1),
                                                   test_random_range(random, -1, 1) + 1e-3};
    double unit[3] = {0, 0, 0};
    unit[test_random_whole(random, 0, 2)] = 1;
    switch (test_random_whole(random, 0, 7)) {
    case 0: return tumble_pose_identity();
    case 1: return test_quarter_turn((size_t)test_random_whole(random, 0, 23));
    case 2: return test_turn(unit, eighth * test_random_whole(random, 1, 7));
    case 3:
        return test_turn(test_random_chance(random, 0.5) ? axis : unit, pow(10, test_random_range(random, -17, -5)));
    case 4: return test_rational_turn(random);
    case 5: return test_turn(axis, test_random_range(random, 0, 6.3));
    default: break;
    }
    tumble_pose pose = turn_to_ring(random, k);
    if (test_random_chance(random, 0.5)) { /* just beside it */
        const tumble_pose off = test_turn(axis, pow(10, test_random_range(random, -17, -7)));
        pose = tumble_pose_compose(&off, &pose);
    }
    return pose;
}

void test_scale_pose(tumble_pose *pose, double scale)
{
    for (int i = 0; i < 9; i++) {
        pose->m[i / 3][i % 3] *= scale;
    }
}

void test_move_onto(tumble_pose *pose, const double from[3], const double onto[3])
{
    double moved[3];
    for (int k = 0; k < 3; k++) {
        pose->m[k][3] = 0;
    }
    tumble_pose_apply(pose, from, moved);
    for (int k = 0; k < 3; k++) {
        pose->m[k][3] = onto[k] - moved[k];
    }
}

int test_kdops_suit_floats(const tumble_model *a, const tumble_pose *pose_a, const tumble_model *b,
                           const tumble_pose *pose_b, double epsilon)
{
    const tumble_pose identity = tumble_pose_identity();
    const tmb_encounter e = {
        .a = a, .b = b, .relative = tumble_pose_relative(pose_a ? pose_a : &identity, pose_b ? pose_b : &identity)};
    const tmb_local_map map = tmb_map_into_a(&e);
    return tmb_map_reach(&map) < TMB_MOST_REACH && tmb_point_error(&e) < TMB_MOST_REACH &&
           epsilon * a->frame.scale < TMB_MOST_REACH;
}

/* ---- Two models ---- */

kdop_scene kdop_make_scene(test_world *w, const models_mesh meshes[2], const tumble_model_options options[2])
{
    kdop_scene s;
    for (int i = 0; i < 2; i++) {
        s.models[i] = test_model(w->context, &meshes[i], &options[i]);
        s.brute[i] = test_brute_model(w->context, &meshes[i]);
    }
    return s;
}

kdop_scene kdop_make_shapes(test_world *w, const tumble_model_options options[2], const char *first, const char *second,
                            size_t triangles, double size)
{
    models_mesh meshes[2];
    assert_true(models_make_sized(&meshes[0], first, triangles));
    assert_true(models_make_sized(&meshes[1], second, triangles));
    models_fit(&meshes[0], 2, triangles % 2 == 0);
    models_fit(&meshes[1], 2 * size, triangles % 2);
    const kdop_scene s = kdop_make_scene(w, meshes, options);
    models_free(&meshes[0]);
    models_free(&meshes[1]);
    return s;
}

void kdop_drop_scene(const kdop_scene *s)
{
    for (int i = 0; i < 2; i++) {
        tumble_model_destroy(s->models[i]);
        tumble_model_destroy(s->brute[i]);
    }
}

tumble_kdop_tumble kdop_next_tumble(const tumble_model *b, tumble_kdop_tumble last)
{
    const tumble_kdop_tumble next = (tumble_kdop_tumble)((last + 1) % (TUMBLE_KDOP_TUMBLE_AXES + 1));
    const int needs = next == TUMBLE_KDOP_TUMBLE_LOOKUP || next == TUMBLE_KDOP_TUMBLE_VERTICES;
    return needs && b->block->kdop.tumble != (uint32_t)next ? kdop_next_tumble(b, next) : next;
}

tumble_pose kdop_any_pose(test_random *random, uint32_t k, double reach)
{
    tumble_pose pose = test_random_chance(random, 0.3) ? test_special_turn(random, k) : test_rational_turn(random);
    for (int i = 0; i < 3; i++) {
        pose.m[i][3] = test_random_range(random, -reach, reach);
    }
    return pose;
}
