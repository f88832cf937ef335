/* The demonstration's die and mill: the planted gouges are found along the path, and nothing else. */
#include <math.h>

#include "milling.h"
#include "scenes.h"

enum {
    ROWS = 4,
    SAMPLES = 6
};

static void shapes(void **state)
{
    (void)state;
    models_milling milling;
    assert_true(models_make_milling(&milling, ROWS));
    assert_true(models_is_closed(&milling.part) && models_volume(&milling.part) > 0);
    assert_true(models_is_closed(&milling.tool) && models_volume(&milling.tool) > 0);
    assert_int_equal(milling.move_count, ROWS * 81 - 1);
    models_free_milling(&milling);
}

/* Moves join, arcs included. */
static void path_joins(void **state)
{
    (void)state;
    models_milling milling;
    assert_true(models_make_milling(&milling, ROWS));
    size_t arcs = 0;
    for (size_t i = 0; i + 1 < milling.move_count; i++) {
        const tumble_pose end = tumble_motion_pose(&milling.moves[i], 1);
        for (int k = 0; k < 12; k++)
            assert_true(fabs(end.m[k / 4][k % 4] - milling.moves[i + 1].from.m[k / 4][k % 4]) <= 1e-12);
        arcs += milling.moves[i].angle != 0;
    }
    assert_int_equal(arcs, ROWS - 1);
    models_free_milling(&milling);
}

typedef struct scene {
    models_milling milling;
    tumble_path path;
    tumble_model *part, *tool;
} scene;

static int touches(test_world *w, const scene *s, double time)
{
    const tumble_pose pose = tumble_path_pose(&s->path, time);
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result r;
    options.mode = TUMBLE_TEST;
    assert_int_equal(tumble_collide(w->query, s->part, NULL, s->tool, &pose, &options, &r), TUMBLE_OK);
    return r.collide;
}

/* Samples are in contact in the intervals and nowhere else. */
static size_t check_gouges(test_world *w, const scene *s, tumble_contact_interval *found, size_t capacity)
{
    tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
    tumble_contact_intervals_result r;
    options.intervals = found, options.interval_capacity = capacity;
    assert_int_equal(tumble_path_contact_intervals(w->query, s->part, NULL, s->tool, &s->path, &options, &r),
                     TUMBLE_OK);
    assert_true(r.is_complete && r.interval_count <= capacity);
    const size_t count = r.interval_count;
    for (size_t i = 0, next = 0; i < SAMPLES * s->path.piece_count; i++) {
        const double time = (double)i / SAMPLES;
        while (next < count && found[next].free_from < time)
            next++;
        const int inside = next < count && time >= found[next].touching_at && time <= found[next].touching_until;
        const int outside = next == count || time < found[next].free_until;
        assert_true(inside || outside || time > found[next].touching_until || time < found[next].touching_at);
        if (inside || outside)
            assert_int_equal(touches(w, s, time), inside);
    }
    return count;
}

static void check_clearance(test_world *w, const scene *s, size_t deep)
{
    for (size_t i = 0; i < s->path.piece_count; i += 7) {
        tumble_clearance_along_result r;
        tumble_clearance_along_options options = tumble_default_clearance_along_options();
        options.relative_error = 1e-3;
        assert_int_equal(tumble_clearance_along(w->query, s->part, NULL, s->tool, &s->path.pieces[i], &options, &r),
                         TUMBLE_OK);
        assert_true(i + 40 > deep || r.lower > s->milling.allowance); /* what the path leaves before the gouge */
        for (int k = 0; k <= SAMPLES; k++) {
            const tumble_pose pose = tumble_motion_pose(&s->path.pieces[i], (double)k / SAMPLES);
            tumble_distance_result d;
            assert_int_equal(tumble_distance(w->query, s->part, NULL, s->tool, &pose, NULL, &d), TUMBLE_OK);
            assert_true(d.nearest.distance >= r.lower);
        }
    }
}

static void tools(void **state)
{
    test_world *w = *state;
    scene s = {.part = NULL};
    assert_true(models_make_milling(&s.milling, ROWS));
    s.path = (tumble_path){.pieces = s.milling.moves, .piece_count = s.milling.move_count};
    s.part = test_model(w->context, &s.milling.part, NULL);
    const double centre[3] = {0, 0, 0}, end[3] = {0, 0, s.milling.shank};
    for (int tool = 0; tool < 3; tool++) {
        tumble_contact_interval found[8];
        if (tool == 0)
            s.tool = test_model(w->context, &s.milling.tool, NULL);
        else if (tool == 1)
            assert_int_equal(tumble_model_create_capsule(w->context, centre, end, s.milling.radius, NULL, &s.tool),
                             TUMBLE_OK);
        else
            assert_int_equal(tumble_model_create_ball(w->context, centre, s.milling.radius, NULL, &s.tool), TUMBLE_OK);
        const size_t count = check_gouges(w, &s, found, 8);
        assert_int_equal(count, tool == 0 ? 2 : 1); /* only the mesh has a holder, which meets the clamp */
        const tumble_contact_interval *deep = &found[count - 1];
        assert_true(deep->touching_at >= (double)s.milling.first_deep);
        assert_true(deep->touching_until <= (double)(s.milling.last_deep + 1));
        if (tool > 0)
            check_clearance(w, &s, s.milling.first_deep);
        tumble_model_destroy(s.tool);
    }
    tumble_model_destroy(s.part);
    models_free_milling(&s.milling);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(path_joins), TEST_IN_WORLD(tools)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
