/* The rules for axes, and the mean and the median along them. */
#include "tree/kdop/split.h"
#include "base/assert.h"
#include "math/rounding.h"

#include <math.h>

#include "math/vec3.h"
#include "tree/kdop/volume.h"

/* ---- The rules ---- */

static void add_row_axes(tmb_kdop_rules *r, const double (*directions)[3], uint32_t count)
{
    memcpy(r->row_axes[r->row_lanes / 2], directions, count * sizeof *directions);
    r->row_lanes += 2 * count;
}

void tmb_kdop_rules_of(const tumble_kdop_options *options, tmb_kdop_rules *r)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(options->k), *axes = options->all_directions ? set : tmb_kdop_set_of(6);
    memset(r, 0, sizeof *r);
    r->options = *options;
    r->axis_count = axes->k / 2;
    for (uint32_t i = 0; i < r->axis_count; i++) {
        const double *d = axes->directions[i];
        r->axes[i][0] = (float)d[0], r->axes[i][1] = (float)d[1], r->axes[i][2] = (float)d[2];
        r->lengths[i] = tmb_length(d);
    }
    r->wants_volumes = options->split >= TUMBLE_KDOP_SPLIT_MIN_SUM || options->at == TUMBLE_KDOP_AT_BEST;
    if (r->wants_volumes) {
        add_row_axes(r, set->directions, set->k / 2);
    }
    const int sides_among_them = r->wants_volumes && (set->k != 12 || options->all_directions);
    if (options->split == TUMBLE_KDOP_SPLIT_LONGEST && !sides_among_them) {
        r->axis_lane = r->row_lanes;
        add_row_axes(r, axes->directions, r->axis_count);
    }
    r->row_lanes = (r->row_lanes + 3) / 4 * 4;
}

void tmb_kdop_join_none(float *bounds, uint32_t lanes)
{
    for (uint32_t l = 0; l < lanes; l++) {
        bounds[l] = -INFINITY;
    }
}

double tmb_kdop_measure(const tmb_kdop_rules *rules, const float *bounds, double margin)
{
    TMB_ASSERT(margin >= 0);
    return rules->options.estimate ? tmb_kdop_volume_estimate(rules->options.k, bounds, margin)
                                   : tmb_kdop_volume(rules->options.k, bounds, margin);
}

/* ---- Moments of the centroids ---- */

typedef struct moments {
    double mean[3];
    double spread[6]; /* count times the covariance: xx, yy, zz, xy, xz, yz */
} moments;

/* In one pass, relative to the first centroid, so that little cancels. */
static inline moments moments_of(const tmb_kdop_item *items, uint32_t count, int mixed)
{
    const double origin[3] = {items->centroid[0], items->centroid[1], items->centroid[2]};
    double sum[3] = {0, 0, 0}, squares[6] = {0, 0, 0, 0, 0, 0};
    for (uint32_t i = 1; i < count; i++) {
        const float *c = items[i].centroid;
        const double x = (double)c[0] - origin[0], y = (double)c[1] - origin[1], z = (double)c[2] - origin[2];
        sum[0] += x, sum[1] += y, sum[2] += z;
        squares[0] += x * x, squares[1] += y * y, squares[2] += z * z;
        if (mixed) {
            squares[3] += x * y, squares[4] += x * z, squares[5] += y * z;
        }
    }
    static const uint8_t pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    moments m;
    for (int i = 0; i < 6; i++) {
        m.spread[i] = squares[i] - sum[pairs[i][0]] * sum[pairs[i][1]] / count;
    }
    for (int i = 0; i < 3; i++) {
        m.mean[i] = origin[i] + sum[i] / count;
    }
    return m;
}

/* Along a unit vector. */
static double variance_along(const moments *m, const float axis[3], double length)
{
    TMB_ASSERT(length > 0);
    const double x = (double)axis[0] / length, y = (double)axis[1] / length, z = (double)axis[2] / length;
    const double squares = x * x * m->spread[0] + y * y * m->spread[1] + z * z * m->spread[2];
    return squares + 2 * (x * y * m->spread[3] + x * z * m->spread[4] + y * z * m->spread[5]);
}

