/* The nearest pair of a scene: first a distance that some pair has, then all pairs whose boxes are that close. */
#include <math.h>
#include <string.h>

#include "scene/answer.h"

/* Neighbours along the tree's order that are tried. */
#define TRIES 32

/* How far two boxes are apart, squared, in the scene's frame. */
static float gap_of(const tmb_box *a, const tmb_box *b)
{
    float square = 0;
    for (int k = 0; k < 3; k++) {
        const float gap = fmaxf(a->lower[k] - b->upper[k], b->lower[k] - a->upper[k]);
        square += gap > 0 ? gap * gap : 0;
    }
    return square;
}

/* The pairs of neighbours with the least gaps, TMB_NO_PAIR where there are fewer. */
static void list_neighbours(const tumble_scene *scene, uint64_t best[TRIES])
{
    const tmb_broad_objects objects = tmb_scene_broad_objects(scene);
    float gaps[TRIES];
    for (int i = 0; i < TRIES; i++) {
        best[i] = TMB_NO_PAIR;
        gaps[i] = INFINITY;
    }
    uint32_t last = TMB_NONE;
    for (uint32_t place = 0; place < objects.count; place++) {
        const uint32_t object = scene->method == TUMBLE_BROAD_TREE && place < scene->broad.main.count
                                    ? scene->broad.main.objects[place]
                                    : place;
        if (object == TMB_NONE || !objects.is_present[object]) {
            continue;
        }
        if (last != TMB_NONE && last != object && tmb_join_allows(&objects.filter, last, object)) {
            const float gap = gap_of(&objects.boxes[last], &objects.boxes[object]);
            int at = TRIES;
            for (; at > 0 && gap < gaps[at - 1]; at--) {
                if (at < TRIES) {
                    gaps[at] = gaps[at - 1];
                    best[at] = best[at - 1];
                }
            }
            if (at < TRIES) {
                gaps[at] = gap;
                best[at] = tmb_pair_key(last, object);
            }
        }
        last = object;
    }
}

tumble_status tmb_scene_bound_nearest(tmb_scene_search *s, double *margin)
{
    uint64_t neighbours[TRIES], bits;
    double best = s->question->within;
    tumble_status status = tmb_scene_set_margin(s->scene, 0);
    memcpy(&bits, &best, sizeof bits);
    atomic_store(&s->best, bits);
    if (status == TUMBLE_OK) {
        list_neighbours(s->scene, neighbours);
    }
    tmb_answer_piece *piece = &s->scratch->pieces[0];
    piece->meeting_count = piece->pair_count = piece->contact_count = 0;
    for (int i = 0; i < TRIES && status == TUMBLE_OK && neighbours[i] != TMB_NO_PAIR; i++) {
        status = tmb_scene_meet(s, s->scratch->queries[0], neighbours[i], piece);
        status = status == TUMBLE_ERROR_MEMORY ? status : TUMBLE_OK; /* a pair that cannot be asked bounds nothing */
    }
    bits = atomic_load(&s->best);
    memcpy(&best, &bits, sizeof best);
    *margin = best / 2 * (1 + 0x1p-30);
    return status;
}
