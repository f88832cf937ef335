/* The walk for one K, which is defined by the file that includes this one, once for each. No include guard. */
#define NAMED_(base, k) base##_##k
#define NAMED(base, k) NAMED_(base, k)
#define ROW_WORDS (K + 2)
#define VECTORS ((K + 7) / 8)

/* ---- Tumbling ---- */

/* Each lane from three of the node's bounds. */
static inline void NAMED(tumble_three, K)(const tmb_kdop_state *s, const float *bounds, float *apart)
{
    for (int v = 0; v < VECTORS; v++) {
        tmb_f8 sum = tmb_f8_loadu(s->offsets + 8 * v);
        for (int i = 0; i < 3; i++) {
            const tmb_f8 bound = tmb_f8_gather(bounds, tmb_i8_loadu(s->three.lanes[i] + 8 * v));
            sum = tmb_f8_add(sum, tmb_f8_mul(tmb_f8_loadu(s->three.weights[i] + 8 * v), bound));
        }
        tmb_f8_storeu(apart + 8 * v, tmb_f8_neg(sum));
    }
}

/* Each lane from what the node keeps of its points' places around the nearest direction. */
static inline void NAMED(tumble_lookup, K)(const tmb_kdop_state *s, const float *bounds, const float *record,
                                           float *apart)
{
    const tmb_kdop_cones *c = &s->cones;
    const tmb_f8 centre[3] = {tmb_f8_set(record[0]), tmb_f8_set(record[1]), tmb_f8_set(record[2])};
    for (int v = 0; v < VECTORS; v++) {
        const tmb_i8 lanes = tmb_i8_loadu(c->lanes + 8 * v);
        tmb_f8 height = tmb_f8_zero(), moved = tmb_f8_loadu(s->offsets + 8 * v); /* of the centre */
        for (int i = 0; i < 3; i++) {
            height = tmb_f8_add(height, tmb_f8_mul(tmb_f8_loadu(c->directions[i] + 8 * v), centre[i]));
            moved = tmb_f8_add(moved, tmb_f8_mul(tmb_f8_loadu(s->along_axis[i] + 8 * v), centre[i]));
        }
        const tmb_f8 extent = tmb_f8_max(tmb_f8_sub(tmb_f8_gather(bounds, lanes), height), tmb_f8_zero());
        const tmb_f8 length = tmb_f8_gather(record + TMB_KDOP_LOOKUP_LANES, lanes);
        const tmb_f8 tangent =
            tmb_f8_gather(c->tangents, tmb_i8_and(tmb_i8_bits_of(length), tmb_i8_set(TMB_KDOP_RING_MASK)));
        const tmb_f8 ring =
            tmb_f8_add(tmb_f8_loadu(c->straight + 8 * v), tmb_f8_mul(tmb_f8_loadu(c->aside + 8 * v), tangent));
        const tmb_f8 inside = tmb_f8_mul(tmb_f8_max(ring, tmb_f8_loadu(c->brief + 8 * v)), extent);
        const tmb_f8 reach = tmb_f8_max(inside, tmb_f8_mul(tmb_f8_loadu(c->outside + 8 * v), length));
        tmb_f8_storeu(apart + 8 * v, tmb_f8_neg(tmb_f8_add(moved, reach)));
    }
}

/* Along each lane the farthest of some points, which are local. */
static inline void NAMED(farthest, K)(const float axis[3][TMB_KDOP_LANES], const float (*points)[3], uint32_t count,
                                      tmb_f8 out[VECTORS])
{
    for (int v = 0; v < VECTORS; v++) {
        out[v] = tmb_f8_set(-INFINITY);
    }
    for (uint32_t i = 0; i < count; i++) {
        const tmb_f8 x = tmb_f8_set(points[i][0]), y = tmb_f8_set(points[i][1]), z = tmb_f8_set(points[i][2]);
        for (int v = 0; v < VECTORS; v++) {
            const tmb_f8 xy =
                tmb_f8_add(tmb_f8_mul(tmb_f8_loadu(axis[0] + 8 * v), x), tmb_f8_mul(tmb_f8_loadu(axis[1] + 8 * v), y));
            out[v] = tmb_f8_max(out[v], tmb_f8_add(xy, tmb_f8_mul(tmb_f8_loadu(axis[2] + 8 * v), z)));
        }
    }
}

