/* Template of a walk; included by kernel.c with
 *   WALK_NAME    the function
 *   WALK_USED    gaps of a pair
 *   WALK_STRIDE  gaps with padding, a whole number of cache lines
 *   WALK_TABLES  products from lookup tables instead of multiplications
 * Intentionally without an include guard. */

#define WALK_VECTORS ((WALK_USED + TMB_SIMD_LANES - 1) / TMB_SIMD_LANES)
#if WALK_USED < 12
#define WALK_RANKED WALK_USED
#else
#define WALK_RANKED 12 /* cross products can be short, and say little of the overlap */
#endif
#define WALK_JOIN2(a, b) a##_##b
#define WALK_JOIN(a, b) WALK_JOIN2(a, b)
#define WALK_CUT WALK_JOIN(WALK_NAME, cut)
#define WALK_PRODUCTS WALK_JOIN(WALK_NAME, products)
#define WALK_SWAP WALK_JOIN(WALK_NAME, swap)
#define WALK_SORT WALK_JOIN(WALK_NAME, sort)
#define WALK_FIT WALK_JOIN(WALK_NAME, fit)
#define WALK_STATE WALK_JOIN(WALK_NAME, state)
#define WALK_DOWN_BOTH WALK_JOIN(WALK_NAME, down_both)
#define WALK_DOWN_ONE WALK_JOIN(WALK_NAME, down_one)
#define WALK_DOWN_LARGER WALK_JOIN(WALK_NAME, down_larger)
#define WALK_START WALK_JOIN(WALK_NAME, start)
#define WALK_PUT WALK_JOIN(WALK_NAME, put)
#define WALK_MISSES_LEAF WALK_JOIN(WALK_NAME, misses_leaf)
#define WALK_LOOP WALK_JOIN(WALK_NAME, loop)

/* What one cut takes off the gaps. */
static inline void WALK_CUT(const tmb_walk *walk, int tree, uint32_t side, float cut, tmb_vec *products)
{
    const double *row = walk->tree[tree].rows[side];
#if WALK_TABLES
    _Alignas(TMB_CACHE_LINE) double found[WALK_STRIDE] = {0};
    const uint32_t index = walk_table_index(cut);
    for (int i = 0; i < walk->direction_count; i++) {
        const int owner = walk->first_owner ^ (i >= 3);
        if (tree == owner) {
            found[2 * i] = (double)cut * row[2 * i];
            found[2 * i + 1] = (double)cut * row[2 * i + 1];
        } else {
            found[walk->tables[i].lane[side]] = walk->tables[i].product[side >> 1][index];
        }
    }
    for (int i = 0; i < WALK_VECTORS; i++) {
        products[i] = tmb_load(found + i * TMB_SIMD_LANES);
    }
#else
    const tmb_vec c = tmb_broadcast((double)cut);
    for (int i = 0; i < WALK_VECTORS; i++) {
        products[i] = tmb_mul(c, tmb_load(row + i * TMB_SIMD_LANES));
    }
#endif
}

static inline void WALK_PRODUCTS(const tmb_walk *walk, int tree, const walk_children *children, int child,
                                 tmb_vec *products)
{
    WALK_CUT(walk, tree, children->side[child], children->cut[child], products);
    if (children->more_cut[child] > 0) {
        tmb_vec more[WALK_VECTORS];
        WALK_CUT(walk, tree, children->more_side[child], children->more_cut[child], more);
        for (int i = 0; i < WALK_VECTORS; i++) {
            products[i] = tmb_add(products[i], more[i]);
        }
    }
}

/* How far a walk is: pairs wait on a stack, each with its gaps, its nodes and, when the larger is split first, how it
 * was reached. */
typedef struct WALK_STATE {
    double *gaps;
    uint32_t (*nodes)[2];
    tmb_walk_way *ways;
    size_t waiting;
    uint64_t box_tests, box_updates, nodes_read;
} WALK_STATE;

static inline void WALK_SWAP(const WALK_STATE *at, size_t first)
{
    double *gaps = at->gaps + first * WALK_STRIDE;
    for (int k = 0; k < WALK_VECTORS; k++) {
        const tmb_vec lower = tmb_load(gaps + k * TMB_SIMD_LANES);
        const tmb_vec upper = tmb_load(gaps + WALK_STRIDE + k * TMB_SIMD_LANES);
        tmb_store(gaps + k * TMB_SIMD_LANES, upper);
        tmb_store(gaps + WALK_STRIDE + k * TMB_SIMD_LANES, lower);
    }
    for (int k = 0; k < 2; k++) {
        const uint32_t lower = at->nodes[first][k];
        at->nodes[first][k] = at->nodes[first + 1][k];
        at->nodes[first + 1][k] = lower;
    }
    const tmb_walk_way lower = at->ways[first];
    at->ways[first] = at->ways[first + 1];
    at->ways[first + 1] = lower;
}

