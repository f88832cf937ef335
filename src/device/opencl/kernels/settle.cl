/* Pairs of triangles that floats have not decided. */

#if TUMBLE_DOUBLES

static void count_one(global tmb_u32 *count)
{
    if (atomic_inc(count) == 0xffffffffu) {
        atomic_inc(count + 1);
    }
}

/* One work-item for each pair. Those that doubles do not decide either, or that find no room in the list of hits, are
 * listed for this machine. */
kernel void tumble_settle(tmb_cl_settings s, global const uchar *memory, global const tmb_cl_model *models,
                          global const tmb_u32 *pairs, global const double *moves, global tmb_u32 *counters,
                          global tmb_u32 *numbers, global tmb_cl_hit *hits, global const tmb_cl_hit *undecided,
                          global tmb_cl_hit *left)
{
    global tmb_u32 *states = counters + TMB_CL_COUNTERS;
    const tmb_u32 end = min(counters[TMB_CL_UNDECIDED], counters[TMB_CL_UNDECIDED_LIMIT]);
    for (tmb_u32 i = (tmb_u32)get_global_id(0); i < end; i += (tmb_u32)get_global_size(0)) {
        const tmb_cl_hit pair = undecided[i];
        const tmb_u32 check = pair.check;
        if (check == TMB_CL_NOTHING || (s.mode <= TMB_CL_FIRST && look_at(&states[check]) != TMB_CL_OPEN)) {
            continue;
        }
        double rows[12];
        point a[3], b[3];
        for (int k = 0; k < 12; k++) {
            rows[k] = moves[12 * (size_t)check + k];
        }
        const mesh mesh_a = MESH_OF(memory, models[s.one_pair ? s.model_a : pairs[2 * check]]);
        const mesh mesh_b = MESH_OF(memory, models[s.one_pair ? s.model_b : pairs[2 * check + 1]]);
        const cluster cluster_a = cluster_of(&mesh_a, pair.a >> 3), cluster_b = cluster_of(&mesh_b, pair.b >> 3);
        for (int k = 0; k < 3; k++) {
            a[k] = corner_of(&cluster_a, mesh_a.is_float, corner_number(&cluster_a, pair.a & 7, k));
            b[k] = corner_of(&cluster_b, mesh_b.is_float, corner_number(&cluster_b, pair.b & 7, k));
            b[k] = MOVED(rows, b[k]);
        }
        int verdict = triangles_intersect_doubles(a, b);
        if (verdict == HIT && s.mode == TMB_CL_LIST) {
            const tmb_u32 place = atomic_inc(&counters[TMB_CL_HITS]);
            if (place < s.hit_capacity && look_at(&counters[TMB_CL_HITS_LIMIT]) >= s.hit_capacity) {
                hits[place] = pair;
            } else {
                atomic_min(&counters[TMB_CL_HITS_LIMIT], place);
                verdict = UNKNOWN;
            }
        }
        if (verdict == HIT && s.mode == TMB_CL_COUNT) {
            count_one(&numbers[2 * check]);
        }
        if (verdict == HIT && s.mode != TMB_CL_FIRST) {
            set(&states[check], TMB_CL_FOUND);
        }
        if (verdict == HIT && s.mode == TMB_CL_FIRST &&
            atomic_cmpxchg(&states[check], TMB_CL_OPEN, TMB_CL_FOUND) == TMB_CL_OPEN) {
            numbers[2 * check] = pair.a;
            numbers[2 * check + 1] = pair.b;
        }
        if (verdict == UNKNOWN) {
            left[atomic_inc(&counters[TMB_CL_LEFT])] = pair;
        }
    }
}

#endif