static inline void NAMED(tumble_points, K)(const tmb_kdop_state *s, const float (*points)[3], uint32_t count,
                                           float *apart)
{
    tmb_f8 farthest[VECTORS];
    NAMED(farthest, K)(s->along_axis, points, count, farthest);
    for (int v = 0; v < VECTORS; v++) {
        tmb_f8_storeu(apart + 8 * v, tmb_f8_neg(tmb_f8_add(farthest[v], tmb_f8_loadu(s->offsets + 8 * v))));
    }
}

/* A leaf as its triangles. */
static void NAMED(tumble_leaf, K)(const tmb_kdop_state *s, uint32_t address, uint32_t count, float *apart)
{
    float points[3 * TUMBLE_KDOP_LEAF_MOST][3];
    const uint32_t found = local_corners(s->encounter->b, address, count, points);
    NAMED(tumble_points, K)(s, (const float(*)[3])points, found, apart);
}

static void NAMED(tumble, K)(tmb_kdop_state *s, const tmb_kdop_slot *slot, const uint32_t *row, float *apart)
{
    s->encounter->box_updates++;
    s->encounter->node_bytes += ROW_WORDS * sizeof(uint32_t);
    if (slot->node <= s->last_hull_node && tmb_kdop_tumble_hull(s, slot->node, apart)) {
        return;
    }
    if (slot->count && s->leaves_by_triangles) {
        NAMED(tumble_leaf, K)(s, slot->link, slot->count, apart);
    } else if (s->tumble == TUMBLE_KDOP_TUMBLE_VERTICES) {
        const char *nodes = (const char *)s->rows_b;
        const uint32_t *first = (const uint32_t *)(nodes + s->parts_b.vertex_first) + slot->node;
        const float(*vertices)[3] = (const float(*)[3])(nodes + s->parts_b.vertices);
        NAMED(tumble_points, K)(s, vertices + first[0], first[1] - first[0], apart);
    } else if (s->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        s->encounter->node_bytes += tmb_kdop_lookup_words(K) * sizeof(uint32_t);
        NAMED(tumble_lookup, K)(s, (const float *)row, tmb_kdop_lookup(s->rows_b, &s->parts_b, K, slot->node), apart);
    } else {
        NAMED(tumble_three, K)(s, (const float *)row, apart);
    }
}

/* The longest of three widths, which are along x, y and z except for the 12-DOP. */
static inline float NAMED(size_of, K)(const float *bounds)
{
    const float x = bounds[0] + bounds[1], y = bounds[2] + bounds[3], z = bounds[4] + bounds[5];
    const float xy = x > y ? x : y;
    return xy > z ? xy : z;
}

/* See tmb_kdop_slot_function. */
static uint32_t NAMED(slot_of, K)(tmb_kdop_state *s, uint32_t node)
{
    tmb_kdop_mark *mark = s->marks + node;
    if (mark->walk == s->walk) {
        return mark->slot;
    }
    if (!tmb_kdop_reserve_slot(s)) {
        return TMB_KDOP_NO_SLOT;
    }
    const uint32_t number = s->slot_count++, *row = s->rows_b + (size_t)node * ROW_WORDS;
    tmb_kdop_slot *slot = tmb_kdop_slot_at(s, number);
    *slot = (tmb_kdop_slot){.node = node,
                            .link = row[K],
                            .count = row[K + 1],
                            .size = NAMED(size_of, K)((const float *)row) * s->size_of_b};
    *mark = (tmb_kdop_mark){s->walk, number};
    NAMED(tumble, K)(s, slot, row, tmb_kdop_slot_apart(slot));
    return number;
}

