/* One step of the boxtree's build (Zachmann 2002, section 4.2).
 *
 * Along an axis, the box nearest the lower border seeds the lower child and the one nearest the upper border the upper
 * child; then each box goes to the child whose volume grows less. All children of a node share the cross-section
 * perpendicular to the axis, so volumes are lengths along it, and the sum of the children's volumes relative to the
 * node's is the same ratio of lengths. That needs no special case for flat sets.
 *
 * The paper lets the children grow from box to box, so that the outcome depends on the order of the boxes (see the
 * order in build.c). Measuring growth from the seeds alone does not, and gives better trees; both are
 * available.
 *
 * With one plane per node, a child's plane may move any side of the box. The split is then judged by the sum of the
 * sides that this leaves, for which the children's bounds along all axes are needed: only small sets are worth that,
 * since the children of large ones reach from end to end along the other axes. */
#include "tree/boxtree/split.h"

#include <limits.h>

#include "base/assert.h"

tmb_grid_set tmb_grid_set_empty(void)
{
    const tmb_grid4 least = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
    const tmb_grid4 most = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    return (tmb_grid_set){{most, least}, most, least};
}

/* The growing children along all three axes at once. */
typedef struct growth {
    tmb_grid4 lower_from, upper_from; /* inner sides from which growth is measured */
    tmb_grid4 lower_end, upper_end;   /* inner sides: the lower child's upper one, and the reverse */
    tmb_grid4 lower_start,
        upper_start; /* least lower side of the lower child, greatest upper side of the upper child */
    tmb_grid4 lower_count, upper_count;
} growth;

static growth growth_begin(const tmb_grid_set *set)
{
    const tmb_grid_set empty = tmb_grid_set_empty();
    const tmb_grid4 zero = {0, 0, 0, 0};
    return (growth){set->least_upper,
                    set->greatest_lower,
                    set->least_upper,
                    set->greatest_lower,
                    empty.bounds.lower,
                    empty.bounds.upper,
                    zero,
                    zero};
}

/* All ones in the lanes in which the box goes to the lower child. Ties go to the child that has fewer, so that sets
 * which no plane separates are halved. */
static inline tmb_grid4 growth_choose(growth *g, const tmb_grid_box *box)
{
    const tmb_grid4 zero = {0, 0, 0, 0};
    const tmb_grid4 lower_growth = tmb_grid_max(box->upper - g->lower_from, zero);
    const tmb_grid4 upper_growth = tmb_grid_max(g->upper_from - box->lower, zero);
    const tmb_grid4 fewer = ~(g->lower_count > g->upper_count);
    const tmb_grid4 lower = (lower_growth < upper_growth) | ((lower_growth == upper_growth) & fewer);
    g->lower_count -= lower;
    g->upper_count -= ~lower;
    return lower;
}

static inline void growth_extend(growth *g, const tmb_grid_box *box, tmb_grid4 lower, int running)
{
    g->lower_end = tmb_grid_select(lower, tmb_grid_max(g->lower_end, box->upper), g->lower_end);
    g->upper_end = tmb_grid_select(lower, g->upper_end, tmb_grid_min(g->upper_end, box->lower));
    g->lower_start = tmb_grid_select(lower, tmb_grid_min(g->lower_start, box->lower), g->lower_start);
    g->upper_start = tmb_grid_select(lower, g->upper_start, tmb_grid_max(g->upper_start, box->upper));
    if (running) {
        g->lower_from = g->lower_end;
        g->upper_from = g->upper_end;
    }
}

/* The bounds of the lower and the upper child, for each axis that they may be split along. */
typedef struct child_bounds {
    tmb_grid_box of[3][2];
} child_bounds;

static child_bounds child_bounds_empty(void)
{
    const tmb_grid_box none = tmb_grid_set_empty().bounds;
    return (child_bounds){{{none, none}, {none, none}, {none, none}}};
}

static inline void child_bounds_add(child_bounds *c, const tmb_grid_box *box, tmb_grid4 lower)
{
    for (int axis = 0; axis < 3; axis++) {
        tmb_grid_box *to = &c->of[axis][lower[axis] + 1];
        to->lower = tmb_grid_min(to->lower, box->lower);
        to->upper = tmb_grid_max(to->upper, box->upper);
    }
}

