/* Two wide hierarchies against each other, for many checks at once: what src/collide/wide/kernel.c does with eight
 * lanes, by work-groups of 32. docs/wide.md has the bounds, docs/device.md what is different here. A second kernel has
 * pairs of boxtrees (boxtree.cl) as well; whether a work-group's check is of one, its models tell.
 *
 * A work-group takes a check from the queue and goes down its two trees with a stack of its own. Two pairs of nodes are
 * examined together: each lane decodes one of their 32 children, then the lanes share the 128 pairs of children. Pairs
 * of clusters wait on the same stack; of these the triangles' boxes are compared, and the pairs of triangles that are
 * left are gathered until there is one for each lane.
 *
 * No work-group ever waits for another. When too many are idle, the others put their stacks into the queue of the next
 * launch; when a list of results is full, or its time is over, it keeps what it has and ends.
 *
 * The kernel is one loop. In each turn lane 0 plans what all do next; then come phases with a barrier after each. No
 * barrier is in a branch, and for one warp they cost little. PoCL asks for more. The loop has at least one turn: to
 * PoCL a barrier in a loop that may have none is in a branch. And where a phase begins with a choice, one way leads
 * straight to the barrier: PoCL 5.0 gives every way with branches of its own a new end, and when none is left for the
 * choice itself it makes a block that nothing leads to. END, a turn that does nothing, serves for both. */

/* ---- Checks ---- */

static void load_check(const tables *t, local workspace *w)
{
    const tmb_u32 lane = t->lane, check = w->number;
    for (tmb_u32 i = lane; i < TMB_CL_CHECK_FLOATS; i += TMB_CL_LANES) {
        w->check[i] = t->checks[TMB_CL_CHECK_FLOATS * (size_t)check + i];
    }
    if (lane < 2) {
        const tmb_u32 one = lane ? t->s.model_b : t->s.model_a;
        w->models[lane] = t->models[t->s.one_pair ? one : t->pairs[2 * check + lane]];
    }
    if (lane < 3) {
#if TUMBLE_DOUBLES
        const tmb_u32 model = t->s.one_pair ? t->s.model_a : t->pairs[2 * check];
        w->origin[lane] = t->frames[TMB_CL_FRAME_DOUBLES * (size_t)model + lane]; /* the centre */
#else
        w->origin[lane] = 0;
#endif
    }
    if (lane < 12) {
#if TUMBLE_DOUBLES
        w->rows[lane] = t->moves[12 * (size_t)check + lane];
#else
        const tmb_u32 k = lane >> 2, j = lane & 3;
        w->rows[lane] = t->checks[TMB_CL_CHECK_FLOATS * (size_t)check + TMB_CL_INTO_A +
                                  (j < 3 ? 3 * k + j : TMB_CL_MAP_SHIFT + k)];
#endif
    }
}

/* By lane 0: the next item of the queue that is still asked for; when there is none, something beyond its end. */
static tmb_u32 next_item(const tables *t)
{
    const tmb_u32 end = look_at(&t->counters[TMB_CL_IN]);
    tmb_u32 next = atomic_inc(&t->counters[TMB_CL_TAKEN]);
    while (t->one && next < end && look_at(&t->states[t->queue_in[next].check]) != TMB_CL_OPEN) {
        next = atomic_inc(&t->counters[TMB_CL_TAKEN]);
    }
    return next;
}

/* By lane 0: what was found so far is given. */
static void tell(const tables *t, local workspace *w)
{
    const tmb_u32 check = w->number;
    if (!w->total) {
        return;
    }
    if (t->s.mode == TMB_CL_COUNT) {
        const tmb_u32 old = atomic_add(&t->numbers[2 * check], w->total);
        if (old + w->total < old) {
            atomic_inc(&t->numbers[2 * check + 1]);
        }
    }
    if (t->s.mode != TMB_CL_FIRST) {
        set(&t->states[check], TMB_CL_FOUND);
    }
    w->total = 0;
}

/* ---- Plans, all by lane 0 ---- */

