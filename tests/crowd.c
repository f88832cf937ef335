/* The same objects in scenes of every method. */
#include "crowd.h"

#include <math.h>
#include <string.h>

#include "query/query.h"

const tumble_scene_options crowd_methods[CROWD_METHODS] = {{TUMBLE_BROAD_ALL, 1},
                                                           {TUMBLE_BROAD_TREE, 1},
                                                           {TUMBLE_BROAD_TREE, 3},
                                                           {TUMBLE_BROAD_SWEEP, 1},
                                                           {TUMBLE_BROAD_SWEEP, 2}};

static void make_models(crowd *c, tumble_context *context, test_random *random)
{
    for (int i = 0; i < CROWD_MODELS; i++) {
        models_mesh mesh = {0};
        if (i == 1) {
            test_make_grid_box(&mesh, 1);
        } else if (i > 1) { /* the first is empty */
            test_make_soup(&mesh, random, (size_t)i * 3, 0.6);
        }
        c->models[i] = test_model(context, &mesh, NULL);
        if (i == 3) {
            assert_int_equal(tumble_model_set_radius(c->models[i], 0.125), TUMBLE_OK);
        }
        models_free(&mesh);
    }
}

void crowd_begin(crowd *c, tumble_context *context, test_random *random)
{
    *c = (crowd){.spread = ldexp(1, test_random_whole(random, 0, 5))};
    make_models(c, context, random);
    for (int m = 0; m < CROWD_METHODS; m++) {
        assert_int_equal(tumble_scene_create(context, &crowd_methods[m], &c->scenes[m]), TUMBLE_OK);
    }
}

void crowd_end(crowd *c)
{
    for (int m = 0; m < CROWD_METHODS; m++) {
        tumble_scene_destroy(c->scenes[m]);
    }
    for (int i = 0; i < CROWD_MODELS; i++) {
        tumble_model_destroy(c->models[i]);
    }
}

static double place(const crowd *c, test_random *random)
{
    const double x = test_random_range(random, -c->spread, c->spread);
    return (test_random_chance(random, 0.3) ? floor(x) : x); /* many boxes touch exactly */
}

static tumble_pose random_pose(const crowd *c, test_random *random)
{
    const double scale = (test_random_chance(random, 0.1) ? 8 : test_random_range(random, 0.2, 1.5));
    tumble_pose pose = mixed_pose(random, scale, place(c, random), place(c, random), place(c, random));
    if (test_random_chance(random, 0.3)) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                pose.m[i][j] = i == j ? 1 : 0;
            }
        }
    }
    return pose;
}

tumble_part crowd_random_part(const crowd *c, test_random *random)
{
    tumble_part part = tumble_default_part();
    part.model = c->models[test_random_whole(random, 0, CROWD_MODELS - 1)];
    part.pose = random_pose(c, random);
    part.group = test_random_chance(random, 0.2) ? 2 : 1;
    part.mask = test_random_chance(random, 0.2) ? 1 : UINT32_MAX;
    part.clearance = test_random_chance(random, 0.2) ? 0.5 : 0;
    part.radius =
        part.group == 2 && part.model != c->models[1] ? 0.25 : 0; /* faces of boxes have many nearest points */
    part.is_inactive = test_random_chance(random, 0.05);
    return part;
}

static void add(crowd *c, test_random *random)
{
    const size_t count = (size_t)test_random_whole(random, 0, 1 + (int)(CROWD_MOST - c->count) / 3);
    for (size_t i = 0; i < count && c->count + i < CROWD_MOST; i++) {
        c->parts[c->count + i] = crowd_random_part(c, random);
    }
    const size_t added = count < CROWD_MOST - c->count ? count : CROWD_MOST - c->count;
    for (int m = 0; m < CROWD_METHODS; m++) {
        tumble_object ids[CROWD_MOST];
        assert_int_equal(tumble_scene_add(c->scenes[m], c->parts + c->count, added, ids), TUMBLE_OK);
        if (m > 0) {
            assert_memory_equal(ids, c->ids + c->count, added * sizeof *ids);
        }
        memcpy(c->ids + c->count, ids, added * sizeof *ids);
    }
    c->count += added;
}

