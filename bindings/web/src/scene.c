/* Scenes. An object is known by its index and its generation. */
#include "web.h"

#include <stdlib.h>
#include <string.h>

int web_scene(void)
{
    tumble_scene *scene = NULL;
    tumble_scene_options options = tumble_default_scene_options();
    options.thread_count = 1;
    const tumble_status status = tumble_scene_create(web.context, &options, &scene);
    const double result = status == TUMBLE_OK ? web_address(scene) : 0;
    web_results(&result, 1);
    return (int)status;
}

void web_scene_destroy(tumble_scene *scene)
{
    tumble_scene_destroy(scene);
}

static tumble_part part_of(const tumble_model *model, int given, uint32_t group, uint32_t mask, double clearance,
                           double radius, int is_inactive)
{
    tumble_part part = tumble_default_part();
    part.model = model;
    if (web_pose(given, 0)) {
        part.pose = *web_pose(given, 0);
    }
    part.group = group;
    part.mask = mask;
    part.clearance = clearance;
    part.radius = radius;
    part.is_inactive = is_inactive != 0;
    return part;
}

int web_scene_add(tumble_scene *scene, const tumble_model *model, int given, uint32_t group, uint32_t mask,
                  double clearance, double radius, int is_inactive)
{
    const tumble_part part = part_of(model, given, group, mask, clearance, radius, is_inactive);
    tumble_object object = {0, 0};
    const tumble_status status = tumble_scene_add(scene, &part, 1, &object);
    const double results[] = {object.index, object.generation};
    web_results(results, 2);
    return (int)status;
}

int web_scene_set(tumble_scene *scene, uint32_t index, uint32_t generation, const tumble_model *model, int given,
                  uint32_t group, uint32_t mask, double clearance, double radius, int is_inactive)
{
    const tumble_part part = part_of(model, given, group, mask, clearance, radius, is_inactive);
    const tumble_object object = {index, generation};
    return (int)tumble_scene_set(scene, &object, &part, 1);
}

int web_scene_remove(tumble_scene *scene, uint32_t index, uint32_t generation)
{
    const tumble_object object = {index, generation};
    return (int)tumble_scene_remove(scene, &object, 1);
}

int web_scene_move(tumble_scene *scene, const tumble_object *objects, const tumble_pose *poses, size_t count)
{
    return (int)tumble_scene_move(scene, objects, poses, count);
}

int web_scene_move_one(tumble_scene *scene, uint32_t index, uint32_t generation, int given)
{
    const tumble_object object = {index, generation};
    const tumble_pose identity = tumble_pose_identity(), *pose = web_pose(given, 0);
    return (int)tumble_scene_move(scene, &object, pose ? pose : &identity, 1);
}

int web_scene_ignore(tumble_scene *scene, uint32_t index_a, uint32_t generation_a, uint32_t index_b,
                     uint32_t generation_b, int is_ignored)
{
    const tumble_object_pair pair = {{index_a, generation_a}, {index_b, generation_b}};
    return (int)tumble_scene_ignore(scene, &pair, 1, is_ignored != 0);
}

/* ---- Questions ---- */

/* Meetings as rows of numbers, kept until the next question. */
enum {
    MEETING = 18
};
static double *rows;
static size_t row_capacity;

static void write_row(double *row, const tumble_meeting *m)
{
    const double *p = m->nearest.point_a, *q = m->nearest.point_b;
    const double values[MEETING] = {m->a.index,
                                    m->b.index,
                                    m->event,
                                    m->relation,
                                    (double)m->pair_count,
                                    web_address(m->pairs),
                                    web_address(m->contacts),
                                    (double)m->contact_count,
                                    m->nearest.distance,
                                    m->nearest.polygon_a,
                                    m->nearest.polygon_b,
                                    p[0],
                                    p[1],
                                    p[2],
                                    q[0],
                                    q[1],
                                    q[2],
                                    0};
    memcpy(row, values, sizeof values);
}

static int keep_rows(const tumble_scene_answer *answer)
{
    if (answer->meeting_count > row_capacity) {
        double *larger = realloc(rows, (size_t)answer->meeting_count * MEETING * sizeof *rows);
        if (!larger) {
            return 0;
        }
        rows = larger;
        row_capacity = (size_t)answer->meeting_count;
    }
    for (size_t i = 0; i < answer->meeting_count; i++) {
        write_row(&rows[MEETING * i], &answer->meetings[i]);
    }
    return 1;
}

int web_scene_ask(tumble_scene *scene, int mode, double clearance, double within, int want_contacts)
{
    tumble_scene_question question = tumble_default_scene_question();
    question.mode = (tumble_scene_mode)mode;
    question.clearance = clearance;
    question.within = within;
    question.want_contacts = want_contacts != 0;
    tumble_scene_answer answer;
    const tumble_status status = tumble_scene_collide(web.query, scene, &question, &answer);
    if (status != TUMBLE_OK) {
        return (int)status;
    }
    if (!keep_rows(&answer)) {
        return TUMBLE_ERROR_MEMORY;
    }
    const double results[] = {answer.touch,      (double)answer.candidate_count, (double)answer.meeting_count,
                              web_address(rows), web_address(answer.ended),      (double)answer.ended_count};
    web_results(results, sizeof results / sizeof *results);
    return TUMBLE_OK;
}

int web_scene_ray(tumble_scene *scene, const double *ray, double t0, double t1, uint32_t groups)
{
    tumble_ray_options options = tumble_default_ray_options();
    options.t0 = t0;
    options.t1 = t1;
    tumble_scene_ray_result r;
    const tumble_status status = tumble_scene_ray(web.query, scene, groups, ray, ray + 3, &options, &r);
    if (status == TUMBLE_OK) {
        const tumble_ray_hit *hit = &r.first.hit;
        const double results[] = {r.hit,  r.first.object.index, hit->polygon,  hit->side,
                                  hit->t, hit->point[0],        hit->point[1], hit->point[2]};
        web_results(results, sizeof results / sizeof *results);
    }
    return (int)status;
}