/* Another check, or the end. What is left of the last one is not asked for any more. */
static tmb_u32 plan_check(const tables *t, local workspace *w)
{
    tell(t, w);
    w->waiting = w->spilled = w->candidate_count = w->found = 0;
    const tmb_u32 next = next_item(t);
    if (next >= look_at(&t->counters[TMB_CL_IN])) {
        return END;
    }
    const tmb_cl_item item = t->queue_in[next];
    w->number = item.check;
    w->taken = next; /* load_boxes asks for it */
    put(w, 0, item.a, item.b, item.children);
    w->waiting = 1;
    return TAKE_CHECK;
}

/* Whether the others have too little to do; room for all that waits is then reserved. */
static int plan_sharing(const tables *t, local workspace *w)
{
    if (t->one && look_at(&t->states[w->number]) != TMB_CL_OPEN) {
        w->found = 1;
    }
    return look_at(&t->counters[TMB_CL_IDLE]) >= t->s.hungry &&
           reserve(&t->counters[TMB_CL_OUT], &t->counters[TMB_CL_OUT_LIMIT], w->waiting + w->spilled,
                   t->s.queue_capacity, &w->queue_base);
}

/* Takes what is on top of the stack: two pairs of one kind, if there are. */
static tmb_u32 plan_look(const tables *t, local workspace *w)
{
    const tmb_u32 waiting = w->waiting, kind = w->stack_children[waiting - 1] & TMB_CL_CLUSTERS;
    const int two = waiting > 1 && w->spilled < t->s.spill_threshold &&
                    (w->stack_children[waiting - 2] & TMB_CL_CLUSTERS) == kind;
    w->taken = two ? 2 : 1;
    w->waiting = waiting - w->taken;
    w->meeting = w->passing = w->deepest = w->has_lines = 0;
    w->deepest_place = TMB_CL_NOTHING;
    return kind ? LOOK_AT_CLUSTERS : LOOK_AT_NODES;
}

static tmb_u32 plan(const tables *t, local workspace *w)
{
    const int is_over = t->one && w->found, is_through = !w->waiting && !w->spilled;
    if (w->is_full) {
        return SAVE;
    }
    if (!is_over && (w->candidate_count >= t->s.least_trials || (w->candidate_count && is_through))) {
        w->taken = min(w->candidate_count, (tmb_u32)TMB_CL_LANES);
        w->hit_count = w->undecided_count = 0;
        return LOOK_AT_TRIANGLES;
    }
    if (is_over || is_through) {
        return plan_check(t, w);
    }
    if (!w->waiting) {
        w->taken = min(w->spilled, (tmb_u32)TMB_CL_REFILL);
        return TAKE_BACK;
    }
    w->steps++;
    if (w->steps >= t->s.most_steps) {
        return SAVE;
    }
    if (w->steps >= t->s.share_after && (w->steps & t->s.share_mask) == 0 && plan_sharing(t, w)) {
        return SHARE;
    }
    return plan_look(t, w);
}

/* The end has a flag of its own, and every phase reads the action anew: PoCL 3.1 cannot compile the loop when the
 * compiler can see that its parts ask for one number. */
static void set_action(local workspace *w, tmb_u32 action)
{
    w->action = action;
    w->is_ended = action == END;
}

/* ---- Phases ---- */

static int are_boxtrees(const tables *t, local const workspace *w)
{
    return t->boxes && w->models[0].kind != TMB_CL_WIDE;
}

/* What was found is counted, or comes back when lists are full. */
static void book_results(const tables *t, local workspace *w)
{
    if (w->hit_count || w->undecided_count) {
        reserve_results(t, w);
        w->found |= !w->is_full && w->hit_count;
        w->total += w->is_full ? 0 : w->hit_count;
    }
    w->candidate_count -= w->is_full ? 0 : w->taken;
}

static void hand_over(const tables *t, local const workspace *w)
{
    for (tmb_u32 i = t->lane; i < w->spilled; i += TMB_CL_LANES) {
        t->queue_out[w->queue_base + i] = t->spill[i];
    }
    if (are_boxtrees(t, w)) {
        hand_over_boxes(t, w);
    }
}

static void save_candidates(const tables *t, local const workspace *w)
{
    for (tmb_u32 i = t->lane; i < w->candidate_count; i += TMB_CL_LANES) {
        t->saved[TMB_CL_SAVED_HEAD + i] = w->candidates_a[i];
        t->saved[TMB_CL_SAVED_HEAD + TMB_CL_CANDIDATES + i] = w->candidates_b[i];
    }
}

