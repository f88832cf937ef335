/* Checks made ready for the walk: from the pose of B in A's frame to the maps between the models' local coordinates, as
 * src/collide/wide/setup.c and local_map.h do. Unusual poses are left to the processor. */
#if TUMBLE_DOUBLES

static double column_product(const double *m, int a, int b)
{
    return m[a] * m[b] + m[4 + a] * m[4 + b] + m[8 + a] * m[8 + b];
}

/* m[0..2], m[4..6], m[8..10]: the rows. */
static double determinant(const double *m)
{
    return m[0] * (m[5] * m[10] - m[6] * m[9]) + m[1] * (m[6] * m[8] - m[4] * m[10]) +
           m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/* As is_plainly_good in src/math/pose.c: what is not may still be a pose. */
static int is_plainly_good(const double *m)
{
    const double square = column_product(m, 0, 0), least = TMB_POSE_TOLERANCE / 4 * square, det = determinant(m);
    return square > TMB_POSE_LEAST_SQUARE && square < TMB_POSE_MOST_SQUARE && fabs(column_product(m, 1, 1) - square) <= least &&
           fabs(column_product(m, 2, 2) - square) <= least && fabs(column_product(m, 0, 1)) <= least &&
           fabs(column_product(m, 1, 2)) <= least && fabs(column_product(m, 2, 0)) <= least && det > 0 &&
           det * det > 0.5 * square * square * square && fabs(m[3]) <= DBL_MAX && fabs(m[7]) <= DBL_MAX &&
           fabs(m[11]) <= DBL_MAX;
}

typedef struct local_map {
    double m[9], shift[3];
} local_map;

static local_map map_into_a(const double *pose, global const double *frame_a, global const double *frame_b)
{
    local_map map;
    const double scale = frame_a[TMB_CL_FRAME_SCALE], ratio = scale / frame_b[TMB_CL_FRAME_SCALE];
    for (int k = 0; k < 3; k++) {
        const double *row = pose + 4 * k;
        const double moved = (row[0] * frame_b[0] + row[1] * frame_b[1]) + (row[2] * frame_b[2] + row[3]);
        map.shift[k] = (moved - frame_a[k]) * scale;
        for (int j = 0; j < 3; j++) {
            map.m[3 * k + j] = row[j] * ratio;
        }
    }
    return map;
}

static local_map inverse_of(const local_map *map)
{
    local_map out;
    const double *m = map->m;
    double cofactors[9], det = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            cofactors[3 * i + j] = m[3 * i1 + j1] * m[3 * i2 + j2] - m[3 * i1 + j2] * m[3 * i2 + j1];
        }
    }
    for (int i = 0; i < 3; i++) {
        det += m[i] * cofactors[i];
    }
    for (int k = 0; k < 3; k++) {
        out.shift[k] = 0;
        for (int j = 0; j < 3; j++) {
            out.m[3 * k + j] = cofactors[3 * j + k] / det;
            out.shift[k] -= out.m[3 * k + j] * map->shift[j];
        }
    }
    return out;
}

static double row_sum(const local_map *map, int k)
{
    return fabs(map->m[3 * k]) + fabs(map->m[3 * k + 1]) + fabs(map->m[3 * k + 2]);
}

static double reach_of(const local_map *map)
{
    double reach = 0, all = 0;
    for (int k = 0; k < 3; k++) {
        const double own = row_sum(map, k) + fabs(map->shift[k]);
        reach = own > reach ? own : reach;
        all += own;
    }
    return isfinite(all) ? reach : INFINITY;
}

/* The largest size that a sum has on the way from B's points to A's local frame; not finite when one may overflow. */
static double point_size(const double *pose, global const double *frame_a, global const double *frame_b)
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        double sum = fabs(pose[4 * k + 3]) + fabs(frame_a[k]);
        for (int j = 0; j < 3; j++) {
            sum += fabs(pose[4 * k + j]) * frame_b[TMB_CL_FRAME_SIZE + j];
        }
        size = isfinite(sum) ? fmax(size, sum) : INFINITY;
    }
    return size;
}

static int bounds_apart(const local_map *map, global const double *fa, global const double *fb, double slack)
{
    for (int k = 0; k < 3; k++) {
        double reach = slack + TMB_BOX_ROUNDING;
        for (int j = 0; j < 3; j++) {
            reach += fabs(map->m[3 * k + j]) * fb[TMB_CL_FRAME_HALF + j] * (1 + TMB_MAP_ROUNDING);
        }
        reach += fa[TMB_CL_FRAME_HALF + k] * (1 + TMB_MAP_ROUNDING);
        if (fabs(map->shift[k]) * (1 - TMB_MAP_ROUNDING) > reach) {
            return 1;
        }
    }
    return 0;
}

