/* The entrance of questions about one model and itself, and the test of two triangles. */
#include "self/self.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/tasks.h"
#include "math/thick_sum.h"
#include "prim/triangle_distance.h"
#include "query/cylinders.h"
#include "self/polygons.h"
#include "self/rings.h"

#define LEAST_TRIANGLES 2000 /* per thread: a millisecond */

tumble_self_options tumble_default_self_options(void)
{
    return (tumble_self_options){.mode = TUMBLE_ALL, .rings = 1};
}

const char *tumble_self_kind_name(tumble_self_kind kind)
{
    static const char *const names[] = {"none",     "duplicate",  "crossing", "overlapping",
                                        "touching", "degenerate", "near"};
    const unsigned number = (unsigned)kind;
    return number < sizeof names / sizeof *names ? names[number] : "unknown";
}

/* ---- Two triangles ---- */

static int note(tmb_self *self, tmb_self_part *part, uint32_t ta, uint32_t tb, tumble_self_kind kind)
{
    if (part->found++ == 0) {
        part->first = (tumble_self_pair){.polygon_a = tmb_model_polygon(self->model, ta),
                                         .polygon_b = tmb_model_polygon(self->model, tb)};
    }
    if (!self->want_hits) {
        return self->one;
    }
    const tmb_self_hit hit = {ta, tb, kind};
    if (!tmb_buffer_append(self->query->context, &part->hits, &part->hit_count, &hit, 1, sizeof hit)) {
        part->failed = 1;
        return 1;
    }
    return self->one;
}

static tumble_self_kind kind_or_none(const tmb_self *self, const double a[3][3], const double b[3][3])
{
    return self->want_kinds ? tmb_kind_of_meeting(a, b) : (tumble_self_kind)0;
}

/* Two triangles of different polygons. */
typedef struct candidate {
    uint32_t ta, tb, pa, pb; /* their addresses and polygons, the smaller polygon first */
    double a[3][3], b[3][3];
} candidate;

/* 0: they are of one polygon. */
static int read_candidate(const tmb_self *self, uint32_t ta, uint32_t tb, candidate *c)
{
    const uint32_t pa = tmb_model_polygon(self->model, ta), pb = tmb_model_polygon(self->model, tb);
    const int exchange = pa > pb;
    c->ta = exchange ? tb : ta, c->tb = exchange ? ta : tb;
    c->pa = exchange ? pb : pa, c->pb = exchange ? pa : pb;
    if (pa == pb) {
        return 0;
    }
    tmb_model_corners(self->model, c->ta, c->a);
    tmb_model_corners(self->model, c->tb, c->b);
    return 1;
}

static int is_large(const tmb_self *self, uint32_t polygon)
{
    size_t count;
    (void)tmb_self_triangles_of(self, polygon, &count);
    return count > 1;
}

/* -1: memory ran out. */
static int is_hit(const tmb_self *self, const candidate *c, int are_strangers, unsigned long long *exact)
{
    const double(*a)[3] = (const double(*)[3])c->a, (*b)[3] = (const double(*)[3])c->b;
    const tmb_shared none = {0, {0, 0, 0}, {0, 0, 0}};
    if (self->soup) {
        return tmb_triangles_meet_outside(a, b, &none, exact);
    }
    if (self->has_large && (is_large(self, c->pa) || is_large(self, c->pb))) {
        return tmb_self_polygons_meet(self, c->ta, c->tb, exact);
    }
    const tmb_shared shared = are_strangers ? none : tmb_shared_corners(a, b);
    return tmb_triangles_meet_outside(a, b, &shared, exact);
}

/* The clearance and two polygons' radii, rounded once. */
static tmb_limit limit_of(const tmb_self *self, double radius_a, double radius_b)
{
    const double radii[2][2] = {{1, radius_a}, {1, radius_b}}, clearance = self->options->clearance;
    return tmb_limit_of(clearance < INFINITY ? tmb_thick_sum(clearance, radii, 2) : clearance, 1);
}