/* ---- Testing ---- */

/* Whether bounds of A are farther from what was tumbled than the limit, though no single lane shows it. Let g be the
 * gap along the unit vector u of a lane, where there is one. Points that are apart by z have u . z >= g for all lanes,
 * so |z| |sum of g u| >= sum of g^2. The vectors are evenly spread, so this is nearly tight for small k-DOPs. */
static int NAMED(is_far, K)(const tmb_kdop_state *s, const float *bounds, const float *apart)
{
    tmb_f8 square = tmb_f8_zero(), sum = tmb_f8_zero(), vector[3] = {square, square, square};
    for (int v = 0; v < VECTORS; v++) {
        const tmb_f8 inverse = tmb_f8_loadu(s->inverse_lengths + 8 * v);
        const tmb_f8 apart_by = tmb_f8_sub(tmb_f8_loadu(apart + 8 * v), tmb_f8_loadu(bounds + 8 * v));
        const tmb_f8 gap = tmb_f8_max(tmb_f8_sub(tmb_f8_mul(apart_by, inverse), tmb_f8_set(s->limit_slack)),
                                      tmb_f8_zero()); /* NaN becomes 0 */
        const tmb_f8 part = tmb_f8_mul(gap, inverse);
        square = tmb_f8_add(square, tmb_f8_mul(gap, gap));
        sum = tmb_f8_add(sum, gap);
        for (int k = 0; k < 3; k++) {
            vector[k] = tmb_f8_add(vector[k], tmb_f8_mul(part, tmb_f8_loadu(s->lane_axis[k] + 8 * v)));
        }
    }
    const float x = sum_of(vector[0]), y = sum_of(vector[1]), z = sum_of(vector[2]);
    const float length = sqrtf((x * x + y * y) + z * z);
    return sum_of(square) > s->limit * (length + TMB_KDOP_ROUNDING * sum_of(sum));
}

/* Whether a node of A may overlap what was tumbled: no lane of its bounds is less. Words after the bounds are compared
 * with minus infinity. */
static inline int NAMED(overlap, K)(tmb_kdop_state *s, const uint32_t *row, const float *apart)
{
    const float *bounds = (const float *)row;
    s->encounter->box_tests++;
    s->encounter->node_bytes += ROW_WORDS * sizeof(uint32_t);
    tmb_b8 less = tmb_f8_less(tmb_f8_loadu(bounds), tmb_f8_loadu(apart));
    for (int v = 1; v < VECTORS; v++) {
        less = tmb_b8_or(less, tmb_f8_less(tmb_f8_loadu(bounds + 8 * v), tmb_f8_loadu(apart + 8 * v)));
    }
    return !tmb_b8_bits(less) && !(s->limit > 0 && NAMED(is_far, K)(s, bounds, apart));
}

static int NAMED(test_leaves, K)(const tmb_kdop_state *s, const uint32_t *row, const tmb_kdop_slot *slot)
{
    return (s->leaves_are_clusters ? test_leaf_clusters : test_triangles)(s->collider, row[K], row[K + 1], slot->link,
                                                                          slot->count);
}

/* ---- Walking ---- */

/* Pushes the children of A's node that may overlap the slot, so that the first is popped first. */
static inline uint32_t NAMED(push_children_of_a, K)(tmb_kdop_state *s, uint32_t children, uint32_t slot, uint32_t top)
{
    const uint32_t *row = s->rows_a + (size_t)children * ROW_WORDS;
    const float *apart = tmb_kdop_slot_apart(tmb_kdop_slot_at(s, slot));
    for (int i = 1; i >= 0; i--) {
        if (NAMED(overlap, K)(s, row + i * ROW_WORDS, apart)) {
            s->stack[top++] = (tmb_kdop_pair){children + (uint32_t)i, slot};
        }
    }
    return top;
}