static uint32_t splatter_axis(const tmb_kdop_rules *rules, const moments *m)
{
    double most = -INFINITY;
    uint32_t axis = 0;
    for (uint32_t i = 0; i < rules->axis_count; i++) {
        const double variance =
            rules->options.all_directions ? variance_along(m, rules->axes[i], rules->lengths[i]) : m->spread[i];
        if (variance > most) {
            most = variance;
            axis = i;
        }
    }
    return axis;
}

/* The least key that is not less than the mean: what comes before it has smaller coordinates. */
static uint64_t mean_key(const moments *m, const float axis[3])
{
    const double mean = ((double)axis[0] * m->mean[0] + (double)axis[1] * m->mean[1]) + (double)axis[2] * m->mean[2];
    return tmb_kdop_key(tmb_float_above(mean), 0);
}

/* ---- The k-DOP of the whole set ---- */

static inline void join_all(const tmb_kdop_rules *rules, const tmb_kdop_item *items, uint32_t count, float *bounds,
                            uint32_t lanes)
{
    tmb_kdop_join_none(bounds, lanes);
    for (uint32_t i = 0; i < count; i++) {
        tmb_kdop_join(bounds, rules->rows + (size_t)items[i].triangle * lanes, lanes);
    }
}

static void bounds_of(const tmb_kdop_rules *rules, const tmb_kdop_item *items, uint32_t count, float *bounds)
{
    TMB_KDOP_WITH_LANES(rules->row_lanes, join_all(rules, items, count, bounds, lanes))
}

static uint32_t longest_axis(const tmb_kdop_rules *rules, const float *bounds)
{
    double most = -INFINITY;
    uint32_t axis = 0;
    for (uint32_t i = 0; i < rules->axis_count; i++) {
        const float *ends = bounds + rules->axis_lane + 2 * i;
        const double length = ((double)ends[0] + (double)ends[1]) / rules->lengths[i];
        if (length > most) {
            most = length;
            axis = i;
        }
    }
    return axis;
}

/* The longest width. */
static double extent_of(const tmb_kdop_rules *rules, const float *bounds)
{
    double most = 0;
    for (uint32_t i = 0; i < rules->options.k / 2; i++) {
        const double *d = rules->row_axes[i];
        const double length = ((double)bounds[2 * i] + (double)bounds[2 * i + 1]) / tmb_length(d);
        most = length > most ? length : most;
    }
    return most;
}

/* Volumes are those of k-DOPs that are widened, by a share of the whole set's extent. A little is enough to compare
 * flat sets by area and needles by length. */
#define MARGIN_LEAST 0x1p-14

/* Half of the extent makes a volume that of all places where the centre of a ball, as large as the set, touches the
 * k-DOP: what decides on how often it is met by others of its size. */
#define MARGIN_BEST 0.5

/* ---- The median ---- */

static void swap(uint64_t *a, uint64_t *b)
{
    const uint64_t c = *a;
    *a = *b, *b = c;
}

static uint64_t middle_of_three(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static uint64_t pivot_of(const uint64_t *keys, uint32_t count)
{
    const uint32_t step = count / 9;
    uint64_t thirds[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t *k = keys + 3 * i * step;
        thirds[i] = middle_of_three(k[step / 2], k[step + step / 2], k[2 * step + step / 2]);
    }
    return middle_of_three(thirds[0], thirds[1], thirds[2]);
}

/* The key that would be number `rank` if they were sorted (Hoare). No two are equal, so each pass makes progress. */
static uint64_t select_key(uint64_t *keys, uint32_t count, uint32_t rank)
{
    TMB_ASSERT(rank < count);
    while (count > 1) {
        const uint64_t pivot = pivot_of(keys, count);
        uint32_t less = 0;
        for (uint32_t i = 0; i < count; i++) { /* no branch depends on a key */
            const uint64_t key = keys[i];
            keys[i] = keys[less];
            keys[less] = key;
            less += key < pivot;
        }
        if (rank < less) {
            count = less;
        } else if (less == 0) { /* the pivot is the least */
            if (rank == 0) {
                return pivot;
            }
            for (uint32_t i = 0; keys[0] != pivot; i++) {
                swap(&keys[0], &keys[i]);
            }
            keys++, count--, rank--;
        } else {
            keys += less, count -= less, rank -= less;
        }
    }
    return keys[0];
}

static uint64_t median_key(const tmb_kdop_item *items, uint64_t *keys, uint32_t count, const float axis[3])
{
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = tmb_kdop_key(tmb_kdop_coordinate(&items[i], axis), items[i].triangle);
    }
    return select_key(keys, count, count / 2);
}