/* -1: memory ran out. */
static int are_cylinders_near(const tmb_self *self, tmb_self_part *part, const candidate *c)
{
    tmb_encounter own = self->cylinders;
    const tmb_cylinder_pair pair = {&own, {(const double(*)[3])c->a, (const double(*)[3])c->b}, {c->pa, c->pb}};
    const int near = tmb_cylinders_within(&pair, self->options->clearance);
    part->exact_tests += own.exact_tests;
    return own.status == TUMBLE_OK ? near : -1;
}

/* -1: memory ran out. */
static int is_near(const tmb_self *self, tmb_self_part *part, const candidate *c)
{
    tmb_limit limit = self->limit;
    if (tmb_model_is_flat(self->model)) {
        const int near = are_cylinders_near(self, part, c);
        const int are_joined = near > 0 ? tmb_self_are_neighbours(self, part, c->pa, c->pb) : 0;
        return near < 0 || are_joined < 0 ? -1 : near && !are_joined;
    }
    if (self->is_near && self->model->radii) {
        limit = limit_of(self, tmb_model_radius(self->model, c->pa), tmb_model_radius(self->model, c->pb));
    }
    if (!(limit.above > 0) ||
        !tmb_triangles_within_limit((const double(*)[3])c->a, (const double(*)[3])c->b, &limit, &part->exact_tests)) {
        return 0;
    }
    const int are_neighbours = tmb_self_are_neighbours(self, part, c->pa, c->pb);
    return are_neighbours < 0 ? -1 : !are_neighbours;
}

int tmb_self_add(tmb_self *self, tmb_self_part *part, uint32_t ta, uint32_t tb)
{
    candidate c;
    if (self->has_large && !self->soup) { /* their polygons may share what the triangles do not */
        return tmb_self_test(self, part, ta, tb, 1);
    }
    return read_candidate(self, ta, tb, &c) &&
           note(self, part, c.ta, c.tb, kind_or_none(self, (const double(*)[3])c.a, (const double(*)[3])c.b));
}

int tmb_self_test(tmb_self *self, tmb_self_part *part, uint32_t ta, uint32_t tb, int are_strangers)
{
    candidate c;
    if (!read_candidate(self, ta, tb, &c)) {
        return 0;
    }
    part->primitive_tests++;
    const int hit = is_hit(self, &c, are_strangers, &part->exact_tests), near = hit == 0 ? is_near(self, part, &c) : 0;
    if (hit < 0 || near < 0) {
        part->failed = 1;
        return 1;
    }
    if (hit) {
        return note(self, part, c.ta, c.tb, kind_or_none(self, (const double(*)[3])c.a, (const double(*)[3])c.b));
    }
    return near && note(self, part, c.ta, c.tb, self->want_kinds ? TUMBLE_SELF_NEAR : (tumble_self_kind)0);
}

/* ---- The entrance ---- */

static tumble_status check_arguments(tumble_query *query, const tumble_model *model, const tumble_self_options *options,
                                     const tumble_self_result *result)
{
    tumble_context *context = query->context;
    if (!model) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "self_collide: the model is null");
    }
    if (!result) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "self_collide: the result is null");
    }
    if ((unsigned)options->mode > TUMBLE_ALL) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                        "self_collide: there is no mode %u: use TEST, FIRST, COUNT or ALL", (unsigned)options->mode);
    }
    if (!(options->clearance >= 0)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "self_collide: the clearance is negative or not a number");
    }
    if ((options->pair_capacity && !options->pairs) || (options->contact_capacity && !options->contacts)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "self_collide: a capacity is given without an array");
    }
    return TUMBLE_OK;
}

