/* The search for one K, which is defined by the file that includes this one, once for each. No include guard. */
#define NAMED_(base, k) base##_##k
#define NAMED(base, k) NAMED_(base, k)
#define ROW_WORDS (K + 2)
#define HAS_CORNERS (K == 14 || K == 26)
#define HAS_EDGES (K == 18 || K == 26)
#define FIRST_EDGE (HAS_CORNERS ? 14 : 6)

/* A lower bound of the distance of a node of A from what was tumbled, in A's local unit; when they overlap, how deep
 * they do along the least direction, as a negative number. NaN occurs only after the bounds. */
#if K == 12
static inline float NAMED(bound, K)(const float *bounds, const float *apart, const limits *l)
{
    const tmb_f8 least = tmb_f8_set(-FLT_MAX), unit = tmb_f8_set(TMB_KDOP_FACE);
    tmb_f8 low = tmb_f8_mul(gaps_at(bounds, apart, 0), unit);
    tmb_f8 high = tmb_f8_max(tmb_f8_mul(gaps_at(bounds, apart, 8), unit), least);
    const tmb_f8 all = tmb_f8_max(low, high);
    if (!l->keep && is_any_larger(all, l->gap)) {
        return INFINITY;
    }
    float largest[3] = {tmb_f8_max_of(all)};
    if (!(largest[0] > 0)) {
        return largest[0];
    }
    for (int i = 0; i < 2; i++) {
        const tmb_f8 last = tmb_f8_set(largest[i]);
        low = tmb_f8_select(tmb_f8_less_equal(last, low), least, low);
        high = tmb_f8_select(tmb_f8_less_equal(last, high), least, high);
        largest[i + 1] = tmb_f8_max_of(tmb_f8_max(low, high));
    }
    return sqrtf(square_of_faces(largest));
}
#else
static inline float NAMED(bound, K)(const float *bounds, const float *apart, const limits *l)
{
    static const float lengths[8] = {
        1, 1, 1, 1, 1, 1, HAS_CORNERS ? TMB_KDOP_CORNER : TMB_KDOP_EDGE, HAS_CORNERS ? TMB_KDOP_CORNER : TMB_KDOP_EDGE};
    const tmb_f8 side = gaps_at(bounds, apart, 0);
    tmb_f8 all = tmb_f8_max(tmb_f8_mul(side, tmb_f8_loadu(lengths)), tmb_f8_set(-FLT_MAX));
#if HAS_CORNERS
    const tmb_f8 corner = gaps_at(bounds, apart, 6);
    all = tmb_f8_max(tmb_f8_mul(corner, tmb_f8_set(TMB_KDOP_CORNER)), all);
#endif
#if HAS_EDGES
    const tmb_f8 edges[2] = {gaps_at(bounds, apart, FIRST_EDGE), gaps_at(bounds, apart, FIRST_EDGE + 8)};
    all = tmb_f8_max(tmb_f8_mul(edges[0], tmb_f8_set(TMB_KDOP_EDGE)), all);
    all = tmb_f8_max(tmb_f8_mul(edges[1], tmb_f8_set(TMB_KDOP_EDGE)), all);
#endif
    if (!l->keep && is_any_larger(all, l->gap)) {
        return INFINITY;
    }
    if (!is_any_larger(all, 0)) {
        return tmb_f8_max_of(all);
    }
    const sides s = make_sides(side);
    tmb_f8 square = square_of_sides(&s);
#if HAS_CORNERS
    square = tmb_f8_max(square_with_corners(&s, corner, corner_lanes), square);
#endif
#if HAS_EDGES
    square = tmb_f8_max(square_with_edges(&s, edges[0], edge_lanes[0]), square);
    square = tmb_f8_max(square_with_edges(&s, edges[1], edge_lanes[1]), square);
#endif
    return !l->keep && is_any_larger(square, l->square) ? INFINITY : sqrtf(tmb_f8_max_of(square));
}
#endif

/* The longest of three widths, which are along x, y and z except for the 12-DOP. */
static inline float NAMED(size_of, K)(const float *bounds)
{
    const float x = bounds[0] + bounds[1], y = bounds[2] + bounds[3], z = bounds[4] + bounds[5];
    const float xy = x > y ? x : y;
    return xy > z ? xy : z;
}

