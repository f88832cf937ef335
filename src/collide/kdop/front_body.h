/* The walk from a front on, for one K: included by kernel_body.h. No include guard. */

/* How far bounds of A are from what was tumbled, in A's local unit, along the lane that separates them best: less than
 * they are. Not positive: they may overlap. */
static inline float NAMED(gap_of, K)(const tmb_kdop_state *s, const float *bounds, const float *apart)
{
    tmb_f8 most = tmb_f8_set(-FLT_MAX);
    for (int v = 0; v < VECTORS; v++) {
        const tmb_f8 gap = tmb_f8_sub(tmb_f8_loadu(apart + 8 * v), tmb_f8_loadu(bounds + 8 * v));
        most =
            tmb_f8_max(tmb_f8_mul(gap, tmb_f8_loadu(s->inverse_lengths + 8 * v)), most); /* NaN after the last lane */
    }
    const float gap = tmb_f8_max_of(most);
    return gap > 0 ? gap : s->limit > 0 && NAMED(is_far, K)(s, bounds, apart) ? FLT_MIN : 0;
}

/* A node of A, with bounds, whether its leaves are bare or not. */
static inline node_of_a NAMED(front_node, K)(tmb_kdop_state *s, uint32_t number)
{
    const uint32_t *links = tmb_kdop_links(&s->tree_a, number);
    const float *bounds = links[1] && s->tree_a.has_bare_leaves
                              ? NAMED(leaf_bounds, K)(s, number)
                              : tmb_kdop_bounds(&s->tree_a, tmb_kdop_volume_of(&s->tree_a, number));
    return (node_of_a){number, links[0], links[1], bounds};
}

/* The same for the triangles of A's leaf: see leaf_overlaps. */
static float NAMED(leaf_gap, K)(tmb_kdop_state *s, node_of_a node, const float *apart)
{
    float least = INFINITY;
    if (!s->leaves_by_triangles || node.count <= 1 || node.count > TMB_KDOP_SINGLES) {
        return 0;
    }
    tmb_kdop_leaf *leaf = &((tmb_kdop_front *)s)->leaves[node.number % TMB_KDOP_LEAVES];
    if (leaf->node != node.number) {
        NAMED(bound_triangles, K)(s, node.link, node.count, leaf->bounds);
        leaf->node = node.number;
    }
    for (uint32_t i = 0; i < node.count && least > 0; i++) {
        const float gap = NAMED(gap_of, K)(s, leaf->bounds[i], apart);
        s->encounter->box_tests++;
        least = gap < least ? gap : least;
    }
    return least;
}

/* Compares a pair of nodes. 0: they may overlap; else it is kept. */
static inline int NAMED(keep_apart, K)(tmb_kdop_state *s, tmb_front *f, uint32_t a, uint32_t slot)
{
    const node_of_a node = NAMED(front_node, K)(s, a);
    tmb_kdop_slot *other = tmb_kdop_slot_at(s, slot);
    const float *apart = tmb_kdop_slot_apart(other);
    float gap = NAMED(gap_of, K)(s, node.bounds, apart);
    s->encounter->box_tests++;
    s->encounter->node_bytes += ROW_WORDS * sizeof(uint32_t);
    if (!(gap > 0)) {
        gap = NAMED(leaf_gap, K)(s, node, apart);
    }
    if (!(gap > 0)) {
        return 0;
    }
    tmb_kdop_keep(f, a, other->node, gap);
    return 1;
}

/* Children of both, or of one and the other node; 0 if memory runs out. */
static int NAMED(front_children, K)(tmb_kdop_state *s, tmb_front *f, const tmb_front_pair *parents, uint32_t first_a,
                                    uint32_t count_a, uint32_t first_b, uint32_t count_b)
{
    const size_t kept = f->kept_count, count = (size_t)count_a * count_b;
    for (uint32_t j = count_b; j-- > 0;) {
        const uint32_t slot = NAMED(slot_of, K)(s, first_b + j);
        if (slot == TMB_KDOP_NO_SLOT) {
            return 0;
        }
        for (uint32_t i = count_a; i-- > 0;) {
            if (!NAMED(keep_apart, K)(s, f, first_a + i, slot) && !tmb_kdop_push(f, first_a + i, first_b + j)) {
                return 0;
            }
        }
    }
    tmb_kdop_keep_together(f, kept, count, parents);
    return 1;
}

/* A pair that waits; 1: stop. */
static int NAMED(front_leave, K)(tmb_kdop_state *s, tmb_front *f, const tmb_front_pair *pair)
{
    const uint32_t number = NAMED(slot_of, K)(s, pair->b);
    int into_a, into_b;
    if (number == TMB_KDOP_NO_SLOT) {
        return 1;
    }
    if (pair->lower < INFINITY && NAMED(keep_apart, K)(s, f, pair->a, number)) {
        return 0;
    }
    const node_of_a node = NAMED(front_node, K)(s, pair->a);
    const tmb_kdop_slot slot = *tmb_kdop_slot_at(s, number);
    NAMED(choose_steps, K)(s, node, &slot, &into_a, &into_b);
    if (into_a || into_b) {
        return !NAMED(front_children, K)(s, f, pair, into_a ? node.link : pair->a, into_a ? 2 : 1,
                                         into_b ? slot.link : pair->b, into_b ? 2 : 1);
    }
    if (NAMED(test_leaves, K)(s, node, &slot)) {
        (void)tmb_kdop_push(f, pair->a, pair->b);
        return 1;
    }
    tmb_kdop_keep(f, pair->a, pair->b, -INFINITY);
    return 0;
}

static void NAMED(front, K)(tmb_kdop_state *s, tmb_front *f)
{
    while (f->stack_count > 0) {
        const tmb_front_pair pair = *(const tmb_front_pair *)tmb_front_pop(f);
        if (NAMED(front_leave, K)(s, f, &pair)) {
            return;
        }
    }
}