/* By lane 0. */
static void end_saved(const tables *t, local workspace *w)
{
    tell(t, w);
    t->saved[0] = w->number;
    t->saved[1] = w->spilled;
    t->saved[2] = w->candidate_count;
    atomic_inc(&t->counters[TMB_CL_SAVED]);
}

/* What the last launch has left; 1 when there is something. */
static int restore(const tables *t, local workspace *w)
{
    const tmb_u32 spilled = t->saved[1], candidates = t->saved[2];
    for (tmb_u32 i = t->lane; i < candidates; i += TMB_CL_LANES) {
        w->candidates_a[i] = t->saved[TMB_CL_SAVED_HEAD + i];
        w->candidates_b[i] = t->saved[TMB_CL_SAVED_HEAD + TMB_CL_CANDIDATES + i];
    }
    if (t->lane == 0) {
        w->number = t->saved[0];
        w->waiting = w->found = w->total = w->is_full = w->steps = 0;
        w->spilled = spilled;
        w->candidate_count = candidates;
    }
    return spilled || candidates;
}

static void take_check(const tables *t, local workspace *w)
{
    load_check(t, w);
    if (t->boxes) {
        load_boxes(t, w);
    }
}

static void decode_pairs(const tables *t, local workspace *w)
{
    if (are_boxtrees(t, w)) {
        decode_boxtrees(t, w);
    } else {
        decode_nodes(t, w);
    }
}

static void list_meeting(const tables *t, local workspace *w)
{
    if (are_boxtrees(t, w)) {
        list_meeting_grids(t, w);
    } else {
        list_meeting_boxes(t, w);
    }
}

/* Of boxtrees all that meet pass: they have no slabs. */
static void list_passing(const tables *t, local workspace *w)
{
    const int have_slabs = !are_boxtrees(t, w);
    if (have_slabs) {
        list_meeting_slabs(t, w);
    }
    if (t->lane == 0) {
        w->is_too_much = w->waiting + (have_slabs ? w->meeting : w->passing) > TMB_CL_STACK;
    }
}

static void push(const tables *t, local workspace *w)
{
    if (are_boxtrees(t, w)) {
        push_boxtrees(t, w);
    } else {
        push_pairs(t, w);
    }
}

/* Child `line` of a node; of a boxtree's, the one in this lane. */
static tmb_u32 line_child(local const workspace *w, int boxtrees, tmb_u32 slot, int model, tmb_u32 line)
{
    return boxtrees ? reference_of(w, slot * 16 + 8 * model + line) : w->first_child[slot][model] + line;
}

/* Pairs of which one node stays: the other's children, each with the line of those that it meets. */
static void push_lines(const tables *t, local workspace *w)
{
    const tmb_u32 slot = min(t->lane >> 3, (tmb_u32)TMB_CL_PAIRS - 1), line = t->lane & 7;
    const tmb_u32 others = t->lane < 8 * w->taken ? w->lines[slot][line] : 0;
    const int boxtrees = are_boxtrees(t, w);
    tmb_u32 total = w->waiting;
    const tmb_u32 place = append(&w->waiting, &total, others != 0, t->lane);
    if (others) {
        const tmb_u32 steps = boxtrees ? boxtree_steps(w, slot) : steps_of(w, slot), deepest = w->deepest & 127;
        const int into_a = steps == 1;
        put(w, place, into_a ? line_child(w, boxtrees, slot, 0, line) : w->pair_a[slot],
            into_a ? w->pair_b[slot] : line_child(w, boxtrees, slot, 1, line),
            into_a ? 255 | others << 8 : others | 255 << 8);
        if (boxtrees) {
            store_boxes(t, w, place, slot * 16 + line, slot * 16 + 8 + line, steps);
        }
        if (t->one && slot == deepest >> 6 && line == (into_a ? deepest & 7 : deepest >> 3 & 7)) {
            w->deepest_place = place;
        }
    }
    publish(&w->waiting, total, t->lane);
}

/* By lane 0: what comes first is on top, unless it was a pair of leaves. */
static void raise(const tables *t, local workspace *w)
{
    if (w->deepest_place != TMB_CL_NOTHING) {
        if (are_boxtrees(t, w)) {
            raise_boxes(t, w);
        }
        raise_deepest(w);
    }
}

