/* tumble_self_collide in all modes, against the truth. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "self_oracle.h"
#include "single.h"

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        abort();
    }
    return memory;
}

/* ---- The truth ---- */

/* The triangles of A, polygon by polygon. */
typedef struct cut {
    double (*corners)[3][3];
    self_polygon *polygons;
    size_t count;
} cut;

static cut cut_shape(const torture_stage *s)
{
    const torture_triangles *t = &s->triangles[0];
    cut out = {.count = s->c->shapes[0].polygon_count};
    out.corners = allocate(t->count, sizeof *out.corners);
    out.polygons = allocate(out.count, sizeof *out.polygons);
    size_t at = 0;
    for (uint32_t p = 0; p < out.count; p++) {
        out.polygons[p].triangles = (const double(*)[3][3])(out.corners + at);
        for (size_t i = 0; i < t->count; i++) {
            if (t->polygons[i] == p) {
                memcpy(out.corners[at++], t->corners[i], sizeof *out.corners);
                out.polygons[p].count++;
            }
        }
    }
    return out;
}

static void free_cut(cut *c)
{
    free(c->corners);
    free(c->polygons);
}

static int boxes_are_apart(const self_polygon *p, const self_polygon *q)
{
    for (int axis = 0; axis < 3; axis++) {
        double lower[2] = {INFINITY, INFINITY}, upper[2] = {-INFINITY, -INFINITY};
        for (int side = 0; side < 2; side++) {
            const self_polygon *one = side ? q : p;
            for (size_t i = 0; i < 3 * one->count; i++) {
                lower[side] = fmin(lower[side], one->triangles[i / 3][i % 3][axis]);
                upper[side] = fmax(upper[side], one->triangles[i / 3][i % 3][axis]);
            }
        }
        if (lower[0] > upper[1] || lower[1] > upper[0]) {
            return 1;
        }
    }
    return 0;
}

static tumble_self_kind kind_of(torture_stage *s, const cut *c, int is_soup, size_t i, size_t j)
{
    enum {
        UNKNOWN = 255
    };
    unsigned char **kinds = &s->self_kinds[is_soup];
    if (!*kinds) {
        *kinds = allocate(c->count * c->count, 1);
        memset(*kinds, UNKNOWN, c->count * c->count);
    }
    unsigned char *kind = &(*kinds)[i * c->count + j];
    if (*kind == UNKNOWN) {
        const self_polygon *p = &c->polygons[i], *q = &c->polygons[j];
        *kind = boxes_are_apart(p, q) ? 0 : (unsigned char)self_truth(p, q, is_soup);
    }
    return (tumble_self_kind)*kind;
}

static int are_within(torture_stage *s, const self_polygon *p, const self_polygon *q, double clearance)
{
    int within = 0;
    mpq_t square;
    mpq_init(square);
    for (size_t i = 0; i < p->count * q->count && !within; i++) {
        oracle_squared_distance(s->world->oracle, p->triangles[i / q->count], q->triangles[i % q->count], square);
        within = torture_is_within(square, clearance);
    }
    mpq_clear(square);
    return within;
}

/* Steps from polygon to polygon over common corners. */
static void find_rings(const cut *c, size_t from, uint32_t *rings)
{
    memset(rings, 0xff, c->count * sizeof *rings);
    rings[from] = 0;
    int grows = 1;
    for (uint32_t ring = 0; grows; ring++) {
        grows = 0;
        for (size_t i = 0; i < c->count * c->count; i++) {
            const size_t a = i / c->count, b = i % c->count;
            if (rings[a] == ring && rings[b] == UINT32_MAX && self_share_corner(&c->polygons[a], &c->polygons[b])) {
                rings[b] = ring + 1;
                grows = 1;
            }
        }
    }
}

tumble_self_pair *torture_true_self(torture_stage *s, const torture_question *q, double clearance, size_t *count)
{
    cut c = cut_shape(s);
    tumble_self_pair *pairs = allocate(c.count * c.count, sizeof *pairs);
    uint32_t *rings = allocate(c.count, sizeof *rings);
    *count = 0;
    for (uint32_t i = 0; i < c.count; i++) {
        if (clearance > 0 && !q->is_soup) {
            find_rings(&c, i, rings);
        }
        for (uint32_t j = i + 1; j < c.count; j++) {
            tumble_self_kind kind = kind_of(s, &c, q->is_soup, i, j);
            const int are_neighbours = clearance > 0 && !q->is_soup && rings[j] <= q->rings;
            if (!kind && clearance > 0 && !are_neighbours && are_within(s, &c.polygons[i], &c.polygons[j], clearance)) {
                kind = TUMBLE_SELF_NEAR;
            }
            if (kind) {
                pairs[(*count)++] = (tumble_self_pair){i, j, kind};
            }
        }
    }
    free(rings);
    free_cut(&c);
    return pairs;
}

