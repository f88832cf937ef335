/* A robot's planner: an arm of seven links beside a table, and many random states of its joints. Which are free? Pairs
 * of links that always touch, or never can, are left out once, as the SRDF file of a robot says it. Usage: robot
 * [STATES]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tumble/tumble.h>

enum {
    LINKS = 7,
    SIDES = 24
};

#define PI 3.14159265358979323846

/* ---- Shapes ---- */

/* A closed bar along z with `SIDES` corners around it, from below 0 to above `length`. */
static tumble_status make_link(tumble_context *context, double radius, double length, tumble_model **out)
{
    double points[2 * SIDES + 2][3];
    uint32_t corners[4 * SIDES][3];
    for (uint32_t i = 0; i < SIDES; i++) {
        const double angle = 2 * PI * i / SIDES, x = radius * cos(angle), y = radius * sin(angle);
        const double ring[2][3] = {{x, y, 0}, {x, y, length}};
        const uint32_t next = (i + 1) % SIDES, bottom = 2 * SIDES, top = bottom + 1;
        for (int k = 0; k < 3; k++) {
            points[i][k] = ring[0][k];
            points[SIDES + i][k] = ring[1][k];
        }
        const uint32_t triangles[4][3] = {
            {i, next, SIDES + next}, {i, SIDES + next, SIDES + i}, {bottom, next, i}, {top, SIDES + i, SIDES + next}};
        for (int t = 0; t < 4; t++) {
            for (int k = 0; k < 3; k++) {
                corners[4 * i + (uint32_t)t][k] = triangles[t][k];
            }
        }
    }
    const double ends[2][3] = {{0, 0, -0.5 * radius}, {0, 0, length + 0.5 * radius}};
    for (int k = 0; k < 3; k++) {
        points[2 * SIDES][k] = ends[0][k];
        points[2 * SIDES + 1][k] = ends[1][k];
    }
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = &points[0][0];
    mesh.point_count = 2 * SIDES + 2;
    mesh.indices = &corners[0][0];
    mesh.index_count = 4 * SIDES * 3;
    return tumble_model_create(context, &mesh, NULL, out);
}

/* ---- The arm ---- */

static const double lengths[LINKS] = {0.3, 0.4, 0.3, 0.35, 0.25, 0.15, 0.1};
static const double radii[LINKS] = {0.09, 0.08, 0.07, 0.06, 0.06, 0.05, 0.04};

typedef struct robot {
    tumble_context *context;
    tumble_scene *scene;
    tumble_query *query;
    tumble_model *models[LINKS], *plate;
    tumble_object links[LINKS], table;
} robot;

/* Poses of the links at some angles: joints turn about z and y by turns, and each link stands on the one before. */
static void pose_links(const double angles[LINKS], tumble_pose poses[LINKS])
{
    tumble_pose base = tumble_pose_identity();
    for (int i = 0; i < LINKS; i++) {
        const double c = cos(angles[i]), s = sin(angles[i]);
        const tumble_pose about_z = {{{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, 0}}};
        const tumble_pose about_y = {{{c, 0, s, 0}, {0, 1, 0, 0}, {-s, 0, c, 0}}};
        const tumble_pose along = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, lengths[i]}}};
        poses[i] = tumble_pose_compose(&base, i % 2 ? &about_y : &about_z);
        base = tumble_pose_compose(&poses[i], &along);
    }
}

