/* In which order are the k/2 intervals of two k-DOPs best compared (Klosowski et al. 1998, section 4.4)? Counts, over
 * all pairs of k-DOPs that walks meet, how many intervals are examined until one separates them, for several orders. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "tree/kdop/kdop.h"
#include "tumble/hierarchies.h"
#include "tumble/tumble.h"

enum {
    DIRECTIONS = TMB_KDOP_MOST / 2,
    STEPS = 40,
    TRIANGLES = 4000
};

typedef enum order_kind {
    STORED,
    UNLIKE,
    LIKE,
    REVERSED,
    MEASURED,
    ORDERS
} order_kind;
static const char *const order_names[ORDERS] = {"as stored", "unlike first", "like first", "backwards", "by success"};

typedef struct counts {
    uint64_t pairs, separated;
    uint64_t looks[ORDERS];          /* intervals compared */
    uint64_t masks[1 << DIRECTIONS]; /* pairs by the set of directions that separate them */
} counts;

typedef struct walk {
    const tumble_model *model;
    const tmb_kdop_set *set;
    float (*moved)[TMB_KDOP_MOST]; /* B's k-DOPs in A's frame, tight */
    counts *found;
} walk;

static void fail(const char *what)
{
    fprintf(stderr, "tumble_orders: %s\n", what);
    exit(1);
}

/* ---- Orders ---- */

static double likeness(const tmb_kdop_set *set, int i, int j)
{
    const double *a = set->directions[i], *b = set->directions[j];
    const double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    return dot / sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
}

/* Each next direction is the one whose nearest predecessor is farthest (sign 1) or nearest (sign -1). */
static void order_by_likeness(const tmb_kdop_set *set, double sign, int order[DIRECTIONS])
{
    const int count = (int)set->k / 2;
    int used[DIRECTIONS] = {1};
    order[0] = 0;
    for (int n = 1; n < count; n++) {
        double best = INFINITY;
        for (int i = 0; i < count; i++) {
            double most = 0;
            for (int j = 0; j < n; j++) {
                most = fmax(most, likeness(set, i, order[j]));
            }
            if (!used[i] && sign * most < best) {
                best = sign * most;
                order[n] = i;
            }
        }
        used[order[n]] = 1;
    }
}

/* Each next direction separates the most pairs that those before it do not. */
static void order_by_success(const counts *found, int count, int order[DIRECTIONS])
{
    unsigned taken = 0;
    for (int n = 0; n < count; n++) {
        uint64_t most = 0;
        order[n] = -1;
        for (int i = 0; i < count; i++) {
            uint64_t gain = 0;
            for (unsigned mask = 1; mask < 1u << count; mask++) {
                gain += (mask >> i & 1) && !(mask & taken) ? found->masks[mask] : 0;
            }
            if (!(taken >> i & 1) && (order[n] < 0 || gain > most)) {
                most = gain;
                order[n] = i;
            }
        }
        taken |= 1u << order[n];
    }
}

static void count_looks(const counts *found, int count, const int order[DIRECTIONS], uint64_t *looks)
{
    for (unsigned mask = 0; mask < 1u << count; mask++) {
        int n = 0;
        while (n < count && !(mask >> order[n] & 1)) {
            n++;
        }
        *looks += found->masks[mask] * (uint64_t)(n < count ? n + 1 : count);
    }
}

/* ---- Walks ---- */

static const uint32_t *row_of(const walk *w, uint32_t node)
{
    return tmb_kdop_row(w->model->nodes, w->set->k, node);
}

static void move_leaf(const walk *w, uint32_t address, const tumble_pose *pose, float *out)
{
    double corners[3][3], p[3];
    tmb_model_corners(w->model, address, corners);
    for (uint32_t l = 0; l < w->set->k; l++) {
        out[l] = -INFINITY;
    }
    for (int i = 0; i < 3; i++) {
        tumble_pose_apply(pose, corners[i], p);
        for (uint32_t l = 0; l < w->set->k; l++) {
            double d[3], x = 0;
            tmb_kdop_lane(w->set, l, d);
            for (int k = 0; k < 3; k++) {
                x += d[k] * (p[k] - w->model->frame.centre[k]) * w->model->frame.scale;
            }
            out[l] = fmaxf(out[l], (float)x);
        }
    }
}

static void move_all(const walk *w, const tumble_pose *pose)
{
    for (uint32_t node = (uint32_t)w->model->block->node_count; node >= 1; node--) {
        const uint32_t *row = row_of(w, node), link = tmb_kdop_link(w->set->k, row);
        if (tmb_kdop_count(w->set->k, row)) {
            move_leaf(w, link, pose, w->moved[node]);
            continue;
        }
        for (uint32_t l = 0; l < w->set->k; l++) {
            w->moved[node][l] = fmaxf(w->moved[link][l], w->moved[link + 1][l]);
        }
    }
}