static void NAMED(bound_triangles, K)(const tmb_kdop_state *s, uint32_t address, uint32_t count,
                                      float (*out)[TMB_KDOP_LANES])
{
    const tumble_model *a = s->encounter->a;
    for (uint32_t i = 0; i < count; i++) {
        float points[3][3];
        tmb_f8 bounds[VECTORS];
        triangle_corners(a, address, points);
        NAMED(farthest, K)(s->lane_axis, (const float(*)[3])points, 3, bounds);
        for (int v = 0; v < VECTORS; v++) {
            tmb_f8_storeu(out[i] + 8 * v, bounds[v]);
        }
        address = tmb_next_triangle(a->places, address);
    }
}

/* Whether a triangle of A's leaf may overlap what was tumbled: the k-DOP of a few large triangles is mostly empty, and
 * B would be taken apart in it. The floats of A's triangles are off by far less than the slack leaves. */
static int NAMED(leaf_overlaps, K)(tmb_kdop_state *s, uint32_t node, const uint32_t *row, const float *apart)
{
    if (!s->leaves_by_triangles || row[K + 1] == 1 || row[K + 1] > TMB_KDOP_SINGLES) {
        return 1;
    }
    if (s->leaf_node != node) {
        NAMED(bound_triangles, K)(s, row[K], row[K + 1], s->leaf_bounds);
        s->leaf_node = node;
    }
    for (uint32_t i = 0; i < row[K + 1]; i++) {
        s->encounter->box_tests++;
        tmb_b8 less = tmb_f8_less(tmb_f8_loadu(s->leaf_bounds[i]), tmb_f8_loadu(apart));
        for (int v = 1; v < VECTORS; v++) {
            less = tmb_b8_or(less, tmb_f8_less(tmb_f8_loadu(s->leaf_bounds[i] + 8 * v), tmb_f8_loadu(apart + 8 * v)));
        }
        if (!tmb_b8_bits(less) && !(s->limit > 0 && NAMED(is_far, K)(s, s->leaf_bounds[i], apart))) {
            return 1;
        }
    }
    return 0;
}

/* The children of B's node; 0 if memory runs out (the stack is never empty otherwise, for its caller has popped
 * one). */
static inline int NAMED(push_children_of_b, K)(tmb_kdop_state *s, uint32_t node, uint32_t children, uint32_t *top)
{
    const uint32_t *row = s->rows_a + (size_t)node * ROW_WORDS;
    for (int i = 1; i >= 0; i--) {
        const uint32_t slot = NAMED(slot_of, K)(s, children + (uint32_t)i);
        if (slot == TMB_KDOP_NO_SLOT) {
            return 0;
        }
        const float *apart = tmb_kdop_slot_apart(tmb_kdop_slot_at(s, slot));
        if (NAMED(overlap, K)(s, row, apart) && (!row[K + 1] || NAMED(leaf_overlaps, K)(s, node, row, apart))) {
            s->stack[(*top)++] = (tmb_kdop_pair){node, slot};
        }
    }
    return 1;
}

/* Whether the children of A's node come next, and those of B's. */
static inline void NAMED(choose_steps, K)(const tmb_kdop_state *s, const uint32_t *row, const tmb_kdop_slot *slot,
                                          int *into_a, int *into_b)
{
    const int inner_a = row[K + 1] == 0, inner_b = slot->count == 0;
    *into_a = inner_a;
    *into_b = inner_b;
    if (inner_a && inner_b && s->traversal == TUMBLE_KDOP_TRAVERSAL_ENVIRONMENT) {
        *into_b = 0;
    } else if (inner_a && inner_b) {
        const float size = NAMED(size_of, K)((const float *)row);
        *into_a = slot->size <= UNLIKE * size;
        *into_b = !*into_a || size <= UNLIKE * slot->size;
    }
}