double torture_self_limit(torture_stage *s, torture_question *q)
{
    torture_limit *limit = &q->clearance;
    const torture_triangles *t = &s->triangles[0];
    if (!limit->is_known) {
        double value = 0;
        if (t->count > 0) {
            mpq_t square;
            mpq_init(square);
            oracle_squared_distance(s->world->oracle, (const double(*)[3])t->corners[limit->triangle_a % t->count],
                                    (const double(*)[3])t->corners[limit->triangle_b % t->count], square);
            value = (double)torture_root(square);
            mpq_clear(square);
        }
        limit->value = fmax(0, test_step_ulps(isfinite(value) ? value : 1, limit->steps));
        limit->is_known = 1;
    }
    return limit->value;
}

/* ---- Asking and checking ---- */

typedef struct reply {
    tumble_status status;
    tumble_self_result result;
    tumble_self_pair *pairs;
    size_t pair_count, contact_count;
    tumble_self_pair array[8];
    uint32_t calls, stop_at;
} reply;

static void append(reply *r, const tumble_self_pair *pairs, size_t count)
{
    tumble_self_pair *more = realloc(r->pairs, (r->pair_count + count + 1) * sizeof *more);
    if (!more) {
        abort();
    }
    if (count > 0) {
        memcpy(more + r->pair_count, pairs, count * sizeof *more);
    }
    r->pairs = more;
    r->pair_count += count;
}

static bool on_results(void *user, const tumble_self_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                       size_t contact_count)
{
    reply *r = user;
    (void)contacts;
    append(r, pairs, pair_count);
    r->contact_count += contact_count;
    return ++r->calls == r->stop_at;
}

static reply ask(torture_stage *s, const torture_question *q, const torture_single *a)
{
    reply r = {.status = TUMBLE_OK};
    tumble_self_options options = tumble_default_self_options();
    options.mode = q->mode;
    options.soup = q->is_soup != 0;
    options.clearance = q->clearance.value;
    options.rings = q->rings;
    options.want_contacts = q->want_contacts;
    options.thread_count = q->threads;
    if (q->has_array) {
        options.pairs = r.array;
        options.pair_capacity = q->capacity < 8 ? q->capacity : 8;
    }
    if (q->has_callback) {
        options.callback = on_results;
        options.callback_user = &r;
        r.stop_at = q->stop_at;
    }
    r.status = tumble_self_collide(s->queries[q->level], a->model, &options, &r.result);
    if (r.status == TUMBLE_OK && !q->has_callback) {
        append(&r, r.result.pairs, r.result.pairs ? r.result.pair_count : 0);
        r.contact_count = r.result.contacts ? r.result.contact_count : 0;
    }
    return r;
}

static int compare_pairs(const void *x, const void *y)
{
    const tumble_self_pair *p = x, *q = y;
    if (p->polygon_a != q->polygon_a) {
        return p->polygon_a < q->polygon_a ? -1 : 1;
    }
    return (p->polygon_b > q->polygon_b) - (p->polygon_b < q->polygon_b);
}

/* In the shape's numbers, which have the same order. */
static tumble_self_pair renumbered(const torture_single *a, tumble_self_pair pair)
{
    pair.polygon_a = torture_shape_polygon(a->recipe, pair.polygon_a);
    pair.polygon_b = torture_shape_polygon(a->recipe, pair.polygon_b);
    return pair;
}

static int has_pair(const tumble_self_pair *pairs, size_t count, const tumble_self_pair *pair, int with_kind)
{
    const tumble_self_pair *found = count ? bsearch(pair, pairs, count, sizeof *pairs, compare_pairs) : NULL;
    return found && (!with_kind || found->kind == pair->kind);
}