static void first_phase(const tables *t, local workspace *w, tmb_u32 action, trial *r)
{
    switch (action) {
    case LOOK_AT_NODES: decode_pairs(t, w); break;
    case LOOK_AT_CLUSTERS: box_triangles(t, w); break;
    case LOOK_AT_TRIANGLES: *r = try_candidate(t, w); break;
    case TAKE_BACK: copy_back(t, w); break;
    case TAKE_CHECK: take_check(t, w); break;
    case END: break;
    default: copy_aside(t, w, w->waiting); save_candidates(t, w); break;
    }
}

/* By lane 0. */
static void book(const tables *t, local workspace *w, tmb_u32 action)
{
    switch (action) {
    case LOOK_AT_TRIANGLES: book_results(t, w); break;
    case TAKE_BACK: w->spilled -= w->taken, w->waiting = w->taken; break;
    case TAKE_CHECK: break;
    default: w->spilled += w->waiting, w->waiting = 0; break;
    }
}

static void second_phase(const tables *t, local workspace *w, tmb_u32 action)
{
    switch (action) {
    case LOOK_AT_NODES: list_meeting(t, w); break;
    case LOOK_AT_CLUSTERS: list_candidates(t, w); break;
    case END: break;
    default:
        if (t->lane == 0) {
            book(t, w, action);
        }
        break;
    }
}

static void third_phase(const tables *t, local workspace *w, tmb_u32 action, const trial *r)
{
    if (action == LOOK_AT_NODES) {
        list_passing(t, w);
    } else if (action == LOOK_AT_TRIANGLES && !w->is_full) {
        store_result(t, w, r->verdict, r->place, r->a, r->b);
    } else if (action == SHARE) {
        hand_over(t, w);
    } else if (action == SAVE && t->lane == 0) {
        end_saved(t, w);
    }
}

/* The stack makes room. */
static void fourth_phase(const tables *t, local workspace *w, tmb_u32 action)
{
    if (action == LOOK_AT_NODES && w->is_too_much) {
        copy_aside(t, w, w->waiting);
    }
}

static void fifth_phase(const tables *t, local workspace *w, tmb_u32 action)
{
    if (t->lane == 0 && action == LOOK_AT_NODES && w->is_too_much) {
        w->spilled += w->waiting;
        w->waiting = 0;
    } else if (t->lane == 0 && action == SHARE) {
        w->spilled = 0;
    }
}

/* By the last work-group of a launch: the queues are exchanged, unless something is left in the one that was read. */
static void turn(const tables *t)
{
    global tmb_u32 *c = t->counters;
    const tmb_u32 handed_over = min(look_at(&c[TMB_CL_OUT]), look_at(&c[TMB_CL_OUT_LIMIT]));
    const int is_read = look_at(&c[TMB_CL_TAKEN]) >= look_at(&c[TMB_CL_IN]);
    if (is_read) {
        set(&c[TMB_CL_IN], handed_over);
        set(&c[TMB_CL_TAKEN], 0);
        atomic_inc(&c[TMB_CL_TURNS]);
    }
    set(&c[TMB_CL_OUT], is_read ? 0 : handed_over);
    set(&c[TMB_CL_OUT_LIMIT], t->s.queue_capacity);
    set(&c[TMB_CL_KEPT], look_at(&c[TMB_CL_SAVED]));
    set(&c[TMB_CL_IDLE], 0);
    set(&c[TMB_CL_SAVED], 0);
    set(&c[TMB_CL_ENDED], 0);
}

#define WALK_ARGUMENTS                                                                                                \
    tmb_cl_settings s, global const uchar *memory, global const tmb_cl_model *models, global const coordinate *frames, \
        global const tmb_u32 *pairs, global const coordinate *moves, global const float *checks,                      \
        global tmb_u32 *counters, global tmb_u32 *numbers, global tmb_cl_hit *hits, global tmb_cl_hit *undecided,     \
        global tmb_cl_item *queue_even, global tmb_cl_item *queue_odd, global tmb_cl_item *spill, global tmb_u32 *saved