/* Sorts the up to four pairs that came last so that the one whose least gap is largest, the deepest overlap, is on top:
 * a query that needs one hit then finds it sooner. */
static inline void WALK_SORT(const WALK_STATE *at, size_t first, size_t count)
{
    double least[4];
    for (size_t i = 0; i < count; i++) {
        const double *gaps = at->gaps + (first + i) * WALK_STRIDE;
        least[i] = gaps[0];
        for (size_t k = 1; k < WALK_RANKED; k++) {
            least[i] = gaps[k] < least[i] ? gaps[k] : least[i];
        }
        for (size_t j = i; j > 0 && least[j - 1] > least[j]; j--) {
            const double larger = least[j - 1];
            least[j - 1] = least[j];
            least[j] = larger;
            WALK_SWAP(at, first + j - 1);
        }
    }
}

/* Puts the gaps of a pair on top of the stack; 0 if the boxes are separated. */
static inline int WALK_PUT(const WALK_STATE *at, const tmb_vec *from, const tmb_vec *products)
{
    double *to = at->gaps + at->waiting * WALK_STRIDE;
    tmb_vec signs = tmb_sub(from[0], products[0]);
    tmb_store(to, signs);
    for (int k = 1; k < WALK_VECTORS; k++) {
        const tmb_vec gaps = tmb_sub(from[k], products[k]);
        tmb_store(to + k * TMB_SIMD_LANES, gaps);
        signs = tmb_or(signs, gaps);
    }
    return !tmb_any_sign(signs);
}

/* The step down both trees. All four pairs of children are computed, written on top of the stack, and stay there if
 * they exist and overlap: no branches that cannot be predicted. */
static inline __attribute__((always_inline)) void WALK_DOWN_BOTH(tmb_walk *walk, uint32_t layout_a, uint32_t layout_b,
                                                                 int larger_first, WALK_STATE *at)
{
    const uint32_t a = at->nodes[at->waiting][0], b = at->nodes[at->waiting][1];
    const int leaf_a = !larger_first && walk_is_leaf(layout_a, a), leaf_b = !larger_first && walk_is_leaf(layout_b, b);
    /* the children's own work, done once for all four pairs (section 3.3) */
    const walk_children children_a = larger_first ? walk_find_trimmed(&walk->tree[0], layout_a, a)
                                                  : walk_find_children(&walk->tree[0], layout_a, a, leaf_a);
    const walk_children children_b = larger_first ? walk_find_trimmed(&walk->tree[1], layout_b, b)
                                                  : walk_find_children(&walk->tree[1], layout_b, b, leaf_b);
    tmb_vec parts_a[2][WALK_VECTORS], products_b[2][WALK_VECTORS];
    for (int i = 0; i < 2; i++) {
        WALK_PRODUCTS(walk, 0, &children_a, i, parts_a[i]);
        WALK_PRODUCTS(walk, 1, &children_b, i, products_b[i]);
        for (int k = 0; k < WALK_VECTORS; k++) {
            const tmb_vec gaps = tmb_load(at->gaps + at->waiting * WALK_STRIDE + k * TMB_SIMD_LANES);
            parts_a[i][k] = tmb_sub(gaps, parts_a[i][k]);
        }
    }
    at->box_updates += (uint64_t)((1 + children_a.twins) * !leaf_a + (1 + children_b.twins) * !leaf_b);
    at->box_tests += (uint64_t)((1 + children_a.twins) * (1 + children_b.twins));
    at->nodes_read += (uint64_t)(!leaf_a + !leaf_b);
    const tmb_walk_way from = at->ways[at->waiting];
    const uint32_t step = larger_first ? (from.step[0] > from.step[1] ? from.step[0] : from.step[1]) / 2 + 1 : 0;
    if (larger_first) {
        walk->steps[step] = (tmb_walk_step){a, from.step[0]};
        walk->steps[step + 1] = (tmb_walk_step){b, from.step[1]};
    }
    for (int j = 1; j >= 0; j--) {
        for (int i = 1; i >= 0; i--) {
            const int exists = (i == 0 || children_a.twins) & (j == 0 || children_b.twins);
            const int overlap = WALK_PUT(at, parts_a[i], products_b[j]);
            at->nodes[at->waiting][0] = children_a.node[i];
            at->nodes[at->waiting][1] = children_b.node[j];
            if (larger_first) {
                at->ways[at->waiting] = (tmb_walk_way){{walk_child_size(&walk->tree[0], &children_a, i, from.size[0]),
                                                        walk_child_size(&walk->tree[1], &children_b, j, from.size[1])},
                                                       {2 * step + (uint32_t)i, 2 * step + 2 + (uint32_t)j}};
            }
            at->waiting += (size_t)(exists & overlap);
        }
    }
}