static void compare(const walk *w, uint32_t a, uint32_t b)
{
    const uint32_t k = w->set->k, *row_a = row_of(w, a), *row_b = row_of(w, b);
    const float *bounds = (const float *)row_a, *moved = w->moved[b];
    unsigned mask = 0;
    for (uint32_t i = 0; i < k / 2; i++) {
        const int apart = bounds[2 * i] < -moved[2 * i + 1] || moved[2 * i] < -bounds[2 * i + 1];
        mask |= (unsigned)apart << i;
    }
    w->found->pairs++;
    w->found->separated += mask != 0;
    w->found->masks[mask]++;
    if (mask) {
        return;
    }
    const int leaf_a = tmb_kdop_count(k, row_a) != 0, leaf_b = tmb_kdop_count(k, row_b) != 0;
    for (uint32_t i = 0; i < (leaf_a ? 1u : 2u) && !(leaf_a && leaf_b); i++) {
        for (uint32_t j = 0; j < (leaf_b ? 1u : 2u); j++) {
            compare(w, leaf_a ? a : tmb_kdop_link(k, row_a) + i, leaf_b ? b : tmb_kdop_link(k, row_b) + j);
        }
    }
}

/* Two copies at distances from deep in each other to apart, turned all the time. */
static void walk_shape(tumble_context *context, const char *shape, uint32_t k, counts *found)
{
    models_mesh mesh = {0};
    if (!models_make_sized(&mesh, shape, TRIANGLES)) {
        fail("no memory for a shape");
    }
    models_fit(&mesh, 2, 1);
    tumble_tuning tuning = tumble_default_tuning();
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_KDOP;
    options.tuning = &tuning;
    tuning.kdop.k = k;
    tuning.kdop.leaf = 1;
    const tumble_mesh view = models_view(&mesh);
    tumble_model *model = NULL;
    if (tumble_model_create(context, &view, &options, &model) != TUMBLE_OK) {
        fail("no memory for a model");
    }
    walk w = {model, tmb_kdop_set_of(k), calloc(model->block->node_count + 1, sizeof *w.moved), found};
    if (!w.moved) {
        fail("no memory for k-DOPs");
    }
    for (int step = 0; step < STEPS; step++) {
        const double axis[3] = {1, 0.3 * step, 2 - 0.1 * step}, shift[3] = {0.5 + 0.04 * step, 0.02 * step, 0.1};
        tumble_pose pose;
        if (tumble_pose_from_axis_angle(context, axis, 0.7 * step, 1, shift, &pose) != TUMBLE_OK) {
            fail("a pose is not one");
        }
        move_all(&w, &pose);
        compare(&w, TMB_KDOP_ROOT, TMB_KDOP_ROOT);
    }
    free(w.moved);
    tumble_model_destroy(model);
    models_free(&mesh);
}

static void measure(tumble_context *context, const char *shape, uint32_t k, counts *found)
{
    const int count = (int)k / 2;
    int orders[ORDERS][DIRECTIONS] = {{0}};
    memset(found, 0, sizeof *found);
    walk_shape(context, shape, k, found);
    for (int i = 0; i < count; i++) {
        orders[STORED][i] = i;
        orders[REVERSED][i] = count - 1 - i;
    }
    order_by_likeness(tmb_kdop_set_of(k), 1, orders[UNLIKE]);
    order_by_likeness(tmb_kdop_set_of(k), -1, orders[LIKE]);
    order_by_success(found, count, orders[MEASURED]);
    printf("%-8s %3u %10llu %5.1f%%", shape, k, (unsigned long long)found->pairs,
           100 * (double)found->separated / (double)found->pairs);
    for (int order = 0; order < ORDERS; order++) {
        count_looks(found, count, orders[order], &found->looks[order]);
        printf("  %12.3f", (double)found->looks[order] / (double)found->pairs);
    }
    putchar('\n');
}

int main(void)
{
    static const char *const shapes[] = {"sphere", "gear", "pipes", "lattice"};
    static const uint32_t ks[] = {6, 12, 14, 18, 26};
    tumble_context *context = NULL;
    counts *found = malloc(sizeof *found);
    if (!found || tumble_context_create(NULL, &context) != TUMBLE_OK) {
        fail("no memory");
    }
    printf("intervals compared for a pair of k-DOPs, on average\n%-8s %3s %10s %6s", "shape", "k", "pairs", "apart");
    for (int order = 0; order < ORDERS; order++) {
        printf("  %12s", order_names[order]);
    }
    putchar('\n');
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
            measure(context, shapes[s], ks[i], found);
        }
    }
    tumble_context_destroy(context);
    free(found);
    return 0;
}