static tables tables_of(WALK_ARGUMENTS, global int *boxes_even, global int *boxes_odd, global int *boxes)
{
    const tmb_u32 group = (tmb_u32)get_group_id(0);
    tables t;
    t.s = s;
    t.memory = memory, t.models = models, t.frames = frames, t.pairs = pairs, t.moves = moves, t.checks = checks;
    t.counters = counters, t.states = counters + TMB_CL_COUNTERS, t.numbers = numbers;
    t.hits = hits, t.undecided = undecided;
    const int is_odd = look_at(&counters[TMB_CL_TURNS]) & 1;
    t.queue_in = is_odd ? queue_odd : queue_even, t.queue_out = is_odd ? queue_even : queue_odd;
    t.boxes_in = is_odd ? boxes_odd : boxes_even, t.boxes_out = is_odd ? boxes_even : boxes_odd;
    t.spill = spill + (size_t)group * s.spill_capacity;
    t.boxes = boxes ? boxes + TMB_CL_BOX_WORDS * (size_t)group * s.spill_capacity : 0;
    t.saved = saved + (size_t)group * TMB_CL_SAVED_WORDS;
    t.lane = (tmb_u32)get_local_id(0);
    t.one = s.mode <= TMB_CL_FIRST;
    return t;
}

static void walk(const tables *t, local workspace *w)
{
    trial r = {0, 0, 0, MISS};
    const int has_work = restore(t, w);
    WAIT_ALL();
    if (has_work) {
        load_check(t, w);
    }
    WAIT();
    if (t->lane == 0) {
        t->saved[1] = t->saved[2] = 0;
    }
    if (t->lane == 0) {
        set_action(w, plan(t, w));
    }
    WAIT();
    do {
        first_phase(t, w, w->action, &r);
        WAIT_ALL();
        second_phase(t, w, w->action);
        WAIT();
        third_phase(t, w, w->action, &r);
        WAIT();
        fourth_phase(t, w, w->action);
        WAIT_ALL();
        fifth_phase(t, w, w->action);
        WAIT();
        if (w->action == LOOK_AT_NODES) {
            push(t, w);
        }
        WAIT();
        if (w->action == LOOK_AT_NODES && w->has_lines) {
            push_lines(t, w);
        }
        WAIT_ALL();
        if (t->lane == 0) {
            if (w->action == LOOK_AT_NODES && t->one && w->passing) {
                raise(t, w);
            }
            set_action(w, w->action == SAVE || w->action == END ? END : plan(t, w));
        }
        WAIT_ALL();
    } while (!w->is_ended);
    if (t->lane == 0) {
        atomic_inc(&t->counters[TMB_CL_IDLE]);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_inc(&t->counters[TMB_CL_ENDED]) + 1 == (tmb_u32)get_num_groups(0)) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            turn(t);
        }
    }
}

kernel __attribute__((reqd_work_group_size(TMB_CL_LANES, 1, 1))) void
tumble_walk(WALK_ARGUMENTS, local workspace *w)
{
    const tables t = tables_of(s, memory, models, frames, pairs, moves, checks, counters, numbers, hits, undecided,
                               queue_even, queue_odd, spill, saved, 0, 0, 0);
    walk(&t, w);
}

/* The same for checks of which some are of boxtrees. */
kernel __attribute__((reqd_work_group_size(TMB_CL_LANES, 1, 1))) void
tumble_walk_boxtrees(WALK_ARGUMENTS, global int *boxes_even, global int *boxes_odd, global int *boxes,
                     local workspace *w)
{
    const tables t = tables_of(s, memory, models, frames, pairs, moves, checks, counters, numbers, hits, undecided,
                               queue_even, queue_odd, spill, saved, boxes_even, boxes_odd, boxes);
    walk(&t, w);
}

/* By one work-item, when lists were fetched: they are empty, except for the hits that stay. */
kernel void tumble_empty_lists(tmb_cl_settings s, global tmb_u32 *counters, tmb_u32 hits)
{
    counters[TMB_CL_UNDECIDED] = counters[TMB_CL_LEFT] = 0;
    counters[TMB_CL_UNDECIDED_LIMIT] = s.undecided_capacity;
    counters[TMB_CL_HITS] = hits;
    counters[TMB_CL_HITS_LIMIT] = s.hit_capacity;
}