/* The step down one tree: two pairs. */
static inline __attribute__((always_inline)) void WALK_DOWN_ONE(tmb_walk *walk, int tree, uint32_t layout,
                                                                WALK_STATE *at)
{
    const tmb_walk_way from = at->ways[at->waiting];
    const uint32_t node = at->nodes[at->waiting][tree], other = at->nodes[at->waiting][!tree];
    const walk_children children = walk_find_trimmed(&walk->tree[tree], layout, node);
    const uint32_t step = (from.step[0] > from.step[1] ? from.step[0] : from.step[1]) / 2 + 1;
    tmb_vec gaps[WALK_VECTORS];
    for (int k = 0; k < WALK_VECTORS; k++) {
        gaps[k] = tmb_load(at->gaps + at->waiting * WALK_STRIDE + k * TMB_SIMD_LANES);
    }
    walk->steps[step] = (tmb_walk_step){node, from.step[tree]};
    at->box_updates += (uint64_t)(1 + children.twins);
    at->box_tests += (uint64_t)(1 + children.twins);
    at->nodes_read++;
    for (int i = 1; i >= 0; i--) {
        tmb_vec products[WALK_VECTORS];
        WALK_PRODUCTS(walk, tree, &children, i, products);
        const int overlap = WALK_PUT(at, gaps, products);
        tmb_walk_way way = from;
        way.size[tree] = walk_child_size(&walk->tree[tree], &children, i, from.size[tree]);
        way.step[tree] = 2 * step + (uint32_t)i;
        at->nodes[at->waiting][tree] = children.node[i];
        at->nodes[at->waiting][!tree] = other;
        at->ways[at->waiting] = way;
        at->waiting += (size_t)((i == 0 || children.twins) & overlap);
    }
}

/* Replaces a leaf's box by its triangle in the gaps of a pair: a corner is a box that each axis cuts once more, and the
 * largest of the corners' gaps is the triangle's. 0: they are separated. */
static __attribute__((noinline)) int WALK_FIT(const tmb_walk *walk, int tree, uint32_t triangle, uint32_t step,
                                              double *gaps)
{
    double distances[3][6];
    walk_distances(walk, tree, triangle, step, distances);
    int apart = 0;
    for (int i = 0; i < WALK_VECTORS * TMB_SIMD_LANES; i += TMB_SIMD_LANES) {
        tmb_vec most = tmb_load(gaps + i);
        for (int corner = 0; corner < 3; corner++) {
            tmb_vec gap = tmb_load(gaps + i);
            for (int side = 0; side < 6; side += 2) {
                const double(*rows)[TMB_LANES_MOST] = walk->tree[tree].rows + side;
                const tmb_vec low = tmb_mul(tmb_broadcast(distances[corner][side]), tmb_load(rows[0] + i));
                const tmb_vec high = tmb_mul(tmb_broadcast(distances[corner][side + 1]), tmb_load(rows[1] + i));
                gap = tmb_sub(gap, tmb_add(low, high));
            }
            most = corner == 0 ? gap : tmb_max(most, gap);
        }
        tmb_store(gaps + i, most);
        apart |= tmb_any_sign(most);
    }
    return !apart;
}

/* Whether a leaf is apart from a smaller node when it is compared as its triangle: its box is mostly empty there. */
static inline int WALK_MISSES_LEAF(const tmb_walk *walk, int tree, uint32_t layout, WALK_STATE *at)
{
    tmb_walk_way *way = &at->ways[at->waiting];
    if (!(way->size[tree] > WALK_LARGE * way->size[!tree])) {
        return 0;
    }
    const uint32_t triangle = walk_triangle(layout, at->nodes[at->waiting][tree]);
    at->box_tests++;
    at->box_updates++;
    way->size[tree] = TMB_WALK_FITTED;
    return !WALK_FIT(walk, tree, triangle, way->step[tree], at->gaps + at->waiting * WALK_STRIDE);
}

