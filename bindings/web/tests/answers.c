/* Writes what the native library answers about some hundred scenes, for compare.mjs, which asks the WebAssembly module
 * the same: tumble_web_answers FILE [SEED]. All numbers are little-endian: scenes, each of two meshes with the hash of
 * their models' bytes, then poses with the answers, then questions about one of the models, a motion, a scene. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "tumble/tumble.h"

enum {
    SCENES = 200,
    POSES = 3,
    BRUTE_TRIANGLES = 300
};

static FILE *out;
static tumble_context *context;
static tumble_query *query;

static void must(tumble_status status)
{
    if (status != TUMBLE_OK) {
        char text[512];
        tumble_last_error(context, text, sizeof text);
        fprintf(stderr, "tumble_web_answers: %s\n", text);
        exit(1);
    }
}

static void put(const void *p, size_t size)
{
    if (size > 0 && fwrite(p, size, 1, out) != 1) {
        perror("tumble_web_answers");
        exit(1);
    }
}

static void put_whole(uint32_t n)
{
    put(&n, sizeof n);
}

static void put_numbers(const double *p, size_t count)
{
    put(p, count * sizeof *p);
}

/* Two hashes of 32 bits, FNV-1a and one with another prime: what JavaScript multiplies fast. */
static void put_hash(const void *p, size_t size)
{
    const uint8_t *bytes = p;
    uint32_t a = UINT32_C(2166136261), b = UINT32_C(0x9747b28c);
    for (size_t i = 0; i < size; i++) {
        a = (a ^ bytes[i]) * UINT32_C(16777619);
        b = (b ^ bytes[i]) * UINT32_C(0x01000197);
    }
    put_whole((uint32_t)size);
    put_whole(a);
    put_whole(b);
}

/* ---- Meshes ---- */

static void make_soup(models_mesh *mesh, models_random *random, size_t triangles, double size)
{
    for (size_t i = 0; i < triangles; i++) {
        double centre[3];
        uint32_t corners[3];
        for (int k = 0; k < 3; k++) {
            centre[k] = models_random_range(random, -1, 1);
        }
        for (int c = 0; c < 3; c++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = centre[k] + models_random_range(random, -size, size);
            }
            corners[c] = models_point(mesh, p[0], p[1], p[2]);
        }
        models_triangle(mesh, corners[0], corners[1], corners[2]);
    }
}

/* Corners are small whole numbers: many triangles touch, lie in one plane, or have no area. */
static void make_lattice(models_mesh *mesh, models_random *random, size_t triangles)
{
    for (size_t i = 0; i < triangles; i++) {
        uint32_t corners[3];
        for (int c = 0; c < 3; c++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = (double)(models_random_bits(random) % 9) - 4;
            }
            corners[c] = models_point(mesh, p[0], p[1], p[2]);
        }
        models_triangle(mesh, corners[0], corners[1], corners[2]);
    }
}

static size_t shape_count(void)
{
    size_t count = 0;
    while (models_shapes()[count].name) {
        count++;
    }
    return count;
}

static void make_mesh(models_mesh *mesh, models_random *random)
{
    memset(mesh, 0, sizeof *mesh);
    const uint64_t kind = models_random_bits(random) % 8;
    const size_t triangles = 20 + (size_t)(models_random_bits(random) % 1500);
    if (kind == 0) {
        make_soup(mesh, random, triangles, models_random_range(random, 0.01, 0.3));
    } else if (kind == 1) {
        make_lattice(mesh, random, triangles / 8);
    } else {
        const models_shape *shape = &models_shapes()[models_random_bits(random) % shape_count()];
        double values[MODELS_PARAMETERS];
        models_defaults(shape, values);
        models_tune(shape, values, triangles);
        shape->make(mesh, values);
        models_fit(mesh, 2, (int)(models_random_bits(random) % 2));
    }
}

/* ---- Models ---- */

static tumble_model *put_model(const models_mesh *source, models_random *random)
{
    static const tumble_hierarchy kinds[] = {TUMBLE_HIERARCHY_AUTO, TUMBLE_HIERARCHY_AUTO, TUMBLE_HIERARCHY_AUTO,
                                             TUMBLE_HIERARCHY_AUTO, TUMBLE_HIERARCHY_AUTO, TUMBLE_HIERARCHY_BRUTE};
    const tumble_mesh mesh = models_view(source);
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = kinds[models_random_bits(random) % (sizeof kinds / sizeof *kinds)];
    if (models_triangle_count(source) > BRUTE_TRIANGLES) { /* every triangle with every other takes long */
        options.hierarchy = TUMBLE_HIERARCHY_AUTO;
    }
    tumble_model *model;
    must(tumble_model_create(context, &mesh, &options, &model));
    put_whole((uint32_t)options.hierarchy);
    put_whole((uint32_t)mesh.point_count);
    put_whole((uint32_t)mesh.index_count);
    put_whole((uint32_t)(mesh.polygon_sizes ? mesh.polygon_count : 0));
    put_numbers(mesh.points, 3 * mesh.point_count);
    put(mesh.indices, mesh.index_count * sizeof *mesh.indices);
    put(mesh.polygon_sizes, (mesh.polygon_sizes ? mesh.polygon_count : 0) * sizeof *mesh.polygon_sizes);
    put(mesh.surface_ids, source->polygon_count * sizeof *mesh.surface_ids);
    size_t size;
    const void *block = tumble_model_block(model, &size);
    put_hash(block, size);
    return model;
}

