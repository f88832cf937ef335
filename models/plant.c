/* The process plant, put together: parts of exact sizes and the steps of their assembly. */
#include "plant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plant_pieces.h"
#include "scene_parts.h"

static const struct part_plan {
    const char *name;
    size_t triangles;
} part_plans[MODELS_PLANT_PARTS] = {{"frame", 1500}, {"vessel", 3600}, {"exchanger", 4200}, {"pump", 2700},
                                    {"valve", 3000}, {"header", 3815}, {"spool", 3300},     {"bridge", 2300}};

/* A part is slid by `shift` and turned by the quaternion's small part `turn` about `pivot`, both shrinking to nothing,
 * and all the while pressed against its mate by `press`. */
static const struct operation_plan {
    const char *name;
    int moving, target;
    size_t steps;
    double pivot[3], shift[3], turn[3], press[3];
} operation_plans[MODELS_PLANT_OPERATIONS] = {{"the exchanger on the frame",
                                               MODELS_PLANT_EXCHANGER,
                                               MODELS_PLANT_FRAME,
                                               35,
                                               {1.4, -1.1, 2.14},
                                               {0.06, 0.2, 0},
                                               {0, 0, 0.04},
                                               {0, 0, -0.012}},
                                              {"the spool on the vessel",
                                               MODELS_PLANT_SPOOL,
                                               MODELS_PLANT_VESSEL,
                                               50,
                                               {-0.5, 0, 1.2},
                                               {0, 0.1, 0.08},
                                               {0.1, 0, 0.02},
                                               {-0.006, 0, 0}},
                                              {"the spool on the pump",
                                               MODELS_PLANT_SPOOL,
                                               MODELS_PLANT_PUMP,
                                               40,
                                               {0.47, 0, 0.5},
                                               {0, -0.1, 0.05},
                                               {-0.1, 0.01, 0},
                                               {0.006, 0, 0}},
                                              {"the valve on the pump",
                                               MODELS_PLANT_VALVE,
                                               MODELS_PLANT_PUMP,
                                               38,
                                               {0.7, 0, 0.95},
                                               {0.12, 0.04, 0},
                                               {0.01, 0, 0.2},
                                               {0, 0, -0.006}},
                                              {"the header on the valve",
                                               MODELS_PLANT_HEADER,
                                               MODELS_PLANT_VALVE,
                                               30,
                                               {0.7, 0, 1.35},
                                               {-0.1, 0.05, 0},
                                               {0, 0, 0.04},
                                               {0, 0, -0.006}},
                                              {"the bridge on the exchanger",
                                               MODELS_PLANT_BRIDGE,
                                               MODELS_PLANT_EXCHANGER,
                                               40,
                                               {0.8, -1.1, 3.2},
                                               {0.08, 0.08, 0},
                                               {0, 0, 0.05},
                                               {0, 0, -0.006}}};

static int make_part(models_plant_part *part, int number)
{
    part->name = part_plans[number].name;
    plant_make_part(&part->mesh, number);
    part->surface_count = part->mesh.surface;
    if (!models_split_to(&part->mesh, part_plans[number].triangles)) {
        return 0;
    }
    models_round_to_float(&part->mesh);
    return 1;
}

static tumble_pose pose_of(const struct operation_plan *plan, size_t step)
{
    const double left = 1 - (double)step / (double)(plan->steps - 1), origin[3] = {0, 0, 0};
    double square = 0, quaternion[4], pivot[3];
    for (int k = 0; k < 3; k++) {
        quaternion[k + 1] = left * plan->turn[k];
        square += quaternion[k + 1] * quaternion[k + 1];
    }
    quaternion[0] = sqrt(1 - square);
    tumble_pose pose = models_quaternion_pose(quaternion, origin);
    tumble_pose_apply(&pose, plan->pivot, pivot);
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] = plan->pivot[k] - pivot[k] + left * plan->shift[k] + plan->press[k];
    }
    return pose;
}

static int make_operation(models_plant_operation *operation, const struct operation_plan *plan)
{
    operation->name = plan->name;
    operation->moving = plan->moving;
    operation->target = plan->target;
    operation->path = calloc(plan->steps, sizeof *operation->path);
    if (!operation->path) {
        return 0;
    }
    operation->path_length = plan->steps;
    for (size_t i = 0; i < plan->steps; i++) {
        operation->path[i] = pose_of(plan, i);
    }
    return 1;
}

int models_make_plant(models_plant *plant)
{
    int made = 1;
    memset(plant, 0, sizeof *plant);
    for (int i = 0; made && i < MODELS_PLANT_PARTS; i++) {
        made = make_part(&plant->parts[i], i);
    }
    for (int i = 0; made && i < MODELS_PLANT_OPERATIONS; i++) {
        made = make_operation(&plant->operations[i], &operation_plans[i]);
    }
    if (!made) {
        models_free_plant(plant);
    }
    return made;
}

void models_free_plant(models_plant *plant)
{
    for (int i = 0; i < MODELS_PLANT_PARTS; i++) {
        models_free(&plant->parts[i].mesh);
    }
    for (int i = 0; i < MODELS_PLANT_OPERATIONS; i++) {
        free(plant->operations[i].path);
    }
    memset(plant, 0, sizeof *plant);
}

/* ---- The grid ---- */

enum {
    GRID_CUBES = 7,
    GRID_LAYERS = 2 * GRID_CUBES + 1
};

/* Layers of nodes and of the gaps between them take turns; a bar is half as thick as a gap. */
static void place_in_grid(const void *user, const uint32_t at[3], double point[3])
{
    const uint32_t cuts = *(const uint32_t *)user;
    const double bar = 1.0 / 3;
    for (int k = 0; k < 3; k++) {
        const uint32_t layer = at[k] / cuts, cube = layer / 2;
        const double share = (double)(at[k] % cuts) / cuts;
        point[k] = cube + (layer % 2 ? bar + (1 - bar) * share : bar * share);
    }
}

int models_make_grid(models_mesh *mesh, uint32_t cuts)
{
    uint8_t full[GRID_LAYERS * GRID_LAYERS * GRID_LAYERS], *at = full;
    uint32_t layer_cuts[GRID_LAYERS];
    models_blocks blocks = {
        {GRID_LAYERS, GRID_LAYERS, GRID_LAYERS}, full, {layer_cuts, layer_cuts, layer_cuts}, 0, place_in_grid, &cuts};
    memset(mesh, 0, sizeof *mesh);
    for (int k = 0; k < GRID_LAYERS; k++) {
        layer_cuts[k] = cuts;
        for (int j = 0; j < GRID_LAYERS; j++) {
            for (int i = 0; i < GRID_LAYERS; i++) {
                *at++ = i % 2 + j % 2 + k % 2 <= 1;
            }
        }
    }
    models_build_blocks(mesh, &blocks);
    if (mesh->failed) {
        models_free(mesh);
        return 0;
    }
    models_fit(mesh, 2, 1);
    return 1;
}