static void store_map(const local_map *map, double slack, global float *out)
{
    for (int k = 0; k < 9; k++) {
        out[k] = (float)map->m[k];
    }
    for (int k = 0; k < 3; k++) {
        out[TMB_CL_MAP_SHIFT + k] = (float)map->shift[k];
    }
    out[TMB_CL_MAP_SLACK] = (float)slack;
}

static void store_check(const local_map *into_a, const local_map *into_b, double reach_a, double reach_b, double error,
                        global float *out)
{
    const double stretch = fmax(fmax(row_sum(into_b, 0), row_sum(into_b, 1)), row_sum(into_b, 2));
    const double unit = ldexp(1.0, -1 - ilogb(stretch)); /* Oclgrind stumbles over frexp */
    store_map(into_a, TMB_BOX_ROUNDING * (1 + reach_a) + error, out + TMB_CL_INTO_A);
    store_map(into_b, TMB_BOX_ROUNDING * (1 + reach_b) + error * stretch, out + TMB_CL_INTO_B);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            out[TMB_CL_TURN + 3 * k + j] = (float)(into_b->m[3 * j + k] * unit);
        }
    }
    const double *m = into_a->m;
    out[TMB_CL_SLAB_UNIT] = (float)unit;
    out[TMB_CL_SLAB_SLACK] = (float)(TMB_SLAB_ROUNDING * (1 + reach_a) + 2 * error);
    out[TMB_CL_SIZE_OF_B] = (float)sqrt((m[0] * m[0] + m[3] * m[3]) + m[6] * m[6]);
}

/* One work-item per check. Those whose bounding boxes meet come into the queue, as the pair of the roots; how their
 * points are moved comes into `moves`. */
kernel void tumble_prepare(tmb_cl_settings settings, global const double *frames, global const tmb_u32 *pairs,
                           global const double *poses, global float *checks, global double *moves,
                           global tmb_u32 *counters, global tmb_u32 *numbers, global tmb_cl_item *queue_even,
                           global tmb_cl_item *queue_odd)
{
    const tmb_u32 own = (tmb_u32)get_global_id(0), check = settings.first_check + own;
    if (own >= settings.check_count) {
        return;
    }
    double pose[12];
    for (int k = 0; k < 12; k++) {
        pose[k] = poses[12 * (size_t)(settings.one_pose ? 0 : own) + k];
    }
    const tmb_u32 a = settings.one_pair ? settings.model_a : pairs[2 * check];
    const tmb_u32 b = settings.one_pair ? settings.model_b : pairs[2 * check + 1];
    global const double *frame_a = frames + TMB_CL_FRAME_DOUBLES * (size_t)a;
    global const double *frame_b = frames + TMB_CL_FRAME_DOUBLES * (size_t)b;
    const local_map into_a = map_into_a(pose, frame_a, frame_b), into_b = inverse_of(&into_a);
    const double reach_a = reach_of(&into_a), reach_b = reach_of(&into_b);
    const double error = TMB_POINT_ROUNDING * point_size(pose, frame_a, frame_b) * frame_a[TMB_CL_FRAME_SCALE];
    const int is_mixed = frame_a[TMB_CL_FRAME_IS_BOXTREE] != frame_b[TMB_CL_FRAME_IS_BOXTREE];
    const int usable = is_plainly_good(pose) && reach_a < TMB_MOST_REACH && reach_b < TMB_MOST_REACH &&
                       error < TMB_MOST_REACH && !is_mixed;
    counters[TMB_CL_COUNTERS + check] = usable ? TMB_CL_OPEN : TMB_CL_HOST;
    if (settings.mode == TMB_CL_COUNT) {
        numbers[2 * check] = numbers[2 * check + 1] = 0;
    }
    if (!usable || bounds_apart(&into_a, frame_a, frame_b, error)) {
        return;
    }
    store_check(&into_a, &into_b, reach_a, reach_b, error, checks + TMB_CL_CHECK_FLOATS * (size_t)check);
    for (int k = 0; k < 12; k++) {
        moves[12 * (size_t)check + k] = pose[k];
    }
    const tmb_u32 place = atomic_inc(&counters[TMB_CL_IN]);
    global tmb_cl_item *item = (counters[TMB_CL_TURNS] & 1 ? queue_odd : queue_even) + place;
    item->check = check;
    item->a = item->b = 0;
    item->children = TMB_CL_ALL_CHILDREN | TMB_CL_ROOTS;
}

#endif