/* Which of two nodes, not both leaves, descend: both, the larger one alone, or the one that is not a leaf. */
static inline uint32_t NAMED(choose_steps, K)(const tmb_kdop_state *s, const tmb_near_pair *pair, int leaf_a,
                                              int leaf_b)
{
    if (leaf_a || leaf_b) {
        return leaf_a ? TMB_KDOP_NEAR_INTO_B : TMB_KDOP_NEAR_INTO_A;
    }
    const float *a = tmb_kdop_bounds(&s->tree_a, tmb_kdop_volume_of(&s->tree_a, pair->a));
    const float *b = tmb_kdop_bounds(&s->tree_b, tmb_kdop_volume_of(&s->tree_b, pair->b));
    const float size_a = NAMED(size_of, K)(a), size_b = NAMED(size_of, K)(b) * s->size_of_b;
    const int into_a = !(size_b > UNLIKE * size_a), into_b = !(size_a > UNLIKE * size_b);
    return (into_a ? TMB_KDOP_NEAR_INTO_A : 0) | (into_b ? TMB_KDOP_NEAR_INTO_B : 0);
}

/* The bounds of a node of A, whether it keeps them or not. */
static inline const float *NAMED(bounds_at, K)(tmb_kdop_near *w, uint32_t node)
{
    const tmb_kdop_view *tree = &w->state.tree_a;
    if (!tree->has_bare_leaves) {
        return tree->bounds + (size_t)node * ROW_WORDS;
    }
    const uint32_t *links = tmb_kdop_links(tree, node);
    return links[1] ? w->bounds_of(&w->state, node) : tree->bounds + (size_t)(links[0] / 2) * K;
}

/* Fills in the bounds; those of the parents hold as well. 0 if memory runs out. */
static inline int NAMED(bound_children, K)(tmb_near_search *s, double parents, children *c)
{
    tmb_kdop_near *w = s->walk.data;
    tmb_kdop_state *state = &w->state;
    const limits l = limits_of(s);
    for (uint32_t j = 0; j < 2; j++) {
        const uint32_t wanted = c->wanted >> 2 * j & 3;
        if (!wanted) {
            continue;
        }
        const uint32_t number = slot_number(w, c->first_b + j);
        if (number == TMB_KDOP_NO_SLOT) {
            return 0;
        }
        const float *apart = tmb_kdop_slot_apart(tmb_kdop_slot_at(state, number));
        for (uint32_t i = 0; i < 2; i++) {
            if (wanted >> i & 1) {
                const float local = NAMED(bound, K)(NAMED(bounds_at, K)(w, c->first_a + i), apart, &l);
                const double lower =
                    (double)(local * (local > 0 ? 1 - TMB_KDOP_BOUND_ROUNDING : 1 + TMB_KDOP_BOUND_ROUNDING)) *
                    w->unit_of_a;
                c->lower[2 * j + i] = lower > parents ? lower : parents;
            }
        }
    }
    const uint32_t count = (uint32_t)__builtin_popcount(c->wanted);
    s->encounter.box_tests += count;
    s->encounter.node_bytes += count * ROW_WORDS * sizeof(uint32_t);
    return 1;
}

/* The four cases of Fuenfzig and Fellner (section 6): two leaves are compared; a leaf stays while the other node is
 * left; of two inner nodes both are, or the larger one alone. */
static void NAMED(leave, K)(tmb_near_search *s, const tmb_near_pair *pair)
{
    const tmb_kdop_state *state = &((const tmb_kdop_near *)s->walk.data)->state;
    const uint32_t *a = tmb_kdop_links(&state->tree_a, pair->a), *b = tmb_kdop_links(&state->tree_b, pair->b);
    if (a[1] && b[1]) {
        (state->leaves_are_clusters ? compare_clusters : compare_triangles)(s, a[0], a[1], b[0], b[1]);
        return;
    }
    const uint32_t chosen = (uint32_t)pair->children & (TMB_KDOP_NEAR_INTO_A | TMB_KDOP_NEAR_INTO_B);
    const uint32_t into = chosen ? chosen : NAMED(choose_steps, K)(state, pair, a[1] != 0, b[1] != 0);
    const int into_a = (into & TMB_KDOP_NEAR_INTO_A) != 0, into_b = (into & TMB_KDOP_NEAR_INTO_B) != 0;
    children c = {.first_a = into_a ? a[0] : pair->a, .first_b = into_b ? b[0] : pair->b, .into = into};
    c.wanted = (uint32_t)pair->children & (into_a ? 15 : 5) & (into_b ? 15 : 3);
    if (NAMED(bound_children, K)(s, pair->lower, &c)) {
        hand_on(s, pair, &c);
    } else {
        s->is_enough = 1;
    }
}

#undef HAS_CORNERS
#undef HAS_EDGES
#undef FIRST_EDGE
#undef ROW_WORDS
#undef NAMED
#undef NAMED_
#undef K