/* ---- Questions ---- */

/* Some apart, some touching, some deep in each other; some not turned at all. */
static tumble_pose random_pose(models_random *random, double reach)
{
    tumble_pose pose = tumble_pose_identity();
    if (models_random_bits(random) % 4 != 0) {
        pose = models_random_rotation(random);
    }
    const bool whole = models_random_bits(random) % 4 == 0;
    for (int k = 0; k < 3; k++) {
        const double shift = models_random_range(random, -reach, reach);
        pose.m[k][3] = whole ? (double)(int)(2 * shift) / 2 : shift;
    }
    return pose;
}

static void put_collisions(const tumble_model *a, const tumble_pose *pose_a, const tumble_model *b,
                           const tumble_pose *pose_b, double clearance)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.clearance = clearance;
    options.want_contacts = true;
    tumble_collide_result result;
    must(tumble_collide(query, a, pose_a, b, pose_b, &options, &result));
    put_hash(result.pairs, result.pair_count * sizeof *result.pairs);
    /* Contacts, field by field: one is 64 bytes without gaps. */
    put_hash(result.contacts, result.contact_count * sizeof *result.contacts);
}

static void put_nearness(const tumble_model *a, const tumble_pose *pose_a, const tumble_model *b,
                         const tumble_pose *pose_b)
{
    tumble_distance_result distance;
    must(tumble_distance(query, a, pose_a, b, pose_b, NULL, &distance));
    put_whole((uint32_t)distance.answer);
    put_whole(distance.nearest.polygon_a);
    put_whole(distance.nearest.polygon_b);
    put_numbers(&distance.nearest.distance, 1);
    put_numbers(distance.nearest.point_a, 3);
    put_numbers(distance.nearest.point_b, 3);
    tumble_relation_result relation;
    must(tumble_relate(query, a, pose_a, b, pose_b, &relation));
    put_whole((uint32_t)relation.relation);
}

static void put_questions(models_random *random, const tumble_model *a, const tumble_model *b)
{
    const double reach = models_random_range(random, 0, 3);
    const tumble_pose pose_a = random_pose(random, 0.5), pose_b = random_pose(random, reach);
    const double clearance = models_random_bits(random) % 3 == 0 ? models_random_range(random, 0, 0.2) : 0;
    put_numbers(&pose_a.m[0][0], 12);
    put_numbers(&pose_b.m[0][0], 12);
    put_numbers(&clearance, 1);
    put_collisions(a, &pose_a, b, &pose_b, clearance);
    put_nearness(a, &pose_a, b, &pose_b);
}

/* ---- One model ---- */

enum {
    RAYS = 12,
    OBJECTS = 12
};

static void put_self(const tumble_model *model)
{
    tumble_self_result self;
    must(tumble_self_collide(query, model, NULL, &self));
    put_hash(self.pairs, self.pair_count * sizeof *self.pairs);
}

/* From points around the model towards points in it. */
static void put_rays(models_random *random, const tumble_model *model, const tumble_pose *pose)
{
    double origins[3 * RAYS], directions[3 * RAYS];
    tumble_ray_hit hits[RAYS];
    for (int i = 0; i < 3 * RAYS; i++) {
        origins[i] = models_random_range(random, -2, 2);
        directions[i] = models_random_range(random, -0.5, 0.5) - origins[i];
    }
    tumble_ray_batch batch = tumble_default_ray_batch();
    batch.count = RAYS;
    batch.origins = origins;
    batch.directions = directions;
    batch.hits = hits;
    tumble_ray_result result;
    must(tumble_rays(query, model, pose, &batch, NULL, &result));
    put_numbers(origins, 3 * RAYS);
    put_numbers(directions, 3 * RAYS);
    for (int i = 0; i < RAYS; i++) {
        put_whole(hits[i].polygon);
        put_numbers(&hits[i].t, 1);
        put_numbers(hits[i].point, 3);
    }
    tumble_inside_answer places[RAYS];
    must(tumble_inside(query, model, pose, origins, RAYS, NULL, places, NULL));
    tumble_closest_options options = tumble_default_closest_options();
    options.want_sign = true;
    tumble_closest_result closest;
    must(tumble_closest_points(query, model, pose, origins, RAYS, &options, &closest));
    for (int i = 0; i < RAYS; i++) {
        put_whole((uint32_t)places[i].place);
        put_whole(closest.closest[i].polygon);
        put_numbers(&closest.closest[i].distance, 1);
        put_numbers(closest.closest[i].point, 3);
    }
}

