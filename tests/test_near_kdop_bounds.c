/* The nearest polygons through k-DOP trees, from inside: lower bounds that hold. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kdop_cases.h"
#include "math/vec3.h"
#include "near/kdop/kdop.h"

/* ---- Bounds, from inside ---- */

/* A search that is looked at step by step. */
typedef struct probe {
    tmb_near_search search;
    tumble_distance_options options;
    double *distances; /* of all triangles: that of addresses a of A and b of B is at a * size_b + b */
    size_t size_b;
    tmb_near_pair heap[16];
    size_t pairs;          /* of nodes */
    double factor, offset; /* of the limit for bounds, from the true distance */
} probe;

static void measure_triangles(probe *p)
{
    const tmb_encounter *c = &p->search.encounter;
    const size_t size_a = TMB_CLUSTER_TRIANGLES * (size_t)c->a->block->cluster_count;
    p->size_b = TMB_CLUSTER_TRIANGLES * (size_t)c->b->block->cluster_count;
    p->distances = malloc(size_a * p->size_b * sizeof *p->distances);
    assert_non_null(p->distances);
    for (uint32_t a = 0; a < size_a; a++) {
        for (uint32_t b = 0; b < p->size_b; b++) {
            double at[3][3], bt[3][3];
            tmb_triangle_distance distance = {.value = INFINITY};
            if (a % 8 < tmb_cluster_triangle_count(c->a->places + a / 8) &&
                b % 8 < tmb_cluster_triangle_count(c->b->places + b / 8)) {
                tmb_model_corners(c->a, a, at);
                tmb_model_corners(c->b, b, bt);
                for (int i = 0; i < 3; i++) {
                    tumble_pose_apply(&c->relative, bt[i], bt[i]);
                }
                tmb_triangles_distance((const double(*)[3])at, (const double(*)[3])bt, &distance, NULL);
            }
            p->distances[a * p->size_b + b] = distance.value;
        }
    }
}

/* The triangles below a node. */
static size_t list_triangles(const tumble_model *model, uint32_t node, uint32_t *out)
{
    const uint32_t k = model->block->kdop.k, *row = tmb_kdop_row(model->nodes, k, node);
    const uint32_t count = tmb_kdop_count(k, row);
    uint32_t address = tmb_kdop_link(k, row);
    if (count == 0) {
        const size_t first = list_triangles(model, address, out);
        return first + list_triangles(model, address + 1, out + first);
    }
    for (uint32_t i = 0; i < count; i++) {
        out[i] = address;
        address = tmb_next_triangle(model->places, address);
    }
    return count;
}

static double true_distance(const probe *p, uint32_t node_a, uint32_t node_b)
{
    uint32_t a[512], b[512];
    const size_t count_a = list_triangles(p->search.encounter.a, node_a, a);
    const size_t count_b = list_triangles(p->search.encounter.b, node_b, b);
    double least = INFINITY;
    assert_true(count_a <= 512 && count_b <= 512);
    for (size_t i = 0; i < count_a; i++) {
        for (size_t j = 0; j < count_b; j++) {
            least = fmin(least, p->distances[a[i] * p->size_b + b[j]]);
        }
    }
    return least;
}

/* What the gaps along some lanes' directions say of the distance: the least |v| with n . v >= gap for all of them. It
 * is told by at most three, as the sum of their weights times their gaps, where no weight is negative. */
typedef struct gap {
    double n[3], size;
} gap;

static double square_of_two(const gap *a, const gap *b)
{
    const double c = tmb_dot(a->n, b->n), x = a->size - c * b->size, y = b->size - c * a->size;
    return x >= 0 && y >= 0 ? (x * a->size + y * b->size) / (1 - c * c) : 0;
}

static double square_of_three(const gap *a, const gap *b, const gap *c)
{
    const double p = tmb_dot(a->n, b->n), q = tmb_dot(a->n, c->n), r = tmb_dot(b->n, c->n);
    const double determinant = 1 + 2 * p * q * r - p * p - q * q - r * r;
    const double x = (1 - r * r) * a->size + (q * r - p) * b->size + (p * r - q) * c->size;
    const double y = (q * r - p) * a->size + (1 - q * q) * b->size + (p * q - r) * c->size;
    const double z = (p * r - q) * a->size + (p * q - r) * b->size + (1 - p * p) * c->size;
    return determinant > 1e-9 && x >= 0 && y >= 0 && z >= 0 ? (x * a->size + y * b->size + z * c->size) / determinant
                                                            : 0;
}

static double least_square(const gap *gaps, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, gaps[i].size * gaps[i].size);
        for (int j = 0; j < i; j++) {
            most = fmax(most, square_of_two(&gaps[i], &gaps[j]));
            for (int l = 0; l < j; l++) {
                most = fmax(most, square_of_three(&gaps[i], &gaps[j], &gaps[l]));
            }
        }
    }
    return most;
}