/* Sets of at most this many boxes are split with all sides in mind. */
#define SMALL_SET 64

/* Along which axes the children could be split, and how they grow. */
typedef struct trial {
    growth growth;
    int any_side; /* the following are known */
    child_bounds bounds;
    tmb_grid4 lower[SMALL_SET]; /* which boxes go to the lower child */
} trial;

static inline __attribute__((always_inline)) void trial_run(trial *t, const tmb_grid_box *boxes, size_t count,
                                                            int any_side, int running)
{
    growth g = t->growth;
    for (size_t i = 0; i < count; i++) {
        const tmb_grid4 lower = growth_choose(&g, &boxes[i]);
        if (any_side) {
            child_bounds_add(&t->bounds, &boxes[i], lower);
            t->lower[i] = lower;
        }
        if (!any_side || running) {
            growth_extend(&g, &boxes[i], lower, running);
        }
    }
    t->growth = g;
}

static void trial_begin(const tumble_boxtree_options *options, const tmb_grid_set *set, const tmb_grid_box *boxes,
                        size_t count, trial *out)
{
    const int running = options->growth == TUMBLE_BOXTREE_GROW_RUNNING;
    out->growth = growth_begin(set);
    out->any_side = options->layout == TUMBLE_BOXTREE_ONE_PLANE && options->planes == TUMBLE_BOXTREE_PLANES_ANY &&
                    count <= SMALL_SET;
    if (out->any_side) {
        out->bounds = child_bounds_empty();
        trial_run(out, boxes, count, 1, running);
    } else if (running) {
        trial_run(out, boxes, count, 0, 1);
    } else {
        trial_run(out, boxes, count, 0, 0);
    }
}

/* The sum of a box's sides when the one that can moves farthest. */
static double size_left(const tmb_grid_box *node, const tmb_grid_box *content)
{
    const tmb_grid4 extent = node->upper - node->lower;
    const tmb_grid4 room = tmb_grid_max(content->lower - node->lower, node->upper - content->upper);
    const int32_t most = room[0] > room[1] ? room[0] : room[1];
    return (double)extent[0] + extent[1] + extent[2] - (most > room[2] ? most : room[2]);
}

/* The length along the axis that a plane leaves of the children's boxes, for the best of the cases lower+upper,
 * lower+lower and upper+upper. The three are judged on the same two sets: growing both children from the same border
 * always leaves one of them with its seed alone, because the longer one swallows every further box without growing. */
static void lengths_left(const tumble_boxtree_options *options, const tmb_grid_box *node, const growth *g, int axis,
                         double sizes[2])
{
    const int32_t from = node->lower[axis], to = node->upper[axis];
    int32_t lower = g->lower_end[axis] - from, upper = to - g->upper_end[axis];
    if (options->layout == TUMBLE_BOXTREE_ONE_PLANE) {
        const int32_t lower_reversed = to - g->lower_start[axis], upper_reversed = g->upper_start[axis] - from;
        lower = lower < lower_reversed ? lower : lower_reversed;
        upper = upper < upper_reversed ? upper : upper_reversed;
    }
    sizes[0] = (double)lower / (to - from);
    sizes[1] = (double)upper / (to - from);
}

/* Sum of the children's sizes, comparable between the axes of a node. */
static double split_cost(const tumble_boxtree_options *options, const tmb_grid_box *node, const trial *t, int axis)
{
    double sizes[2];
    if (t->any_side) {
        sizes[0] = size_left(node, &t->bounds.of[axis][0]);
        sizes[1] = size_left(node, &t->bounds.of[axis][1]);
    } else {
        lengths_left(options, node, &t->growth, axis, sizes);
    }
    if (options->criterion == TUMBLE_BOXTREE_VOLUME) {
        return sizes[0] + sizes[1];
    }
    return sizes[0] * t->growth.lower_count[axis] + sizes[1] * t->growth.upper_count[axis];
}

static int longest_axis(const tmb_grid_box *node)
{
    const tmb_grid4 extent = node->upper - node->lower;
    const int xy = extent[0] >= extent[1] ? 0 : 1;
    return extent[xy] >= extent[2] ? xy : 2;
}