/* ---- Least volumes ---- */

typedef struct candidate {
    uint64_t key;
    uint64_t second; /* the first 64 triangles that go to the second child, as bits */
    uint32_t second_count;
    float bounds[2][TMB_KDOP_ROW_MOST];
} candidate;

/* Both children's k-DOPs for each candidate. */
static inline void fill_candidates(const tmb_kdop_rules *rules, const tmb_kdop_item *items, uint32_t count,
                                   candidate *candidates, uint32_t lanes)
{
    for (uint32_t a = 0; a < rules->axis_count; a++) {
        candidates[a].second = candidates[a].second_count = 0;
        tmb_kdop_join_none(candidates[a].bounds[0], lanes);
        tmb_kdop_join_none(candidates[a].bounds[1], lanes);
    }
    for (uint32_t i = 0; i < count; i++) {
        const float *row = rules->rows + (size_t)items[i].triangle * lanes;
        for (uint32_t a = 0; a < rules->axis_count; a++) {
            candidate *c = &candidates[a];
            const uint64_t key = tmb_kdop_key(tmb_kdop_coordinate(&items[i], rules->axes[a]), items[i].triangle);
            const uint32_t second = key >= c->key;
            c->second |= (uint64_t)second << (i & 63);
            c->second_count += second;
            tmb_kdop_join(c->bounds[second], row, lanes);
        }
    }
}

static void measure_candidates(const tmb_kdop_rules *rules, const tmb_kdop_item *items, uint32_t count,
                               candidate *candidates)
{
    TMB_KDOP_WITH_LANES(rules->row_lanes, fill_candidates(rules, items, count, candidates, lanes))
}

/* Whether an earlier candidate makes the same two sets, of at most 64 triangles. */
static int is_repeated(const candidate *candidates, uint32_t number, uint32_t count)
{
    TMB_ASSERT(count <= 64);
    TMB_ASSERT(number < TMB_KDOP_AXES);
    const uint64_t all = UINT64_MAX >> (64 - count);
    for (uint32_t a = 0; a < number; a++) {
        if (candidates[a].second == candidates[number].second ||
            candidates[a].second == (all & ~candidates[number].second)) {
            return 1;
        }
    }
    return 0;
}

static double candidate_cost(const tmb_kdop_rules *rules, const candidate *c, double margin)
{
    const double first = tmb_kdop_measure(rules, c->bounds[0], margin),
                 second = tmb_kdop_measure(rules, c->bounds[1], margin);
    return rules->options.split == TUMBLE_KDOP_SPLIT_MIN_MAX ? fmax(first, second) : first + second;
}

static tmb_kdop_cut cheapest_candidate(const tmb_kdop_rules *rules, const candidate *candidates, uint32_t count)
{
    tmb_kdop_cut best = {.cost = INFINITY};
    uint32_t distinct[TMB_KDOP_AXES], distinct_count = 0;
    for (uint32_t a = 0; a < rules->axis_count; a++) {
        const uint32_t second = candidates[a].second_count;
        if (second > 0 && second < count && (count > 64 || !is_repeated(candidates, a, count))) {
            distinct[distinct_count++] = a;
        }
    }
    if (distinct_count == 1) {
        return (tmb_kdop_cut){distinct[0], candidates[distinct[0]].key, 0};
    }
    float whole[TMB_KDOP_ROW_MOST];
    memcpy(whole, candidates[0].bounds[0], rules->row_lanes * sizeof *whole);
    tmb_kdop_join(whole, candidates[0].bounds[1], rules->row_lanes);
    const double margin = MARGIN_LEAST * extent_of(rules, whole);
    for (uint32_t i = 0; i < distinct_count; i++) {
        const candidate *c = &candidates[distinct[i]];
        const double cost = candidate_cost(rules, c, margin);
        if (cost < best.cost) {
            best = (tmb_kdop_cut){distinct[i], c->key, cost};
        }
    }
    return best;
}