/* ---- Motions and scenes ---- */

static void put_motion(models_random *random, const tumble_model *a, const tumble_model *b)
{
    const tumble_pose from = random_pose(random, 3), to = random_pose(random, 3);
    tumble_motion motion;
    must(tumble_motion_between(context, &from, &to, NULL, &motion));
    tumble_first_contact_result contact;
    must(tumble_first_contact(query, a, NULL, b, &motion, NULL, &contact));
    put_numbers(&from.m[0][0], 12);
    put_numbers(&to.m[0][0], 12);
    put_whole((uint32_t)contact.answer);
    put_numbers(&contact.free_until, 1);
    put_numbers(&contact.touching_at, 1);
}

/* Along a direction, as the models may be open. */
static void put_separation(models_random *random, const tumble_model *a, const tumble_model *b)
{
    const tumble_pose pose = random_pose(random, 1);
    tumble_separate_options options = tumble_default_separate_options();
    tumble_separate_result r;
    options.direction[0] = 1, options.direction[1] = 2, options.direction[2] = -3;
    must(tumble_separate(query, a, NULL, b, &pose, &options, &r));
    put_numbers(&pose.m[0][0], 12);
    put_whole((uint32_t)r.relation);
    put_numbers(&r.lower, 1);
    put_numbers(&r.upper, 1);
    put_numbers(r.translation, 3);
}

static void put_objects(models_random *random, tumble_model *const models[2])
{
    tumble_scene *scene;
    must(tumble_scene_create(context, NULL, &scene));
    for (int i = 0; i < OBJECTS; i++) {
        tumble_part part = tumble_default_part();
        tumble_object object;
        part.model = models[i % 2];
        part.pose = random_pose(random, 3);
        must(tumble_scene_add(scene, &part, 1, &object));
        put_numbers(&part.pose.m[0][0], 12);
    }
    tumble_scene_question question = tumble_default_scene_question();
    question.mode = TUMBLE_SCENE_DISTANCE;
    question.within = 1;
    tumble_scene_answer answer;
    must(tumble_scene_collide(query, scene, &question, &answer));
    put_whole((uint32_t)answer.meeting_count);
    for (uint64_t i = 0; i < answer.meeting_count; i++) {
        put_whole(answer.meetings[i].a.index);
        put_whole(answer.meetings[i].b.index);
        put_numbers(&answer.meetings[i].nearest.distance, 1);
    }
    tumble_scene_destroy(scene);
}

static void put_scene(models_random *random)
{
    models_mesh meshes[2];
    tumble_model *models[2];
    for (int i = 0; i < 2; i++) {
        do {
            make_mesh(&meshes[i], random);
            if (meshes[i].failed != 0 || models_triangle_count(&meshes[i]) > 3000) { /* the simplest of some shapes */
                models_free(&meshes[i]);
                memset(&meshes[i], 0, sizeof meshes[i]);
            }
        } while (meshes[i].point_count == 0);
        models[i] = put_model(&meshes[i], random);
    }
    for (int p = 0; p < POSES; p++) {
        put_questions(random, models[0], models[1]);
    }
    const tumble_pose pose = random_pose(random, 0.5);
    put_self(models[0]);
    put_numbers(&pose.m[0][0], 12);
    put_rays(random, models[0], &pose);
    put_motion(random, models[0], models[1]);
    put_separation(random, models[0], models[1]);
    put_objects(random, models);
    for (int i = 0; i < 2; i++) {
        tumble_model_destroy(models[i]);
        models_free(&meshes[i]);
    }
}

int main(int count, char **arguments)
{
    if (count < 2) {
        fputs("usage: tumble_web_answers FILE [SEED]\n", stderr);
        return 2;
    }
    out = fopen(arguments[1], "wb");
    if (!out) {
        perror(arguments[1]);
        return 1;
    }
    must(tumble_context_create(NULL, &context));
    must(tumble_query_create(context, &query));
    models_random random = {count > 2 ? strtoull(arguments[2], NULL, 0) : 1};
    put_whole(SCENES);
    put_whole(POSES);
    for (int i = 0; i < SCENES; i++) {
        put_scene(&random);
    }
    tumble_query_destroy(query);
    tumble_context_destroy(context);
    return fclose(out) == 0 ? 0 : 1;
}
