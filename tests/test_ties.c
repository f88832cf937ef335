/* Results that are equal but for little: their order, and which one is reported, never depends on the traversal. */
#include <stdlib.h>
#include <string.h>

#include "collide/collider.h"
#include "mixed_cases.h"

/* ---- Contacts ---- */

enum {
    CONTACTS = 22
};

/* All of one pair of polygons, in the right order. */
static void make_contacts(tumble_contact contacts[CONTACTS])
{
    size_t count = 0;
    memset(contacts, 0, CONTACTS * sizeof *contacts);
    for (int i = 0; i < 6; i++) { /* smaller in one coordinate: the first counts most */
        contacts[count++].points[i / 3][i % 3] = -1;
    }
    for (int i = 0; i < 7; i++) { /* and then in the sign of one, or of none */
        tumble_contact *contact = &contacts[count++];
        if (i < 6) {
            contact->points[i / 3][i % 3] = -0.0;
        }
    }
    contacts[count++].apart = 1;
    contacts[count].coplanar = 1;
    contacts[count++].points[1][2] = -0.0;
    contacts[count++].coplanar = 1;
    for (int i = 5; i >= 0; i--) {
        contacts[count++].points[i / 3][i % 3] = 1;
    }
    assert_int_equal(count, CONTACTS);
}

static void test_contact_order(void **state)
{
    (void)state;
    tumble_contact expected[CONTACTS], shuffled[CONTACTS];
    test_random random = {1};
    make_contacts(expected);
    for (size_t round = 0; round < 200; round++) {
        tmb_sort_item items[CONTACTS], scratch[CONTACTS];
        for (size_t i = 0; i < CONTACTS; i++) {
            const size_t j = (size_t)test_random_whole(&random, 0, (int)i);
            shuffled[i] = shuffled[j];
            shuffled[j] = expected[i];
        }
        for (size_t i = 0; i < CONTACTS; i++) {
            items[i] = tmb_contact_item(&shuffled[i]);
        }
        const tmb_sort_item *sorted = tmb_sort_contacts(items, scratch, CONTACTS);
        for (size_t i = 0; i < CONTACTS; i++) {
            assert_memory_equal(tmb_contact_of(&sorted[i]), &expected[i], sizeof *expected);
        }
    }
}

/* ---- Rectangles ---- */

static double signed_zero(test_random *random, double x)
{
    return x == 0 && test_random_whole(random, 0, 1) ? -0.0 : x;
}

/* Across an axis, with whole coordinates, and zeros of both signs: there are many ways to cut them, and many of their
 * points are equally near. */
static void add_rectangle(models_mesh *mesh, test_random *random)
{
    const int axis = test_random_whole(random, 0, 2), start = test_random_whole(random, 0, 3);
    const double u = test_random_whole(random, -2, 0), v = test_random_whole(random, -2, 0);
    const double width = test_random_whole(random, 1, 3), height = test_random_whole(random, 1, 3);
    const double at = test_random_whole(random, -1, 1);
    uint32_t corners[4];
    for (int i = 0; i < 4; i++) {
        const int k = (i + start) % 4;
        double p[3];
        p[axis] = signed_zero(random, at);
        p[(axis + 1) % 3] = signed_zero(random, u + (k == 1 || k == 2 ? width : 0));
        p[(axis + 2) % 3] = signed_zero(random, v + (k > 1 ? height : 0));
        corners[i] = models_point(mesh, p[0], p[1], p[2]);
    }
    models_polygon(mesh, corners, 4);
}

static void compare_near(const tumble_distance_result *found, const tumble_near *expected, size_t count, size_t kind)
{
    if (found->pair_count != count || (count && memcmp(found->pairs, expected, count * sizeof *expected) != 0)) {
        fail_msg("%s: other near pairs", mixed_name(kind));
    }
}

/* Contacts and near pairs of every hierarchy with every one. */
static void test_rectangles(void **state)
{
    test_world *w = *state;
    for (size_t round = 0; round < test_count(60); round++) {
        test_random random = {round};
        models_mesh meshes[2] = {{0}, {0}};
        for (int i = 0; i < 12; i++) {
            add_rectangle(&meshes[i % 2], &random);
        }
        mixed_family a = mixed_make(w->context, &meshes[0]), b = mixed_make(w->context, &meshes[1]);
        tumble_pose pose = test_quarter_turn(round % 24);
        pose.m[round % 3][3] = (double)test_random_whole(&random, 0, 5);
        tumble_distance_options options = tumble_default_distance_options();
        tumble_distance_result result;
        options.want_pairs = 1;
        mixed_answers expected = mixed_ask(w->query, a.models[0], NULL, b.models[0], &pose, 0);
        assert_int_equal(tumble_distance(w->query, a.models[0], NULL, b.models[0], &pose, &options, &result),
                         TUMBLE_OK);
        const size_t count = (size_t)result.pair_count;
        tumble_near *near = malloc((count + 1) * sizeof *near);
        memcpy(near, result.pairs, count * sizeof *near);
        for (size_t kind = 1; kind < MIXED_KINDS; kind++) {
            const tumble_model *x = a.models[kind], *y = b.models[(kind * 5 + round) % MIXED_KINDS];
            mixed_answers found = mixed_ask(w->query, x, NULL, y, &pose, 0);
            mixed_assert_same(&found, &expected, "%s, round %zu", mixed_name(kind), round);
            mixed_free_answers(&found);
            assert_int_equal(tumble_distance(w->query, x, NULL, y, &pose, &options, &result), TUMBLE_OK);
            compare_near(&result, near, count, kind);
        }
        free(near);
        mixed_free_answers(&expected);
        mixed_free(&a);
        mixed_free(&b);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
}

/* A point in the notch of a polygon, as near to the one side as to the other, which belong to two triangles; they come
 * in either order. */
static void test_notch(void **state)
{
    test_world *w = *state;
    static const double notch[4][2] = {{0, -1}, {3, 3}, {0, 0}, {-3, 3}};
    for (int i = 0; i < 8; i++) {
        models_mesh meshes[2] = {{0}, {0}};
        uint32_t corners[4] = {models_point(&meshes[0], 1, 1, 0), models_point(&meshes[0], 1, 1, 5),
                               models_point(&meshes[0], 1, 2, 5)};
        models_polygon(&meshes[0], corners, 3);
        for (int k = 0; k < 4; k++) {
            const double *corner = notch[(i + k) % 4];
            corners[k] = models_point(&meshes[1], i < 4 ? 1 + corner[0] : 1 - corner[0], corner[1], 0);
        }
        models_polygon(&meshes[1], corners, 4);
        mixed_family a = mixed_make(w->context, &meshes[0]), b = mixed_make(w->context, &meshes[1]);
        for (size_t kind = 0; kind < 2 * MIXED_KINDS; kind++) {
            const tumble_model *x = a.models[kind / 2], *y = b.models[kind / 2];
            tumble_distance_options options = tumble_default_distance_options();
            tumble_distance_result result;
            options.want_pairs = 1;
            assert_int_equal(
                tumble_distance(w->query, kind % 2 ? x : y, NULL, kind % 2 ? y : x, NULL, &options, &result),
                TUMBLE_OK);
            assert_int_equal(result.pair_count, 1);
            const double *on_notch = kind % 2 ? result.pairs->point_b : result.pairs->point_a;
            assert_true(on_notch[0] == 0.5 && on_notch[1] == 0.5);
        }
        mixed_free(&a);
        mixed_free(&b);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contact_order),
        TEST_IN_WORLD(test_rectangles),
        TEST_IN_WORLD(test_notch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
