/* The walk for one K, and for trees A with bounds of leaves or, with BARE, without: both are defined by the file that
 * includes this one, for each. No include guard. */
#if BARE
#define WALKED(base) NAMED(base##_bare, K)
#else
#define WALKED(base) NAMED(base, K)
#endif

/* ---- Testing ---- */

static inline node_of_a WALKED(node_at)(const tmb_kdop_state *s, uint32_t number)
{
#if BARE
    const uint32_t *links = s->tree_a.links + 2 * (size_t)number;
    const float *bounds = links[1] ? NULL : s->tree_a.bounds + (size_t)(links[0] / 2) * K;
    return (node_of_a){number, links[0], links[1], bounds};
#else
    const uint32_t *row = s->rows_a + (size_t)number * ROW_WORDS;
    return (node_of_a){number, row[K], row[K + 1], (const float *)row};
#endif
}

/* Whether a node of A may overlap what was tumbled: no lane of its bounds is less. Words after the bounds are compared
 * with minus infinity. */
static inline int WALKED(overlap)(tmb_kdop_state *s, node_of_a node, const float *apart)
{
    const float *bounds = BARE && node.count ? NAMED(leaf_bounds, K)(s, node.number) : node.bounds;
    s->encounter->box_tests++;
    s->encounter->node_bytes += (BARE && node.count ? 2 : ROW_WORDS) * sizeof(uint32_t);
    tmb_b8 less = tmb_f8_less(tmb_f8_loadu(bounds), tmb_f8_loadu(apart));
    for (int v = 1; v < VECTORS; v++) {
        less = tmb_b8_or(less, tmb_f8_less(tmb_f8_loadu(bounds + 8 * v), tmb_f8_loadu(apart + 8 * v)));
    }
    return !tmb_b8_bits(less) && !(s->limit > 0 && NAMED(is_far, K)(s, bounds, apart));
}

static int WALKED(test_leaves)(const tmb_kdop_state *s, node_of_a node, const tmb_kdop_slot *slot)
{
    return (s->leaves_are_clusters ? test_leaf_clusters : test_triangles)(s->collider, node.link, node.count,
                                                                          slot->link, slot->count);
}

/* ---- Walking ---- */

/* Pushes the children of A's node that may overlap the slot, so that the first is popped first. */
static inline uint32_t WALKED(push_children_of_a)(tmb_kdop_state *s, uint32_t children, uint32_t slot, uint32_t top)
{
    const float *apart = tmb_kdop_slot_apart(tmb_kdop_slot_at(s, slot));
    for (uint32_t i = 2; i-- > 0;) {
        if (WALKED(overlap)(s, WALKED(node_at)(s, children + i), apart)) {
            s->stack[top++] = (tmb_kdop_pair){children + i, slot};
        }
    }
    return top;
}

/* Whether a triangle of A's leaf may overlap what was tumbled: the k-DOP of a few large triangles is mostly empty, and
 * B would be taken apart in it. The floats of A's triangles are off by far less than the slack leaves. */