static void release_scratch(tumble_context *context, void *data)
{
    tmb_self_scratch *scratch = data;
    tmb_buffer *buffers[] = {&scratch->starts[0],      &scratch->starts[1],
                             &scratch->pairs,          &scratch->contacts,
                             &scratch->seen,           &scratch->sort,
                             &scratch->sorted_pairs,   &scratch->sorted_contacts,
                             &scratch->polygon_starts, &scratch->polygon_triangles};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    for (size_t i = 0; i < TMB_SELF_WAVE; i++) {
        tmb_buffer_release(context, &scratch->parts[i].hits);
        tmb_buffer_release(context, &scratch->parts[i].stack);
        tmb_buffer_release(context, &scratch->parts[i].ring_seen);
        tmb_buffer_release(context, &scratch->parts[i].ring_list);
    }
}

static void begin_part(tmb_self_part *part)
{
    const tmb_self_part old = *part;
    *part =
        (tmb_self_part){.hits = old.hits, .stack = old.stack, .ring_seen = old.ring_seen, .ring_list = old.ring_list};
}

/* Some of the parts of a wave. */
static void visit_parts(void *shared, size_t begin, size_t end)
{
    tmb_self *self = shared;
    for (size_t i = begin; i < end; i++) {
        tmb_self_part *part = &self->scratch->parts[i];
        const size_t start = self->wave + i;
        self->walk->visit(self, part, start);
        size_t first = atomic_load_explicit(&self->first_part, memory_order_relaxed);
        while (self->one && part->found && start < first &&
               !atomic_compare_exchange_weak(&self->first_part, &first, start)) {
        }
    }
}

static void add_counters(const tmb_self_part *part, tumble_counters *counters)
{
    counters->box_tests += part->box_tests;
    counters->box_updates += part->box_updates;
    counters->primitive_tests += part->primitive_tests;
    counters->exact_tests += part->exact_tests;
    counters->bytes_touched += part->node_bytes;
}

/* Parts from `wave` on; when one hit is wanted, the work done after the part that has it does not count, as it depends
 * on the threads. */
static void run_wave(tmb_self *self, uint32_t thread_count, size_t count, tumble_counters *counters)
{
    for (size_t i = 0; i < count; i++) {
        begin_part(&self->scratch->parts[i]);
    }
    if (!tmb_parallel_for(self->query->context, thread_count, count, 1, visit_parts, self)) {
        self->status = tmb_fail_memory(self->query->context, "the threads of a query");
        return;
    }
    if (self->is_cancelled || tmb_watch_ends(self->query->watch)) {
        self->status = tmb_fail(self->query->context, TUMBLE_ERROR_CANCELLED, "the query was cancelled");
    }
    for (size_t i = 0; i < count && self->status == TUMBLE_OK; i++) {
        tmb_self_part *part = &self->scratch->parts[i];
        add_counters(part, counters);
        tmb_self_results_take(self, part);
        if (self->one && self->collide) {
            return;
        }
    }
}

/* Lists of polygons and rings, if they are needed. */
static tumble_status prepare(tmb_self *self)
{
    tmb_self_rings *rings = &self->room_for_rings;
    const int wants_rings = self->is_near && !self->soup && self->options->rings > 0;
    if ((self->has_large || wants_rings) && !tmb_self_list_polygons(self)) {
        self->status = tmb_fail_memory(self->query->context, "the lists of the triangles of polygons");
    } else if (wants_rings && self->options->rings > 1) {
        if (tmb_self_rings_begin(self, rings)) {
            self->rings = rings;
        } else {
            tmb_arena_release(&rings->arena);
            self->status = tmb_fail_memory(self->query->context, "the neighbours of polygons");
        }
    }
    return self->status;
}

