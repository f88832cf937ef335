/* Template of a walk; included by boxtree_kernel.c with
 *   WALK_NAME    the function
 *   WALK_USED    gaps of a pair
 *   WALK_STRIDE  gaps with padding, a whole number of cache lines
 *   WALK_TABLES  products from lookup tables instead of multiplications
 * There is no include guard, by intent. */

#define WALK_VECTORS ((WALK_USED + TMB_SIMD_LANES - 1) / TMB_SIMD_LANES)
#define WALK_JOIN2(a, b) a##_##b
#define WALK_JOIN(a, b) WALK_JOIN2(a, b)
#define WALK_CUT WALK_JOIN(WALK_NAME, cut)
#define WALK_CHILD WALK_JOIN(WALK_NAME, child)

/* gaps -= products of one cut */
static inline void WALK_CUT(const tmb_walk *walk, int tree, uint32_t side, float cut, tmb_vec *gaps)
{
    const double *row = walk->tree[tree].rows[side];
#if WALK_TABLES
    _Alignas(64) double products[WALK_STRIDE] = {0};
    uint32_t bits;
    memcpy(&bits, &cut, sizeof bits);
    const uint32_t index = cut < 1 ? 0 : (bits >> TMB_TABLE_SHIFT) - TMB_TABLE_BASE + 1;
    for (int i = 0; i < walk->direction_count; i++) {
        const int owner = walk->first_owner ^ (i >= 3);
        if (tree == owner) {
            products[2 * i] = (double)cut * row[2 * i];
            products[2 * i + 1] = (double)cut * row[2 * i + 1];
        } else {
            products[walk->tables[i].lane[side]] = walk->tables[i].product[side >> 1][index];
        }
    }
    for (int i = 0; i < WALK_VECTORS; i++) {
        gaps[i] = tmb_sub(gaps[i], tmb_load(products + i * TMB_SIMD_LANES));
    }
#else
    const tmb_vec c = tmb_broadcast((double)cut);
    for (int i = 0; i < WALK_VECTORS; i++) {
        gaps[i] = tmb_sub(gaps[i], tmb_mul(c, tmb_load(row + i * TMB_SIMD_LANES)));
    }
#endif
}

static inline void WALK_CHILD(const tmb_walk *walk, int tree, const walk_child *child, const tmb_vec *parent,
                              tmb_vec *gaps)
{
    for (int i = 0; i < WALK_VECTORS; i++) {
        gaps[i] = parent[i];
    }
    WALK_CUT(walk, tree, child->side[0], child->cut[0], gaps);
    if (child->cut[1] > 0) {
        WALK_CUT(walk, tree, child->side[1], child->cut[1], gaps);
    }
}

static void WALK_NAME(tmb_walk *walk)
{
    tmb_collider *collider = walk->collider;
    const tmb_walk_tree *tree_a = &walk->tree[0], *tree_b = &walk->tree[1];
    double *gap_stack = walk->stack;
    const size_t levels = collider->a->block->depth > collider->b->block->depth ? collider->a->block->depth
                                                                                : collider->b->block->depth;
    uint32_t(*node_stack)[2] = (uint32_t(*)[2])(void *)(gap_stack + WALK_STRIDE * (3 * levels + 4));
    size_t waiting = 0;
    uint64_t box_tests = 1, box_updates = 2, nodes_read = 0;

    int apart = 0;
    for (int i = 0; i < WALK_VECTORS; i++) {
        const tmb_vec start = tmb_load(walk->start + i * TMB_SIMD_LANES);
        tmb_store(gap_stack + i * TMB_SIMD_LANES, start);
        apart |= tmb_any_sign(start);
    }
    if (!apart) {
        node_stack[0][0] = tree_a->root;
        node_stack[0][1] = tree_b->root;
        waiting = 1;
    }
    while (waiting > 0) {
        waiting--;
        const uint32_t a = node_stack[waiting][0], b = node_stack[waiting][1];
        const int leaf_a = walk_is_leaf(tree_a, a), leaf_b = walk_is_leaf(tree_b, b);
        if (leaf_a && leaf_b) {
            if (tmb_collider_leaf(collider, walk_triangle(tree_a, a), walk_triangle(tree_b, b))) {
                break;
            }
            continue;
        }
        tmb_vec gaps[WALK_VECTORS];
        for (int i = 0; i < WALK_VECTORS; i++) {
            gaps[i] = tmb_load(gap_stack + waiting * WALK_STRIDE + i * TMB_SIMD_LANES);
        }

        /* the children's own work, done once for all four pairs (section 3.3) */
        walk_child children_a[2] = {{a, {0, 0}, {0, 0}}}, children_b[2] = {{b, {0, 0}, {0, 0}}};
        const int count_a = leaf_a ? 1 : walk_children(tree_a, a, children_a);
        const int count_b = leaf_b ? 1 : walk_children(tree_b, b, children_b);
        tmb_vec parts_a[2][WALK_VECTORS];
        for (int i = 0; i < count_a; i++) {
            WALK_CHILD(walk, 0, &children_a[i], gaps, parts_a[i]);
        }
        box_updates += (uint64_t)(leaf_a ? 0 : count_a) + (uint64_t)(leaf_b ? 0 : count_b);
        box_tests += (uint64_t)(count_a * count_b);
        nodes_read += (uint64_t)(!leaf_a + !leaf_b);

        for (int j = count_b - 1; j >= 0; j--) {
            for (int i = count_a - 1; i >= 0; i--) {
                tmb_vec pair[WALK_VECTORS];
                WALK_CHILD(walk, 1, &children_b[j], parts_a[i], pair);
                tmb_vec signs = pair[0];
                for (int k = 1; k < WALK_VECTORS; k++) {
                    signs = tmb_or(signs, pair[k]);
                }
                if (tmb_any_sign(signs)) {
                    continue;
                }
                for (int k = 0; k < WALK_VECTORS; k++) {
                    tmb_store(gap_stack + waiting * WALK_STRIDE + k * TMB_SIMD_LANES, pair[k]);
                }
                node_stack[waiting][0] = children_a[i].node;
                node_stack[waiting][1] = children_b[j].node;
                waiting++;
            }
        }
    }
    const uint64_t triangle_bytes = 2 * (3 * sizeof(uint32_t) + 3 * 3 * sizeof(double));
    collider->box_tests += box_tests;
    collider->box_updates += box_updates;
    collider->bytes_touched += nodes_read * sizeof(tmb_node_two) + collider->primitive_tests * triangle_bytes;
}

#undef WALK_VECTORS
#undef WALK_JOIN2
#undef WALK_JOIN
#undef WALK_CUT
#undef WALK_CHILD
#undef WALK_NAME
#undef WALK_USED
#undef WALK_STRIDE
#undef WALK_TABLES
