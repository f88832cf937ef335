/* One step of the boxtree's build (Zachmann 2002, section 4.2).
 *
 * Along an axis, the box nearest the lower border seeds the lower child and the one nearest the upper border the upper
 * child; then each box goes to the child whose volume grows less. All children of a node share the cross-section
 * perpendicular to the axis, so volumes are lengths along it, and the sum of the children's volumes relative to the
 * node's is the same ratio of lengths. That needs no special case for flat sets.
 *
 * The paper lets the children grow from box to box, so that the outcome depends on the order of the boxes (see the
 * order in build.c). Measuring growth from the seeds alone does not, and gives better trees; both are
 * available. */
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
static inline tmb_grid4 growth_add(growth *g, const tmb_grid_box *box, int running)
{
    const tmb_grid4 zero = {0, 0, 0, 0};
    const tmb_grid4 lower_growth = tmb_grid_max(box->upper - g->lower_from, zero);
    const tmb_grid4 upper_growth = tmb_grid_max(g->upper_from - box->lower, zero);
    const tmb_grid4 fewer = ~(g->lower_count > g->upper_count);
    const tmb_grid4 lower = (lower_growth < upper_growth) | ((lower_growth == upper_growth) & fewer);
    g->lower_end = tmb_grid_select(lower, tmb_grid_max(g->lower_end, box->upper), g->lower_end);
    g->upper_end = tmb_grid_select(lower, g->upper_end, tmb_grid_min(g->upper_end, box->lower));
    g->lower_start = tmb_grid_select(lower, tmb_grid_min(g->lower_start, box->lower), g->lower_start);
    g->upper_start = tmb_grid_select(lower, g->upper_start, tmb_grid_max(g->upper_start, box->upper));
    g->lower_count -= lower;
    g->upper_count -= ~lower;
    if (running) {
        g->lower_from = g->lower_end;
        g->upper_from = g->upper_end;
    }
    return lower;
}

/* Sum of the children's volumes over the node's, for the best of the cases lower+upper, lower+lower and upper+upper.
 * The three are judged on the same two sets: growing both children from the same border always leaves one of them with
 * its seed alone, because the longer one swallows every further box without growing. */
static double split_cost(const tumble_boxtree_options *options, const tmb_grid_box *node, const growth *g, int axis)
{
    const int32_t from = node->lower[axis], to = node->upper[axis];
    int32_t lower = g->lower_end[axis] - from, upper = to - g->upper_end[axis];
    if (options->layout == TUMBLE_BOXTREE_ONE_PLANE) {
        const int32_t lower_reversed = to - g->lower_start[axis], upper_reversed = g->upper_start[axis] - from;
        lower = lower < lower_reversed ? lower : lower_reversed;
        upper = upper < upper_reversed ? upper : upper_reversed;
    }
    double sum = (double)lower + (double)upper;
    if (options->criterion == TUMBLE_BOXTREE_VOLUME_COUNT) {
        const double lower_count = g->lower_count[axis], upper_count = g->upper_count[axis];
        sum = (lower * lower_count + upper * upper_count) / (lower_count + upper_count);
    }
    return sum / (to - from);
}

static int longest_axis(const tmb_grid_box *node)
{
    const tmb_grid4 extent = node->upper - node->lower;
    const int xy = extent[0] >= extent[1] ? 0 : 1;
    return extent[xy] >= extent[2] ? xy : 2;
}

/* The axis with the least cost, or -1 when no axis gives two children within the limit. */
static int best_axis(const tumble_boxtree_options *options, const tmb_grid_box *node, const growth *g, size_t most)
{
    int best = -1;
    double least = 0;
    for (int axis = 0; axis < 3; axis++) {
        const size_t lower = (size_t)g->lower_count[axis], upper = (size_t)g->upper_count[axis];
        const int flat = node->upper[axis] == node->lower[axis];
        if (flat || !lower || !upper || lower > most || upper > most ||
            (options->axes == TUMBLE_BOXTREE_LONGEST_AXIS && axis != longest_axis(node))) {
            continue;
        }
        const double cost = split_cost(options, node, g, axis);
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

void tmb_boxtree_split(const tumble_boxtree_options *options, const tmb_grid_box *node, const tmb_grid_set *set,
                       tmb_grid_box *boxes, tmb_grid_box *spare, size_t count, size_t most, tmb_split *out)
{
    TMB_ASSERT(count >= 2);
    TMB_ASSERT(2 * most >= count);
    TMB_ASSERT(boxes != spare);
    const int running = options->growth == TUMBLE_BOXTREE_GROW_RUNNING;
    growth g = growth_begin(set);
    for (size_t i = 0; i < count; i++) {
        growth_add(&g, &boxes[i], running);
    }
    const int axis = best_axis(options, node, &g, most);
    out->lower = out->upper = tmb_grid_set_empty();
    partition p = {boxes, spare, 0, 0, out};
    if (axis < 0) {
        split_in_halves(set, boxes, count, most, &p);
        return;
    }
    g = growth_begin(set);
    for (size_t i = 0; i < count; i++) {
        const tmb_grid_box box = boxes[i];
        const tmb_grid4 lower = growth_add(&g, &box, running);
        partition_add(&p, &box, lower[axis]);
    }
    partition_end(&p, axis);
}