/* Down A's tree first, then down B's (Klosowski et al., algorithm 1), or down both, the larger node first. */
static void NAMED(walk_pairs, K)(tmb_kdop_state *s, uint32_t root)
{
    uint32_t top = 0;
    s->stack[top++] = (tmb_kdop_pair){TMB_KDOP_ROOT, root};
    while (top > 0) {
        const tmb_kdop_pair pair = s->stack[--top];
        const uint32_t *row = s->rows_a + (size_t)pair.node * ROW_WORDS;
        const tmb_kdop_slot *slot = tmb_kdop_slot_at(s, pair.slot);
        const uint32_t children_b = slot->link;
        int into_a, into_b, goes_on = 1;
        NAMED(choose_steps, K)(s, row, slot, &into_a, &into_b);
        if (into_a && into_b) {
            goes_on = NAMED(push_children_of_b, K)(s, row[K] + 1, children_b, &top) &&
                      NAMED(push_children_of_b, K)(s, row[K], children_b, &top);
        } else if (into_a) {
            top = NAMED(push_children_of_a, K)(s, row[K], pair.slot, top);
        } else if (into_b) {
            goes_on = NAMED(push_children_of_b, K)(s, pair.node, children_b, &top);
        } else {
            goes_on = !NAMED(test_leaves, K)(s, row, slot);
        }
        if (!goes_on) {
            return;
        }
    }
}

/* Walks A's tree with one slot, on the stack from `base` on. 1: stop; else *touches says whether an inner node of B met
 * a leaf, at which the walk ends. */
static int NAMED(walk_slot, K)(tmb_kdop_state *s, uint32_t slot_number, uint32_t base, int *touches)
{
    tmb_kdop_slot *slot = tmb_kdop_slot_at(s, slot_number);
    uint32_t top = base;
    *touches = 0;
    if (NAMED(overlap, K)(s, s->rows_a + TMB_KDOP_ROOT * ROW_WORDS, tmb_kdop_slot_apart(slot))) {
        s->stack[top++] = (tmb_kdop_pair){TMB_KDOP_ROOT, slot_number};
    }
    while (top > base) {
        const uint32_t *row = s->rows_a + (size_t)s->stack[--top].node * ROW_WORDS;
        if (!row[K + 1]) {
            top = NAMED(push_children_of_a, K)(s, row[K], slot_number, top);
        } else if (slot->count == 0) {
            *touches = 1;
            return 0;
        } else if (NAMED(test_leaves, K)(s, row, slot)) {
            return 1;
        }
    }
    return 0;
}

/* The variant of section 4.2: a node of B that meets a leaf of A is replaced by its children, which start at A's root
 * again. */
static void NAMED(walk_restarting, K)(tmb_kdop_state *s, uint32_t root)
{
    uint32_t waiting = 0;
    s->stack[waiting++] = (tmb_kdop_pair){TMB_KDOP_ROOT, root};
    while (waiting > 0) {
        const uint32_t slot = s->stack[--waiting].slot;
        int touches;
        if (NAMED(walk_slot, K)(s, slot, waiting, &touches)) {
            return;
        }
        const uint32_t children = tmb_kdop_slot_at(s, slot)->link;
        for (uint32_t i = 0; touches && i < 2; i++) {
            const uint32_t child = NAMED(slot_of, K)(s, children + 1 - i);
            if (child == TMB_KDOP_NO_SLOT) {
                return;
            }
            s->stack[waiting++] = (tmb_kdop_pair){TMB_KDOP_ROOT, child};
        }
    }
}

static void NAMED(walk, K)(tmb_kdop_state *s)
{
    const uint32_t root = NAMED(slot_of, K)(s, TMB_KDOP_ROOT);
    if (root == TMB_KDOP_NO_SLOT) {
        return;
    }
    if (s->traversal == TUMBLE_KDOP_TRAVERSAL_RESTART) {
        NAMED(walk_restarting, K)(s, root);
    } else if (NAMED(overlap, K)(s, s->rows_a + TMB_KDOP_ROOT * ROW_WORDS,
                                 tmb_kdop_slot_apart(tmb_kdop_slot_at(s, root)))) {
        NAMED(walk_pairs, K)(s, root);
    }
}

#undef VECTORS
#undef ROW_WORDS
#undef NAMED
#undef NAMED_
#undef K
