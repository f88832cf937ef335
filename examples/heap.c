/* Bodies fall onto a floor and pile up: a scene of many objects, moved step by step. A body that touches one at rest
 * comes to rest. Prints which pairs began and ended to touch. Usage: heap [STEPS [BODIES]] */
#include <stdio.h>
#include <stdlib.h>

#include <tumble/tumble.h>

/* Corners and triangles of three small shapes. */
static const double cube_points[] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,
                                     -1, -1, 1,  1, -1, 1,  1, 1, 1,  -1, 1, 1};
static const uint32_t cube_corners[] = {0, 3, 2, 0, 2, 1, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                        2, 3, 7, 2, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5};
static const double diamond_points[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
static const uint32_t diamond_corners[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
static const double wedge_points[] = {-1, -1, -1, 1, -1, -1, 0, 1, -1, 0, 0, 1};
static const uint32_t wedge_corners[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

enum {
    SHAPES = 3
};

static const struct {
    const double *points;
    size_t point_count;
    const uint32_t *corners;
    size_t corner_count;
} shapes[SHAPES] = {
    {cube_points, 8, cube_corners, 36}, {diamond_points, 6, diamond_corners, 24}, {wedge_points, 4, wedge_corners, 12}};

typedef struct heap {
    tumble_context *context;
    tumble_query *query;
    tumble_scene *scene;
    tumble_model *models[SHAPES];
    size_t count; /* of the objects; the first is the floor */
    tumble_object *objects, *falling;
    tumble_pose *poses, *falling_poses;
    unsigned char *rests;
} heap;

/* Object 0 is a cube as large as a floor; the others stand above it, turned a little, in columns of four by four. */
static tumble_status make_part(const heap *h, size_t number, tumble_part *part)
{
    *part = tumble_default_part();
    part->model = h->models[number % SHAPES];
    if (number == 0) {
        const tumble_pose floor_pose = {{{50, 0, 0, 0}, {0, 50, 0, 0}, {0, 0, 50, -50}}};
        part->pose = floor_pose;
        return TUMBLE_OK;
    }
    const double x = 1.9 * (double)(number % 4), y = 1.9 * (double)(number / 4 % 4), z = 3.0 * (double)(number / 16);
    const double axis[3] = {1, 0.1 * (double)number, 0.3}, place[3] = {x, y, 3 + z + 0.1 * (double)(number % 7)};
    return tumble_pose_from_axis_angle(h->context, axis, (double)number, 0.8, place, &part->pose);
}

static tumble_status open_heap(heap *h)
{
    tumble_status status = tumble_context_create(NULL, &h->context);
    if (status == TUMBLE_OK && (status = tumble_query_create(h->context, &h->query)) == TUMBLE_OK) {
        status = tumble_scene_create(h->context, NULL, &h->scene);
    }
    for (int i = 0; i < SHAPES && status == TUMBLE_OK; i++) {
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = shapes[i].points, mesh.point_count = shapes[i].point_count;
        mesh.indices = shapes[i].corners, mesh.index_count = shapes[i].corner_count;
        status = tumble_model_create(h->context, &mesh, NULL, &h->models[i]);
    }
    h->objects = calloc(h->count, sizeof *h->objects);
    h->falling = calloc(h->count, sizeof *h->falling);
    h->poses = calloc(h->count, sizeof *h->poses);
    h->falling_poses = calloc(h->count, sizeof *h->falling_poses);
    h->rests = calloc(h->count, 1);
    if (!h->objects || !h->falling || !h->poses || !h->falling_poses || !h->rests) {
        return TUMBLE_ERROR_MEMORY;
    }
    for (size_t i = 0; i < h->count && status == TUMBLE_OK; i++) {
        tumble_part part;
        status = make_part(h, i, &part);
        h->poses[i] = part.pose;
        h->rests[i] = i == 0;
        if (status == TUMBLE_OK) {
            status = tumble_scene_add(h->scene, &part, 1, &h->objects[i]);
        }
    }
    return status;
}

/* What does not rest falls, some faster than others. One call moves them all. */
static tumble_status move_falling(heap *h)
{
    size_t count = 0;
    for (size_t i = 0; i < h->count; i++) {
        if (!h->rests[i]) {
            h->poses[i].m[2][3] -= 0.06 + 0.02 * (double)(i % 5);
            h->falling[count] = h->objects[i];
            h->falling_poses[count++] = h->poses[i];
        }
    }
    return tumble_scene_move(h->scene, h->falling, h->falling_poses, count);
}

/* A body that touches one that rests comes to rest. Objects were added in order, so indices are their numbers. */
static void bring_to_rest(heap *h, const tumble_scene_answer *answer)
{
    for (uint64_t i = 0; i < answer->meeting_count; i++) {
        const uint32_t a = answer->meetings[i].a.index, b = answer->meetings[i].b.index;
        h->rests[a] |= h->rests[b];
        h->rests[b] |= h->rests[a];
    }
}

/* "step 13: 2 pairs touch; began 0-8; ended 3-4" */
static void print_step(long step, const tumble_scene_answer *answer)
{
    const char *word = "; began";
    printf("step %ld: %llu pairs touch", step, (unsigned long long)answer->meeting_count);
    for (uint64_t i = 0; i < answer->meeting_count; i++) {
        const tumble_meeting *meeting = &answer->meetings[i];
        if (meeting->event == TUMBLE_BEGAN) {
            printf("%s %u-%u", word, meeting->a.index, meeting->b.index);
            word = ",";
        }
    }
    word = "; ended";
    for (uint64_t i = 0; i < answer->ended_count; i++) {
        printf("%s %u-%u", word, answer->ended[i].a.index, answer->ended[i].b.index);
        word = ",";
    }
    putchar('\n');
}

static tumble_status run_steps(heap *h, long steps)
{
    tumble_status status = TUMBLE_OK;
    for (long step = 1; step <= steps && status == TUMBLE_OK; step++) {
        tumble_scene_answer answer;
        status = move_falling(h);
        if (status == TUMBLE_OK) {
            status = tumble_scene_collide(h->query, h->scene, NULL, &answer);
        }
        if (status == TUMBLE_OK) {
            bring_to_rest(h, &answer);
            print_step(step, &answer);
        }
    }
    return status;
}

static void close_heap(heap *h)
{
    tumble_query_destroy(h->query);
    tumble_scene_destroy(h->scene);
    for (int i = 0; i < SHAPES; i++) {
        tumble_model_destroy(h->models[i]);
    }
    tumble_context_destroy(h->context);
    free(h->objects);
    free(h->falling);
    free(h->poses);
    free(h->falling_poses);
    free(h->rests);
}

int main(int argc, char **argv)
{
    const long steps = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
    heap h = {.count = 1 + (argc > 2 ? strtoul(argv[2], NULL, 10) : 60)};
    tumble_status status = open_heap(&h);
    if (status == TUMBLE_OK) {
        status = run_steps(&h, steps);
    }
    if (status != TUMBLE_OK) {
        char text[512];
        tumble_last_error(h.context, text, sizeof text);
        fprintf(stderr, "%s: %s\n", tumble_status_name(status), text);
    }
    close_heap(&h);
    return status != TUMBLE_OK;
}