static int by_size(const void *a, const void *b)
{
    const double x = ((const gap *)a)->size, y = ((const gap *)b)->size;
    return (x < y) - (x > y);
}

/* What the three largest that are different say if all cosines are those of a dodecahedron, 1/sqrt(5): with the first
 * m, as long as the last one's weight is not negative. */
static double square_of_largest(gap *gaps, int count)
{
    const double c = 1 / sqrt(5);
    double sum = 0, squares = 0, most = 0, m = 0, last = INFINITY;
    qsort(gaps, (size_t)count, sizeof *gaps, by_size);
    for (int i = 0; i < count && m < 3; i++) {
        if (gaps[i].size < last) {
            last = gaps[i].size, m++;
            sum += last, squares += last * last;
            if (last >= c * sum / (1 + (m - 1) * c)) {
                most = fmax(most, (squares - c * sum * sum / (1 + (m - 1) * c)) / (1 - c));
            }
        }
    }
    return most;
}

/* The bound that the nodes' k-DOPs give: that of all gaps, and that of those of the sides and of one more, which looks
 * to the same side of them; of a dodecahedron's, that of the three largest. */
static void bounds_of_gaps(const tmb_kdop_near *near, const float *row, const float *tumbled, double *all, double *some)
{
    const tmb_kdop_state *s = &near->state;
    gap gaps[TMB_KDOP_MOST];
    int count = 0, sides = 0;
    double largest = -INFINITY, most;
    for (uint32_t l = 0; l < s->k; l++) {
        gap g;
        tmb_kdop_lane(s->set, l, g.n);
        const double length = sqrt(tmb_dot(g.n, g.n));
        g.size = ((double)tumbled[l] - (double)row[l]) / length;
        g.n[0] /= length, g.n[1] /= length, g.n[2] /= length;
        largest = fmax(largest, g.size);
        if (g.size > 0) {
            gaps[count++] = g;
            sides += l < 6 && s->k != 12;
        }
    }
    *all = largest > 0 ? sqrt(least_square(gaps, count)) : largest;
    most = s->k == 12 ? square_of_largest(gaps, count) : least_square(gaps, sides);
    for (int i = sides; i < count && s->k != 12; i++) {
        gap few[4] = {gaps[i]};
        int used = 1;
        for (int j = 0; j < sides; j++) {
            if (tmb_dot(gaps[i].n, gaps[j].n) >= 0) {
                few[used++] = gaps[j];
            }
        }
        most = fmax(most, least_square(few, used));
    }
    *some = largest > 0 ? sqrt(most) : largest;
}

/* A bound is what it is meant to be, but for rounding. */
static void check_bound(const probe *p, const tmb_near_pair *pair, double parents)
{
    const tmb_kdop_near *near = p->search.walk.data;
    const tmb_kdop_state *s = &near->state;
    const float *row = (const float *)tmb_kdop_row(s->rows_a, s->k, pair->a);
    const double lower = pair->lower / near->unit_of_a;
    double all, some;
    assert_int_equal(s->marks[pair->b].walk, s->walk);
    bounds_of_gaps(near, row, tmb_kdop_slot_apart(tmb_kdop_slot_at(s, s->marks[pair->b].slot)), &all, &some);
    /* Of the 16 roundings that are taken off, the computation needs 10 at most (proofs/near_kdop_*.g). */
    const double most = 1.625 * (double)TMB_KDOP_BOUND_ROUNDING, least = 0.375 * (double)TMB_KDOP_BOUND_ROUNDING;
    assert_true(lower >= some - most * fabs(some));
    if (pair->lower > parents) {
        assert_true(lower <= some - least * fabs(some) && some <= all + 1e-9 * fabs(all));
    }
}

/* The children that a pair is left for. */
static size_t leave_pair(probe *p, const tmb_near_pair *pair, tmb_near_pair children[4])
{
    tmb_near_search *s = &p->search;
    size_t count = 0;
    s->heap_count = s->stack_count = 0;
    s->walk.leave(s, pair);
    assert_true(s->heap_count + s->stack_count <= 4);
    for (size_t i = 0; i < s->heap_count; i++) {
        children[count++] = s->heap[i];
    }
    for (size_t i = 0; i < s->stack_count; i++) {
        children[count++] = s->stack[i];
    }
    return count;
}