/* The links, and a flat, wide one lying beside the arm as a table. */
static tumble_status build(robot *r)
{
    const double straight[LINKS] = {0};
    tumble_part parts[LINKS + 1];
    tumble_pose poses[LINKS];
    tumble_object ids[LINKS + 1];
    tumble_status status = make_link(r->context, 0.4, 0.05, &r->plate);
    pose_links(straight, poses);
    for (int i = 0; status == TUMBLE_OK && i < LINKS; i++) {
        status = make_link(r->context, radii[i], lengths[i], &r->models[i]);
        parts[i] = tumble_default_part();
        parts[i].model = r->models[i];
        parts[i].pose = poses[i];
    }
    parts[LINKS] = tumble_default_part();
    parts[LINKS].model = r->plate;
    parts[LINKS].pose.m[0][3] = 0.7;
    parts[LINKS].pose.m[2][3] = 0.2;
    if (status == TUMBLE_OK) {
        status = tumble_scene_add(r->scene, parts, LINKS + 1, ids);
    }
    for (int i = 0; status == TUMBLE_OK && i < LINKS; i++) {
        r->links[i] = ids[i];
    }
    r->table = ids[LINKS];
    return status;
}

/* Neighbours touch at their joint in every state; the foot cannot reach the table. */
static tumble_status disable_pairs(robot *r)
{
    tumble_object_pair pairs[LINKS];
    for (int i = 0; i + 1 < LINKS; i++) {
        pairs[i] = (tumble_object_pair){r->links[i], r->links[i + 1]};
    }
    pairs[LINKS - 1] = (tumble_object_pair){r->links[0], r->table};
    return tumble_scene_ignore(r->scene, pairs, LINKS, true);
}

/* ---- States ---- */

static double random_angle(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) / 9007199254740992.0 - 0.5) * 5; /* 2.5 to either side */
}

static tumble_status check_states(robot *r, size_t count)
{
    tumble_pose *poses = malloc(count * LINKS * sizeof *poses);
    uint64_t random = 1;
    if (!poses) {
        return TUMBLE_ERROR_MEMORY;
    }
    for (size_t s = 0; s < count; s++) {
        double angles[LINKS];
        for (int i = 0; i < LINKS; i++) {
            angles[i] = random_angle(&random);
        }
        pose_links(angles, poses + s * LINKS);
    }
    const tumble_states states = {r->links, LINKS, poses, 0, count};
    tumble_states_question question = tumble_default_states_question();
    tumble_states_answer answer;
    tumble_status status = tumble_scene_states(r->query, r->scene, &states, &question, &answer);
    if (status == TUMBLE_OK) {
        printf("%zu states: %zu free, %zu colliding, %.0f per second\n", count, count - answer.touch_count,
               answer.touch_count, (double)count / answer.counters.seconds);
    }
    question.mode = TUMBLE_STATES_FIRST; /* once more, to know who touches */
    question.stop_at_first = true;
    if (status == TUMBLE_OK) {
        status = tumble_scene_states(r->query, r->scene, &states, &question, &answer);
    }
    if (status == TUMBLE_OK && answer.touch_count > 0) {
        const tumble_object_pair *pair = &answer.pairs[answer.first_touch];
        const int with_table = pair->b.index == r->table.index;
        printf("state %zu: link %u touches %s", answer.first_touch, pair->a.index, with_table ? "the table" : "link ");
        printf(with_table ? "\n" : "%u\n", pair->b.index);
    }
    free(poses);
    return status;
}

int main(int argc, char **argv)
{
    const size_t count = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 10000;
    robot r = {0};
    const int failed = tumble_context_create(NULL, &r.context) != TUMBLE_OK ||
                       tumble_scene_create(r.context, NULL, &r.scene) != TUMBLE_OK ||
                       tumble_query_create(r.context, &r.query) != TUMBLE_OK || build(&r) != TUMBLE_OK ||
                       disable_pairs(&r) != TUMBLE_OK || check_states(&r, count) != TUMBLE_OK;
    if (failed && r.context) {
        char text[512];
        const tumble_status status = tumble_last_error(r.context, text, sizeof text);
        fprintf(stderr, "%s: %s\n", tumble_status_name(status), text);
    }
    tumble_scene_destroy(r.scene); /* before its models */
    tumble_query_destroy(r.query);
    for (int i = 0; i < LINKS; i++) {
        tumble_model_destroy(r.models[i]);
    }
    tumble_model_destroy(r.plate);
    tumble_context_destroy(r.context);
    return failed;
}