static void remove_some(crowd *c, test_random *random)
{
    const size_t count = c->count ? (size_t)test_random_whole(random, 0, (int)(c->count + 3) / 4) : 0;
    for (int m = 0; m < CROWD_METHODS; m++) { /* the last ones, in whatever order they were added */
        assert_int_equal(tumble_scene_remove(c->scenes[m], c->ids + c->count - count, count), TUMBLE_OK);
        assert_true(count == 0 ||
                    tumble_scene_remove(c->scenes[m], c->ids + c->count - count, 1) == TUMBLE_ERROR_INDEX);
    }
    c->count -= count;
}

static void move(crowd *c, test_random *random)
{
    const double share = test_random_unit(random) * test_random_unit(random) * test_random_unit(random);
    tumble_object ids[CROWD_MOST];
    tumble_pose poses[CROWD_MOST];
    size_t count = 0;
    const int is_small = test_random_chance(random, 0.6);
    for (size_t i = 0; i < c->count; i++) {
        if (test_random_chance(random, share)) {
            tumble_pose *pose = &c->parts[i].pose;
            if (is_small) {
                pose->m[test_random_whole(random, 0, 2)][3] += test_random_range(random, -0.1, 0.1);
            } else {
                *pose = random_pose(c, random);
            }
            ids[count] = c->ids[i];
            poses[count++] = *pose;
        }
    }
    for (int m = 0; m < CROWD_METHODS; m++) {
        assert_int_equal(tumble_scene_move(c->scenes[m], ids, poses, count), TUMBLE_OK);
    }
}

static void change(crowd *c, test_random *random)
{
    if (c->count < 2) {
        return;
    }
    const int i = test_random_whole(random, 0, (int)c->count - 1), j = test_random_whole(random, 0, (int)c->count - 1);
    const bool yes = test_random_chance(random, 0.7);
    const tumble_object_pair pair = {c->ids[i], c->ids[j]};
    const tumble_model *model = c->parts[j].model;
    c->parts[j] = crowd_random_part(c, random);
    c->parts[j].model = model;
    for (int m = 0; m < CROWD_METHODS; m++) {
        assert_int_equal(tumble_scene_ignore(c->scenes[m], &pair, 1, yes), i == j ? TUMBLE_ERROR_INDEX : TUMBLE_OK);
        assert_int_equal(tumble_scene_set(c->scenes[m], &c->ids[j], &c->parts[j], 1), TUMBLE_OK);
        assert_int_equal(tumble_scene_activate(c->scenes[m], &c->ids[i], 1, yes), TUMBLE_OK);
    }
}

void crowd_step(crowd *c, test_random *random)
{
    switch (test_random_whole(random, 0, 7)) {
    case 0: add(c, random); break;
    case 1: remove_some(c, random); break;
    case 2: change(c, random); break;
    default: move(c, random); break;
    }
}

static int ask_pair(test_world *w, const tumble_part *a, const tumble_part *b, const tumble_scene_question *q,
                    tumble_meeting *meeting)
{
    if (q->mode == TUMBLE_SCENE_RELATE) {
        tumble_relation_result result;
        assert_int_equal(tumble_relate(w->query, a->model, &a->pose, b->model, &b->pose, &result), TUMBLE_OK);
        meeting->relation = result.relation;
        return result.relation != TUMBLE_RELATION_APART;
    }
    if (q->mode >= TUMBLE_SCENE_DISTANCE) {
        tumble_distance_options options = tumble_default_distance_options();
        tumble_distance_result result;
        options.within = q->within;
        assert_int_equal(tumble_distance(w->query, a->model, &a->pose, b->model, &b->pose, &options, &result),
                         TUMBLE_OK);
        meeting->nearest = result.nearest;
        return result.answer == TUMBLE_YES;
    }
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.clearance = a->clearance + b->clearance + q->clearance;
    options.want_contacts = q->want_contacts;
    assert_int_equal(tumble_collide(w->query, a->model, &a->pose, b->model, &b->pose, &options, &result), TUMBLE_OK);
    meeting->pair_count = q->mode >= TUMBLE_SCENE_COUNT ? result.pair_count : 0;
    meeting->pairs = result.pairs;
    meeting->contacts = result.contacts;
    meeting->contact_count = q->mode == TUMBLE_SCENE_ALL ? result.contact_count : 0;
    return result.collide;
}

int crowd_ask_pair(test_world *w, const tumble_part *a, const tumble_part *b, const tumble_scene_question *q,
                   tumble_meeting *meeting)
{
    tmb_query_pad(w->query, a->radius, b->radius);
    const int meets = ask_pair(w, a, b, q, meeting);
    tmb_query_pad(w->query, 0, 0);
    return meets;
}