/* The axis with the least cost, or -1 when no axis gives two children within the limit. */
static int best_axis(const tumble_boxtree_options *options, const tmb_grid_box *node, const trial *t, size_t most)
{
    int best = -1;
    double least = 0;
    for (int axis = 0; axis < 3; axis++) {
        const size_t lower = (size_t)t->growth.lower_count[axis], upper = (size_t)t->growth.upper_count[axis];
        const int flat = node->upper[axis] == node->lower[axis];
        if (flat || !lower || !upper || lower > most || upper > most ||
            (options->axes == TUMBLE_BOXTREE_LONGEST_AXIS && axis != longest_axis(node))) {
            continue;
        }
        const double cost = split_cost(options, node, t, axis);
        if (best < 0 || cost < least) {
            best = axis;
            least = cost;
        }
    }
    return best;
}

/* Boxes for the upper child wait in `spare` while those for the lower one are compacted; both keep their order. */
typedef struct partition {
    tmb_grid_box *boxes, *spare;
    size_t lower_count, upper_count;
    tmb_split *out;
} partition;

static inline void partition_add(partition *p, const tmb_grid_box *box, int32_t lower)
{
    if (lower) {
        tmb_grid_set_add(&p->out->lower, box);
        p->boxes[p->lower_count++] = *box;
    } else {
        tmb_grid_set_add(&p->out->upper, box);
        p->spare[p->upper_count++] = *box;
    }
}

static void partition_end(partition *p, int axis)
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    for (size_t i = 0; i < p->upper_count; i++) {
        p->boxes[p->lower_count + i] = p->spare[i];
    }
    p->out->lower_count = p->lower_count;
    p->out->axis = axis;
}

/* The last resort when the greedy split would make the tree too deep: halves at the middle of the centres if that is
 * balanced enough, else by number. */
static void split_in_halves(const tmb_grid_set *set, tmb_grid_box *boxes, size_t count, size_t most, partition *p)
{
    TMB_ASSERT(2 * most >= count);
    const int axis = longest_axis(&set->bounds);
    const int64_t middle = (int64_t)set->bounds.lower[axis] + set->bounds.upper[axis];
    size_t lower_count = 0;
    for (size_t i = 0; i < count; i++) {
        lower_count += (int64_t)boxes[i].lower[axis] + boxes[i].upper[axis] < middle;
    }
    const int balanced = lower_count && lower_count < count && lower_count <= most && count - lower_count <= most;
    for (size_t i = 0; i < count; i++) {
        const tmb_grid_box box = boxes[i];
        partition_add(p, &box, balanced ? (int64_t)box.lower[axis] + box.upper[axis] < middle : i < count / 2);
    }
    partition_end(p, axis);
}

static void partition_as_tried(partition *p, const trial *t, size_t count, int axis)
{
    for (size_t i = 0; i < count; i++) {
        const tmb_grid_box box = p->boxes[i];
        partition_add(p, &box, t->lower[i][axis]);
    }
}

static inline __attribute__((always_inline)) void partition_again(partition *p, const tmb_grid_set *set, size_t count,
                                                                  int axis, int running)
{
    growth g = growth_begin(set);
    for (size_t i = 0; i < count; i++) {
        const tmb_grid_box box = p->boxes[i];
        const tmb_grid4 lower = growth_choose(&g, &box);
        if (running) {
            growth_extend(&g, &box, lower, 1);
        }
        partition_add(p, &box, lower[axis]);
    }
}

void tmb_boxtree_split(const tumble_boxtree_options *options, const tmb_grid_box *node, const tmb_grid_set *set,
                       tmb_grid_box *boxes, tmb_grid_box *spare, size_t count, size_t most, tmb_split *out)
{
    TMB_ASSERT(count >= 2);
    TMB_ASSERT(2 * most >= count);
    TMB_ASSERT(boxes != spare);
    trial t;
    trial_begin(options, set, boxes, count, &t);
    const int axis = best_axis(options, node, &t, most);
    out->lower = out->upper = tmb_grid_set_empty();
    partition p = {boxes, spare, 0, 0, out};
    if (axis < 0) {
        split_in_halves(set, boxes, count, most, &p);
        return;
    }
    if (t.any_side) {
        partition_as_tried(&p, &t, count, axis);
    } else if (options->growth == TUMBLE_BOXTREE_GROW_RUNNING) {
        partition_again(&p, set, count, axis, 1);
    } else {
        partition_again(&p, set, count, axis, 0);
    }
    partition_end(&p, axis);
}