static int WALKED(leaf_overlaps)(tmb_kdop_state *s, node_of_a node, const float *apart)
{
    if (!s->leaves_by_triangles || node.count == 1 || node.count > TMB_KDOP_SINGLES) {
        return 1;
    }
    if (s->leaf_node != node.number) {
        NAMED(bound_triangles, K)(s, node.link, node.count, s->leaf_bounds);
        s->leaf_node = node.number;
    }
    for (uint32_t i = 0; i < node.count; i++) {
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
static inline int WALKED(push_children_of_b)(tmb_kdop_state *s, node_of_a node, uint32_t children, uint32_t *top)
{
    for (int i = 1; i >= 0; i--) {
        const uint32_t slot = NAMED(slot_of, K)(s, children + (uint32_t)i);
        if (slot == TMB_KDOP_NO_SLOT) {
            return 0;
        }
        const float *apart = tmb_kdop_slot_apart(tmb_kdop_slot_at(s, slot));
        if (WALKED(overlap)(s, node, apart) && (!node.count || WALKED(leaf_overlaps)(s, node, apart))) {
            s->stack[(*top)++] = (tmb_kdop_pair){node.number, slot};
        }
    }
    return 1;
}

/* Whether the children of A's node come next, and those of B's. */
static inline void WALKED(choose_steps)(const tmb_kdop_state *s, node_of_a node, const tmb_kdop_slot *slot, int *into_a,
                                        int *into_b)
{
    const int inner_a = node.count == 0, inner_b = slot->count == 0;
    *into_a = inner_a;
    *into_b = inner_b;
    if (inner_a && inner_b && s->traversal == TUMBLE_KDOP_TRAVERSAL_ENVIRONMENT) {
        *into_b = 0;
    } else if (inner_a && inner_b) {
        const float size = NAMED(size_of, K)(node.bounds);
        *into_a = slot->size <= UNLIKE * size;
        *into_b = !*into_a || size <= UNLIKE * slot->size;
    }
}

/* Down A's tree first, then down B's (Klosowski et al., algorithm 1), or down both, the larger node first. */
static void WALKED(walk_pairs)(tmb_kdop_state *s, uint32_t root)
{
    uint32_t top = 0;
    tmb_watch *watch = s->collider->encounter.query->watch;
    s->stack[top++] = (tmb_kdop_pair){TMB_KDOP_ROOT, root};
    while (top > 0) {
        if (watch && tmb_watch_ends(watch)) {
            tmb_collider_cancel(s->collider);
            return;
        }
        const tmb_kdop_pair pair = s->stack[--top];
        const node_of_a node = WALKED(node_at)(s, pair.node);
        const tmb_kdop_slot *slot = tmb_kdop_slot_at(s, pair.slot);
        const uint32_t children_b = slot->link;
        int into_a, into_b, goes_on = 1;
        WALKED(choose_steps)(s, node, slot, &into_a, &into_b);
        if (into_a && into_b) {
            goes_on = WALKED(push_children_of_b)(s, WALKED(node_at)(s, node.link + 1), children_b, &top) &&
                      WALKED(push_children_of_b)(s, WALKED(node_at)(s, node.link), children_b, &top);
        } else if (into_a) {
            top = WALKED(push_children_of_a)(s, node.link, pair.slot, top);
        } else if (into_b) {
            goes_on = WALKED(push_children_of_b)(s, node, children_b, &top);
        } else {
            goes_on = !WALKED(test_leaves)(s, node, slot);
        }
        if (!goes_on) {
            return;
        }
    }
}

/* Walks A's tree with one slot, on the stack from `base` on. 1: stop; else *touches says whether an inner node of B met
 * a leaf, at which the walk ends. */
static int WALKED(walk_slot)(tmb_kdop_state *s, uint32_t slot_number, uint32_t base, int *touches)
{
    tmb_kdop_slot *slot = tmb_kdop_slot_at(s, slot_number);
    uint32_t top = base;
    *touches = 0;
    if (WALKED(overlap)(s, WALKED(node_at)(s, TMB_KDOP_ROOT), tmb_kdop_slot_apart(slot))) {
        s->stack[top++] = (tmb_kdop_pair){TMB_KDOP_ROOT, slot_number};
    }
    while (top > base) {
        const node_of_a node = WALKED(node_at)(s, s->stack[--top].node);
        if (!node.count) {
            top = WALKED(push_children_of_a)(s, node.link, slot_number, top);
        } else if (slot->count == 0) {
            *touches = 1;
            return 0;
        } else if (WALKED(test_leaves)(s, node, slot)) {
            return 1;
        }
    }
    return 0;
}

/* The variant of section 4.2: a node of B that meets a leaf of A is replaced by its children, which start at A's root
 * again. */
static void WALKED(walk_restarting)(tmb_kdop_state *s, uint32_t root)
{
    uint32_t waiting = 0;
    s->stack[waiting++] = (tmb_kdop_pair){TMB_KDOP_ROOT, root};
    while (waiting > 0) {
        const uint32_t slot = s->stack[--waiting].slot;
        int touches;
        if (WALKED(walk_slot)(s, slot, waiting, &touches)) {
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

static void WALKED(walk)(tmb_kdop_state *s)
{
    const uint32_t root = NAMED(slot_of, K)(s, TMB_KDOP_ROOT);
    if (root == TMB_KDOP_NO_SLOT) {
        return;
    }
    if (s->traversal == TUMBLE_KDOP_TRAVERSAL_RESTART) {
        WALKED(walk_restarting)(s, root);
    } else if (WALKED(overlap)(s, WALKED(node_at)(s, TMB_KDOP_ROOT), tmb_kdop_slot_apart(tmb_kdop_slot_at(s, root)))) {
        WALKED(walk_pairs)(s, root);
    }
}

#undef WALKED
#undef BARE