/* What is left out and kept for the next search stands for the same children then, also when B is scaled otherwise. */
static void check_kept(probe *p, const tmb_near_pair *pair)
{
    tmb_near_search *s = &p->search;
    tmb_kdop_state *state = &((tmb_kdop_near *)s->walk.data)->state;
    const float size = state->size_of_b;
    tmb_near_pair children[4], again[4];
    s->bound = INFINITY;
    const size_t count = leave_pair(p, pair, children);
    s->bound = -1e300;
    s->keep = 1;
    s->kept_count = 0;
    assert_int_equal(leave_pair(p, pair, again), 0);
    assert_int_equal(s->kept_count, 1);
    const tmb_near_pair kept = s->kept[0];
    s->bound = INFINITY;
    s->keep = 0;
    for (int e = -4; e <= 4; e += 4) {
        state->size_of_b = ldexpf(size, e);
        assert_int_equal(leave_pair(p, &kept, again), count);
        for (size_t i = 0; i < count; i++) {
            size_t j = 0;
            while (j < count && !(again[j].a == children[i].a && again[j].b == children[i].b)) {
                j++;
            }
            assert_true(j < count);
        }
    }
    state->size_of_b = size;
}

/* Leaves a pair for its children: all that is left out is farther than the limit, and no bound is too large. */
static void look_below(probe *p, const tmb_near_pair *pair)
{
    tmb_near_search *s = &p->search;
    const double distance = true_distance(p, pair->a, pair->b);
    const uint32_t k = s->encounter.a->block->kdop.k;
    if (tmb_kdop_count(k, tmb_kdop_row(s->encounter.a->nodes, k, pair->a)) &&
        tmb_kdop_count(k, tmb_kdop_row(s->encounter.b->nodes, k, pair->b))) {
        return;
    }
    check_kept(p, pair);
    s->bound = p->factor * distance + p->offset;
    tmb_near_pair children[4];
    const size_t count = leave_pair(p, pair, children);
    double least = INFINITY;
    assert_true(count >= 1);
    for (size_t i = 0; i < count; i++) {
        const double truth = true_distance(p, children[i].a, children[i].b);
        assert_true(children[i].lower <= truth);
        check_bound(p, &children[i], pair->lower);
        p->pairs++;
        least = fmin(least, truth);
    }
    assert_true(least == distance); /* the child that holds the nearest triangles was not left out */
    for (size_t i = 0; i < count; i++) {
        look_below(p, &children[i]);
    }
}

static probe begin_probe(test_world *w, const kdop_scene *s, tumble_kdop_tumble tumble)
{
    probe p;
    memset(&p, 0, sizeof p);
    p.options = tumble_default_distance_options();
    test_tune(p.options, kdop_walk.tumble, tumble);
    tmb_near_search *search = &p.search;
    search->encounter.query = w->query;
    search->encounter.a = s->models[0];
    search->encounter.b = s->models[1];
    search->scratch = tmb_near_scratch_of(w->query);
    search->unit = 1;
    search->within = tmb_limit_of(INFINITY, 1);
    return p;
}

/* Bounds of all pairs of nodes that a search could come to, for a limit that leaves out nothing and for one that leaves
 * out whatever it can. */
static size_t look_at(test_world *w, const kdop_scene *s, const tumble_pose *pose, tumble_kdop_tumble tumble,
                      double factor)
{
    probe p = begin_probe(w, s, tumble);
    p.search.options = &p.options;
    p.search.heap = p.heap;
    assert_int_equal(tmb_encounter_place(&p.search.encounter, NULL, pose), TUMBLE_OK);
    measure_triangles(&p);
    if (tmb_near_kdop(&p.search)) {
        p.factor = factor;
        p.offset = factor > 1 ? 1 : 1e-14;
        look_below(&p, &p.search.walk.root);
    }
    assert_int_equal(p.search.encounter.status, TUMBLE_OK);
    free(p.distances);
    return p.pairs;
}

static void test_bounds(void **state)
{
    test_world *w = *state;
    static const char *const shapes[][2] = {{"soup", "torus"}, {"cone", "sphere"}, {"shards", "needles"}};
    test_random random = {21};
    for (int i = 0; i < 3 * TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i % TEST_KDOPS], leaf = i / TEST_KDOPS == 1 ? 8 : 1;
        const tumble_model_options options[2] = {
            test_kdop_options(k, leaf, 0, 0), test_kdop_options(k, leaf, (tumble_kdop_tumble)(i / TEST_KDOPS), i % 2)};
        const kdop_scene s =
            kdop_make_shapes(w, options, shapes[i / TEST_KDOPS][0], shapes[i / TEST_KDOPS][1], i % 2 ? 41 : 40, 0.6);
        size_t pairs = 0;
        for (size_t n = 0; n < 1 + test_count(5); n++) {
            const tumble_pose pose = kdop_any_pose(&random, k, n % 2 ? 3 : 1.2);
            const tumble_kdop_tumble tumble =
                kdop_next_tumble(s.models[1], (tumble_kdop_tumble)test_random_whole(&random, 0, 4));
            pairs += look_at(w, &s, &pose, tumble, n % 3 ? 1e6 : 1);
        }
        assert_true(pairs > 20);
        kdop_drop_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