static int check_pairs(torture_stage *s, const torture_question *q, const torture_single *a, reply *r,
                       const tumble_self_pair *truth, size_t count)
{
    qsort(r->pairs, r->pair_count, sizeof *r->pairs, compare_pairs);
    for (size_t i = 0; i < r->pair_count; i++) {
        const tumble_self_pair pair = renumbered(a, r->pairs[i]);
        if (!has_pair(truth, count, &pair, 1)) {
            return torture_wrong(s, "(%u, %u) was reported as %s", pair.polygon_a, pair.polygon_b,
                                 tumble_self_kind_name(pair.kind));
        }
        if (i > 0 && compare_pairs(&r->pairs[i - 1], &r->pairs[i]) == 0) {
            return torture_wrong(s, "(%u, %u) was reported twice", pair.polygon_a, pair.polygon_b);
        }
    }
    const int is_complete = q->mode == TUMBLE_ALL && r->status == TUMBLE_OK;
    if (is_complete && r->pair_count != count) {
        return torture_wrong(s, "%zu pairs instead of %zu", r->pair_count, count);
    }
    const size_t stored = q->has_array && !q->has_callback && is_complete ? (q->capacity < 8 ? q->capacity : 8) : 0;
    for (size_t i = 0; i < stored && i < count; i++) {
        const tumble_self_pair pair = renumbered(a, r->array[i]);
        if (compare_pairs(&pair, &truth[i]) != 0) {
            return torture_wrong(s, "the array has other pairs than the view");
        }
    }
    return 1;
}

static int check_totals(torture_stage *s, const torture_question *q, const torture_single *a, const reply *r,
                        const tumble_self_pair *truth, size_t count)
{
    const int one = q->mode == TUMBLE_TEST || q->mode == TUMBLE_FIRST;
    const uint64_t expected = one ? count > 0 : count;
    if (r->result.collide != (count > 0) || r->result.pair_count != expected) {
        return torture_wrong(s, "collide is %d with %llu pairs instead of %llu", r->result.collide,
                             (unsigned long long)r->result.pair_count, (unsigned long long)expected);
    }
    const tumble_self_pair first = renumbered(a, r->result.first);
    if (r->result.collide && !has_pair(truth, count, &first, r->result.first.kind != 0)) {
        return torture_wrong(s, "the first pair (%u, %u) is no pair", first.polygon_a, first.polygon_b);
    }
    const int contacts = q->want_contacts && q->mode == TUMBLE_ALL && torture_only_triangles(&s->c->shapes[0]);
    if (contacts && (r->contact_count != count || r->result.contact_count != count)) {
        return torture_wrong(s, "%zu contacts of %zu pairs", r->contact_count, count);
    }
    return 1;
}

static int check_contacts(torture_stage *s, const torture_question *q, const torture_single *a, const reply *r)
{
    const int can = torture_only_triangles(&s->c->shapes[0]) && r->status == TUMBLE_OK && r->result.contacts;
    for (size_t i = 0; i < r->result.contact_count && can && i < 8 && q->level == 0; i++) {
        const tumble_contact *c = &r->result.contacts[i];
        const uint32_t polygons[2] = {c->polygon_a, c->polygon_b};
        for (int end = 0; end < 4; end++) { /* where they meet, of both; else the point of each */
            const int of_b = end / 2, point = end % 2;
            const uint32_t polygon = torture_shape_polygon(a->recipe, polygons[of_b]);
            double largest = 0;
            mpq_t square;
            if (c->apart && of_b != point) {
                continue;
            }
            mpq_init(square);
            for (int k = 0; k < 18; k++) {
                const uint32_t other = torture_shape_polygon(a->recipe, polygons[k / 9]);
                largest = fmax(largest, fabs(s->c->shapes[0].corners[3 * (size_t)other + (size_t)(k % 9 / 3)][k % 3]));
            }
            (void)torture_polygon_square(s, a->triangles, polygon, c->points[point], square);
            const int on = torture_root(square) <= 16 * (0x1p-53L * largest + 0x1p-1074L);
            mpq_clear(square);
            if (!on) {
                return torture_wrong(s, "a contact of (%u, %u) is not on its polygons", polygons[0], polygons[1]);
            }
        }
    }
    return 1;
}

int torture_ask_self(torture_stage *s, torture_question *q)
{
    torture_single a;
    if (!torture_single_begin(s, q, &a)) {
        return 0;
    }
    const double clearance = torture_self_limit(s, q);
    reply r = ask(s, q, &a);
    size_t count;
    tumble_self_pair *truth = torture_true_self(s, q, clearance, &count);
    int right;
    if (r.status == TUMBLE_ERROR_CANCELLED && r.stop_at > 0 && r.calls == r.stop_at) {
        right = check_pairs(s, q, &a, &r, truth, count);
    } else {
        right = torture_single_status(s, q, r.status, TUMBLE_OK) && check_pairs(s, q, &a, &r, truth, count) &&
                check_totals(s, q, &a, &r, truth, count) && check_contacts(s, q, &a, &r);
    }
    free(truth);
    free(r.pairs);
    return right;
}