static void run(tmb_self *self, tumble_counters *counters)
{
    if (prepare(self) != TUMBLE_OK) {
        return;
    }
    const uint32_t wanted =
        self->options->thread_count ? self->options->thread_count : self->query->context->thread_count;
    const uint32_t threads = tmb_threads_for(wanted, (size_t)self->model->block->triangle_count, LEAST_TRIANGLES);
    begin_part(&self->scratch->parts[0]);
    const size_t starts = self->walk->split(self, &self->scratch->parts[0]);
    add_counters(&self->scratch->parts[0], counters);
    const size_t wave = threads > 1 ? TMB_SELF_WAVE : 1;
    self->caller = pthread_self();
    self->has_one_thread = threads == 1;
    while (self->wave < starts && self->status == TUMBLE_OK && !(self->one && self->collide)) {
        const size_t left = starts - self->wave, count = left < wave ? left : wave;
        run_wave(self, threads, count, counters);
        self->wave += count;
    }
    if (self->rings) {
        tmb_arena_release(&self->room_for_rings.arena);
        self->rings = NULL;
    }
}

/* Traversals look a little farther. */
static void set_cylinders(tmb_self *self)
{
    const double none[2] = {0, 0}, most = self->limit.above;
    self->cylinders = (tmb_encounter){.query = self->query, .a = self->model, .b = self->model};
    self->cylinders.thick = tmb_thickness_of(self->model, NULL, self->model, NULL, none);
    if (most < INFINITY) {
        self->limit = tmb_limit_of(most + tmb_cylinders_slack(&self->cylinders, most), 1);
    }
}

static tumble_status begin(tmb_self *self, tumble_query *query, const tumble_model *model,
                           const tumble_self_options *options)
{
    *self = (tmb_self){.query = query, .model = model, .options = options, .soup = options->soup};
    self->scratch = tmb_query_scratch(query, TMB_SCRATCH_SELF, sizeof(tmb_self_scratch), release_scratch);
    if (!self->scratch) {
        return TUMBLE_ERROR_MEMORY;
    }
    self->has_large = tmb_model_has_large_polygons(model);
    self->limit = limit_of(self, model->radius, model->radius);
    if (tmb_model_is_flat(model)) {
        set_cylinders(self);
    }
    self->is_near = self->limit.above > 0;
    self->one = options->mode == TUMBLE_TEST || options->mode == TUMBLE_FIRST;
    self->walk = model->block->hierarchy == TUMBLE_HIERARCHY_WIDE && !self->is_near ? &tmb_self_wide : &tmb_self_boxes;
    atomic_init(&self->first_part, SIZE_MAX);
    if (isinf(self->limit.above) && isfinite(options->clearance)) {
        return tmb_fail(query->context, TUMBLE_ERROR_NOT_FINITE,
                        "self_collide: twice the radius %g and the clearance %g have an infinite sum", model->radius,
                        options->clearance);
    }
    return tmb_self_results_begin(self);
}

static void report(const tmb_self *self, const tumble_counters *counters, tumble_self_result *result)
{
    *result = (tumble_self_result){.collide = self->collide != 0,
                                   .first = self->first,
                                   .pair_count = self->pair_count,
                                   .contact_count = self->contact_count,
                                   .counters = *counters};
    if (self->status == TUMBLE_OK && self->keep_pairs && self->pairs_stored) {
        result->pairs = self->scratch->sorted_pairs.data;
    }
    if (self->status == TUMBLE_OK && self->keep_contacts && self->contacts_stored) {
        result->contacts = self->scratch->sorted_contacts.data;
    }
}

tumble_status tumble_self_collide(tumble_query *query, const tumble_model *model, const tumble_self_options *options,
                                  tumble_self_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const double start = tmb_seconds();
    const tumble_self_options defaults = tumble_default_self_options();
    options = options ? options : &defaults;
    const tumble_status status = check_arguments(query, model, options, result);
    if (status != TUMBLE_OK) {
        return tmb_query_end(query, status);
    }
    tmb_self self;
    tumble_counters counters = {.seconds = 0};
    self.status = begin(&self, query, model, options);
    if (self.status == TUMBLE_OK && model->block->triangle_count > 0) {
        run(&self, &counters);
    }
    if (self.status == TUMBLE_OK) {
        tmb_self_results_end(&self);
    }
    counters.seconds = tmb_seconds() - start;
    report(&self, &counters, result);
    return tmb_query_end(query, self.status);
}