static tmb_kdop_cut least_volumes(const tmb_kdop_rules *rules, const tmb_kdop_item *items, uint64_t *keys,
                                  uint32_t count, int at_median)
{
    candidate candidates[TMB_KDOP_AXES];
    const moments m = moments_of(items, count, 0);
    for (uint32_t a = 0; a < rules->axis_count; a++) {
        candidates[a].key = at_median ? median_key(items, keys, count, rules->axes[a]) : mean_key(&m, rules->axes[a]);
    }
    measure_candidates(rules, items, count, candidates);
    return cheapest_candidate(rules, candidates, count);
}

/* ---- All together ---- */

static tmb_kdop_cut best_cut(const tmb_kdop_rules *rules, const tmb_kdop_item *items, uint32_t count)
{
    tmb_kdop_cut best = {.cost = INFINITY};
    float bounds[TMB_KDOP_ROW_MOST];
    bounds_of(rules, items, count, bounds);
    const double margin = MARGIN_BEST * extent_of(rules, bounds);
    uint32_t axis = 0, end = rules->axis_count;
    if (rules->options.split == TUMBLE_KDOP_SPLIT_SPLATTER) {
        const moments m = moments_of(items, count, 1);
        axis = splatter_axis(rules, &m), end = axis + 1;
    } else if (rules->options.split == TUMBLE_KDOP_SPLIT_LONGEST) {
        axis = longest_axis(rules, bounds), end = axis + 1;
    }
    for (; axis < end; axis++) {
        tmb_kdop_split_best(rules, items, count, axis, margin, &best);
    }
    return best;
}

/* Along the axis that the moments or the k-DOP choose. */
static tmb_kdop_cut plain_cut(const tmb_kdop_rules *rules, const tmb_kdop_item *items, uint64_t *keys, uint32_t count,
                              int at_median)
{
    const moments m = rules->options.all_directions ? moments_of(items, count, 1) : moments_of(items, count, 0);
    uint32_t axis;
    if (rules->options.split == TUMBLE_KDOP_SPLIT_LONGEST) {
        float bounds[TMB_KDOP_ROW_MOST];
        bounds_of(rules, items, count, bounds);
        axis = longest_axis(rules, bounds);
    } else {
        axis = splatter_axis(rules, &m);
    }
    const uint64_t key =
        at_median ? median_key(items, keys, count, rules->axes[axis]) : mean_key(&m, rules->axes[axis]);
    return (tmb_kdop_cut){axis, key, 0};
}

/* Brings those with smaller keys to the front and counts them; no branch depends on a key. */
static uint32_t part_items(tmb_kdop_item *items, uint32_t count, const float axis[3], uint64_t key)
{
    TMB_ASSERT(count >= 2);
    uint32_t less = 0;
    for (uint32_t i = 0; i < count; i++) {
        const tmb_kdop_item item = items[i];
        items[i] = items[less];
        items[less] = item;
        less += tmb_kdop_key(tmb_kdop_coordinate(&item, axis), item.triangle) < key;
    }
    return less;
}

uint32_t tmb_kdop_split(const tmb_kdop_rules *rules, tmb_kdop_item *items, uint64_t *keys, uint32_t count, int balanced)
{
    TMB_ASSERT(count >= 2);
    TMB_ASSERT(items && keys);
    const int at_median = balanced || rules->options.at == TUMBLE_KDOP_AT_MEDIAN;
    tmb_kdop_cut cut;
    if (rules->options.at == TUMBLE_KDOP_AT_BEST && !balanced) {
        cut = best_cut(rules, items, count);
    } else if (rules->options.split >= TUMBLE_KDOP_SPLIT_MIN_SUM) {
        cut = least_volumes(rules, items, keys, count, at_median);
    } else {
        cut = plain_cut(rules, items, keys, count, at_median);
    }
    const uint32_t first = part_items(items, count, rules->axes[cut.axis], cut.key);
    /* where all centroids are one, any half is as good as any other */
    return first > 0 && first < count ? first : count / 2;
}