/* The step of the larger-first descent. */
static inline __attribute__((always_inline)) void WALK_DOWN_LARGER(tmb_walk *walk, uint32_t layout_a, uint32_t layout_b,
                                                                   int leaf_a, int leaf_b, WALK_STATE *at)
{
    const float *size = at->ways[at->waiting].size;
    if (leaf_a) {
        if (!WALK_MISSES_LEAF(walk, 0, layout_a, at)) {
            WALK_DOWN_ONE(walk, 1, layout_b, at);
        }
    } else if (leaf_b) {
        if (!WALK_MISSES_LEAF(walk, 1, layout_b, at)) {
            WALK_DOWN_ONE(walk, 0, layout_a, at);
        }
    } else if (size[0] > walk->alike * size[1]) {
        WALK_DOWN_ONE(walk, 0, layout_a, at);
    } else if (size[1] > walk->alike * size[0]) {
        WALK_DOWN_ONE(walk, 1, layout_b, at);
    } else {
        WALK_DOWN_BOTH(walk, layout_a, layout_b, 1, at);
    }
}

/* The pair of the roots; none if they are apart. */
static inline WALK_STATE WALK_START(tmb_walk *walk)
{
    WALK_STATE at = {walk->gaps, walk->nodes, walk->ways, 1, 1, 2, 0};
    at.ways[0] = (tmb_walk_way){{0, 0}, {0, 0}};
    for (int i = 0; i < 2; i++) {
        at.ways[0].size[i] = walk->tree[i].size;
        at.nodes[0][i] = walk->tree[i].root;
    }
    for (int i = 0; i < WALK_VECTORS; i++) {
        const tmb_vec start = tmb_load(walk->start + i * TMB_SIMD_LANES);
        tmb_store(at.gaps + i * TMB_SIMD_LANES, start);
        if (tmb_any_sign(start)) {
            at.waiting = 0;
        }
    }
    return at;
}

static inline __attribute__((always_inline)) void WALK_LOOP(tmb_walk *walk, uint32_t layout_a, uint32_t layout_b,
                                                            int larger_first)
{
    tmb_collider *collider = walk->collider;
    const int sorted = collider->one, is_near = walk->limit > 0;
    WALK_STATE at = WALK_START(walk);
    while (at.waiting > 0) {
        at.waiting--;
        if (is_near && walk_is_far(walk, at.gaps + at.waiting * WALK_STRIDE)) {
            continue;
        }
        const uint32_t a = at.nodes[at.waiting][0], b = at.nodes[at.waiting][1];
        const int leaf_a = walk_is_leaf(layout_a, a), leaf_b = walk_is_leaf(layout_b, b);
        if (leaf_a & leaf_b) {
            if (tmb_collider_leaf(collider, walk_triangle(layout_a, a), walk_triangle(layout_b, b))) {
                break;
            }
            continue;
        }
        const size_t before = at.waiting;
        if (larger_first) {
            WALK_DOWN_LARGER(walk, layout_a, layout_b, leaf_a, leaf_b, &at);
        } else {
            WALK_DOWN_BOTH(walk, layout_a, layout_b, 0, &at);
        }
        if (sorted && at.waiting > before + 1) {
            WALK_SORT(&at, before, at.waiting - before);
        }
    }
    collider->encounter.box_tests += at.box_tests;
    collider->encounter.box_updates += at.box_updates;
    /* two nodes of one plane, or one of two */
    collider->encounter.node_bytes += at.nodes_read * 2 * sizeof(tmb_node_one);
}

static void WALK_NAME(tmb_walk *walk)
{
    const uint32_t layout_a = walk->tree[0].layout, layout_b = walk->tree[1].layout;
    const int one_plane = layout_a == TUMBLE_BOXTREE_ONE_PLANE && layout_b == TUMBLE_BOXTREE_ONE_PLANE;
    if (one_plane && walk->larger_first) {
        WALK_LOOP(walk, TUMBLE_BOXTREE_ONE_PLANE, TUMBLE_BOXTREE_ONE_PLANE, 1);
    } else if (one_plane) {
        WALK_LOOP(walk, TUMBLE_BOXTREE_ONE_PLANE, TUMBLE_BOXTREE_ONE_PLANE, 0);
    } else if (walk->larger_first) {
        WALK_LOOP(walk, layout_a, layout_b, 1);
    } else {
        WALK_LOOP(walk, layout_a, layout_b, 0);
    }
}

#undef WALK_VECTORS
#undef WALK_RANKED
#undef WALK_JOIN2
#undef WALK_JOIN
#undef WALK_CUT
#undef WALK_PRODUCTS
#undef WALK_SWAP
#undef WALK_SORT
#undef WALK_FIT
#undef WALK_STATE
#undef WALK_DOWN_BOTH
#undef WALK_DOWN_ONE
#undef WALK_DOWN_LARGER
#undef WALK_START
#undef WALK_PUT
#undef WALK_MISSES_LEAF
#undef WALK_LOOP
#undef WALK_NAME
#undef WALK_USED
#undef WALK_STRIDE
#undef WALK_TABLES
