#include "device_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Scenes ---- */

static void make_two(models_mesh *a, models_mesh *b, const char *name, size_t triangles)
{
    assert_true(models_make_sized(a, name, triangles));
    assert_true(models_make_sized(b, name, triangles / 2));
    models_fit(a, 2, 0);
    models_fit(b, 2, 0);
}

/* Both, larger and somewhere else. */
static void transform_both(models_mesh *a, models_mesh *b, double scale, double shift)
{
    const double all[3] = {shift, -shift, shift / 2};
    test_transform(a, scale, all);
    test_transform(b, scale, all);
}

static void make_spheres(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    make_two(a, b, "sphere", 300);
}

static void make_tori(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    make_two(a, b, "torus", 300);
}

static void make_gears(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    make_two(a, b, "gear", 400);
}

static void make_bars(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    make_two(a, b, "lattice", 400);
}

static void make_soups(models_mesh *a, models_mesh *b, test_random *random)
{
    test_make_soup(a, random, 200, 0.5);
    test_make_soup(b, random, 100, 0.7);
}

/* Whole coordinates: corners on corners, on edges, in planes; segments and points among them. */
static void make_lattices(models_mesh *a, models_mesh *b, test_random *random)
{
    test_make_lattice(a, random, 150, 4, 2, 0.25);
    test_make_lattice(b, random, 100, 4, 2, 0.25);
}

static void make_degenerates(models_mesh *a, models_mesh *b, test_random *random)
{
    test_make_lattice(a, random, 120, 2, 2, 1);
    test_make_lattice(b, random, 120, 2, 2, 0.9);
}

static void make_boxes(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    test_make_grid_box(a, 4);
    test_make_grid_box(b, 4);
}

static void make_bundles(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    make_two(a, b, "needles", 300);
}

/* Polygons of many corners: one pair of polygons is many pairs of triangles. */
static void make_cylinders(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    make_two(a, b, "cylinder", 300);
}

static void make_shards(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    make_two(a, b, "shards", 400);
}

/* Sheets that lie a few ulps above each other, or in one plane. */
static void make_layers(models_mesh *a, models_mesh *b, test_random *random)
{
    const double u[3] = {1, 0, 0}, v[3] = {0, 1, 0}, slanted[3] = {0, 1, 0x1p-52};
    for (int layer = 0; layer < 4; layer++) {
        const double centre[3] = {0, 0, 1 + layer * 0x1p-52};
        const double other[3] = {0.125 * layer, 0, 1 + test_random_whole(random, 0, 3) * 0x1p-52};
        test_make_patch(a, 6, u, v, centre, 1);
        test_make_patch(b, 4, u, layer % 2 ? v : slanted, other, 1);
    }
}

/* The smaller one is a grain at the larger one's corner, edge, or face. */
static void make_grain(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    const double shift[3] = {4, 4, 4};
    test_make_grid_box(a, 4);
    test_make_grid_box(b, 4);
    test_transform(b, 0x1p-40, shift);
}

static void make_far(models_mesh *a, models_mesh *b, test_random *random)
{
    make_spheres(a, b, random);
    transform_both(a, b, 1, 0x1p30 + 0.3);
}

static void make_farther(models_mesh *a, models_mesh *b, test_random *random)
{
    make_lattices(a, b, random);
    transform_both(a, b, 1, 0x1p50);
}

static void make_tiny(models_mesh *a, models_mesh *b, test_random *random)
{
    make_lattices(a, b, random);
    transform_both(a, b, 0x1p-140, 0);
}

static void make_huge(models_mesh *a, models_mesh *b, test_random *random)
{
    make_spheres(a, b, random);
    transform_both(a, b, 0x1p100, 0);
}

static void make_beyond_float(models_mesh *a, models_mesh *b, test_random *random)
{
    make_lattices(a, b, random);
    transform_both(a, b, 0x1p200, 0);
}

/* One has coordinates that float holds, the other has not. */
static void make_float_and_double(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    assert_true(models_make_sized(a, "torus", 400));
    assert_true(models_make_sized(b, "sphere", 400));
    models_fit(a, 2, 1);
    models_fit(b, 2, 0);
}

/* The same triangles: every one meets itself and its neighbours. */
static void make_twins(models_mesh *a, models_mesh *b, test_random *random)
{
    (void)random;
    assert_true(models_make_sized(a, "sphere", 250));
    assert_true(models_make_sized(b, "sphere", 250));
    models_fit(a, 2, 1);
    models_fit(b, 2, 1);
}

const device_scene device_scenes[DEVICE_SCENES] = {
    {"spheres", make_spheres, 2},
    {"tori", make_tori, 2},
    {"gears", make_gears, 2},
    {"bars", make_bars, 0.5},
    {"soups", make_soups, 1},
    {"lattices", make_lattices, 1},
    {"degenerates", make_degenerates, 1},
    {"boxes", make_boxes, 4},
    {"needles", make_bundles, 1},
    {"cylinders", make_cylinders, 1},
    {"shards", make_shards, 1},
    {"layers", make_layers, 0x1p-52},
    {"grain", make_grain, 0x1p-38},
    {"far", make_far, 2},
    {"farther", make_farther, 1},
    {"tiny", make_tiny, 0x1p-140},
    {"huge", make_huge, 0x1p101},
    {"beyond float", make_beyond_float, 0x1p200},
    {"float and double", make_float_and_double, 2},
    {"twins", make_twins, 2},
};

static void scale_pose(tumble_pose *pose, double scale)
{
    for (int i = 0; i < 9; i++) {
        pose->m[i / 3][i % 3] *= scale;
    }
}

/* Turned about the middle, which then lies where it was, or a share of its size away. */
static tumble_pose turned(test_random *random, const tumble_model_info *info, tumble_pose pose, double share)
{
    double centre[3], moved[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * info->lower[k] + 0.5 * info->upper[k];
    }
    tumble_pose_apply(&pose, centre, moved);
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * info->upper[k] - 0.5 * info->lower[k];
        pose.m[k][3] = centre[k] - moved[k] + half * test_random_range(random, -share, share);
    }
    return pose;
}

tumble_pose device_pose(test_random *random, const tumble_model_info *info, double unit, size_t number)
{
    tumble_pose pose = tumble_pose_identity();
    switch (number % 12) {
    case 0: return pose;
    case 1: return test_translation(unit, 0, 0);
    case 2: return test_translation(0, unit, -unit);
    case 3: return test_translation(unit, unit, unit);
    case 4:
        pose = turned(random, info, test_quarter_turn((size_t)test_random_whole(random, 0, 23)), 0);
        pose.m[number / 12 % 3][3] += unit * test_random_whole(random, -1, 1);
        return pose;
    case 5: return test_translation(test_step_ulps(unit, test_random_whole(random, -1, 1)), 0, 0);
    case 6: return test_translation(unit * 0x1p-52, -unit * 0x1p-51, unit * 0x1p-60);
    case 7: return test_translation(unit / 2, unit / 4, 0);
    case 8: scale_pose(&pose, 3); return turned(random, info, pose, 1);
    case 9: scale_pose(&pose, 0x1p-20); return turned(random, info, pose, 1);
    case 10:
        pose = test_rational_turn(random);
        scale_pose(&pose, 1.5);
        return turned(random, info, pose, 1.5);
    default: return turned(random, info, test_rational_turn(random), 0.5);
    }
}

/* ---- The bench ---- */

int device_has_opencl(void)
{
    const char *which = getenv("TUMBLE_TEST_OPENCL");
    return !which || strcmp(which, "none") != 0;
}

void device_start_watch(unsigned seconds)
{
    alarm(seconds); /* the signal's default is to end the program */
}

int device_is_ready(void)
{
    if (!device_has_opencl()) {
        print_message("no OpenCL: nothing is tested\n");
        return 0;
    }
    device_start_watch(280);
    return 1;
}

int device_run(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction begin,
               CMFixtureFunction end)
{
    return device_is_ready() ? _cmocka_run_group_tests(name, tests, count, begin, end) : DEVICE_SKIPPED;
}

static void open_seat(device_bench *bench, uint32_t number, tumble_device_options options, const char *name)
{
    assert_true(bench->seat_count < DEVICE_MOST);
    device_seat *seat = &bench->seats[bench->seat_count++];
    snprintf(seat->name, sizeof seat->name, "%s", name);
    const tumble_status status = tumble_device_open(bench->context, number, &options, &seat->device);
    if (status != TUMBLE_OK) {
        fail_msg("%s: %s: %s", name, tumble_status_name(status), test_message(bench->context));
    }
    tumble_device_info info;
    assert_int_equal(tumble_device_get_info(seat->device, &info), TUMBLE_OK);
    seat->kind = info.kind;
}

static void open_pools(device_bench *bench)
{
    static const uint32_t counts[DEVICE_POOLS] = {1, 2, 5};
    for (size_t i = 0; i < DEVICE_POOLS; i++) {
        tumble_device_options options = tumble_default_device_options();
        char name[32];
        options.thread_count = counts[i];
        snprintf(name, sizeof name, "pool of %u", counts[i]);
        open_seat(bench, 0, options, name);
    }
}

static void open_opencl(device_bench *bench)
{
    tumble_device_options options = tumble_default_device_options();
    open_seat(bench, 1, options, "OpenCL");
    options.without_doubles = 1;
    open_seat(bench, 1, options, "OpenCL without doubles");
}

static device_bench *begin_bench(void)
{
    device_bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    test_allocator_begin(&bench->memory);
    bench->context = test_context(&bench->memory, 1, TUMBLE_SIMD_AUTO);
    assert_int_equal(tumble_query_create(bench->context, &bench->query), TUMBLE_OK);
    return bench;
}

int device_bench_begin(void **state)
{
    device_bench *bench = begin_bench();
    *state = bench;
    open_pools(bench);
    if (device_has_opencl()) {
        open_opencl(bench);
    }
    return 0;
}

int device_bench_end(void **state)
{
    device_bench *bench = *state;
    for (size_t i = 0; i < bench->seat_count; i++) {
        tumble_device_close(bench->seats[i].device);
    }
    tumble_query_destroy(bench->query);
    tumble_context_destroy(bench->context);
    test_allocator_end(&bench->memory);
    free(bench);
    return 0;
}

/* ---- The truth ---- */

static const tumble_model *const *models_of(const device_question *question, size_t check)
{
    return (question->exact ? question->exact : question->models)[question->pair_count == 1 ? 0 : check];
}

static const tumble_pose *pose_of(const tumble_pose *poses, size_t count, size_t check)
{
    return count == 0 ? NULL : &poses[count == 1 ? 0 : check];
}

static tumble_status ask(tumble_query *query, const device_question *question, size_t check,
                         const tumble_collide_options *options, tumble_collide_result *result)
{
    const tumble_model *const *models = models_of(question, check);
    *result = (tumble_collide_result){0};
    return tumble_collide(query, models[0], pose_of(question->poses_a, question->pose_a_count, check), models[1],
                          pose_of(question->poses_b, question->pose_b_count, check), options, result);
}

static void find_one(tumble_query *query, const device_question *question, size_t check, device_truth *out)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    out->status = ask(query, question, check, &options, &result);
    if (out->status != TUMBLE_OK) {
        return;
    }
    options.pair_capacity = out->pairs.capacity = out->pairs.count = (size_t)result.pair_count;
    options.pairs = out->pairs.items = malloc((out->pairs.count + 1) * sizeof *out->pairs.items);
    assert_non_null(out->pairs.items);
    assert_int_equal(ask(query, question, check, &options, &result), TUMBLE_OK);
}

device_truth *device_find_truth(tumble_query *query, const device_question *question)
{
    device_truth *truth = calloc(question->check_count + 1, sizeof *truth);
    assert_non_null(truth);
    for (size_t i = 0; i < question->check_count; i++) {
        find_one(query, question, i, &truth[i]);
    }
    return truth;
}

void device_free_truth(device_truth *truth, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        test_free_pairs(&truth[i].pairs);
    }
    free(truth);
}

/* ---- Asking a device ---- */

/* One batch with its room, which ends in marks that nobody may touch. */
typedef struct asked {
    tumble_batch batch;
    tumble_ticket ticket;
    tumble_check_answer *answers;
    tumble_pair *found;
    tumble_contact *contacts;
    uint64_t *contact_counts;
} asked;

#define ENOUGH SIZE_MAX
#define MARK 0xa5
#define MARK_ITEMS 4

static const struct {
    tumble_mode mode;
    int counts_contacts;
    size_t room, contact_room;
} variants[] = {
    {TUMBLE_TEST, 0, 0, 0}, {TUMBLE_ALL, 0, ENOUGH, 0}, {TUMBLE_COUNT, 0, 0, 0},
    {TUMBLE_ALL, 0, 0, 0},  {TUMBLE_FIRST, 0, 0, 0},    {TUMBLE_ALL, 1, 2, 3},
};

enum {
    VARIANTS = sizeof variants / sizeof *variants
};

static void *marked(size_t count, size_t size)
{
    void *items = malloc((count + MARK_ITEMS) * size);
    assert_non_null(items);
    memset(items, MARK, (count + MARK_ITEMS) * size);
    return items;
}

static void assert_marks(const void *items, size_t count, size_t size, const char *name)
{
    const unsigned char *behind = (const unsigned char *)items + count * size;
    for (size_t i = 0; i < MARK_ITEMS * size; i++) {
        if (behind[i] != MARK) {
            fail_msg("%s: written behind the end", name);
        }
    }
}

static size_t largest_count(const device_question *question, const device_truth *truth)
{
    size_t most = 0;
    for (size_t i = 0; i < question->check_count; i++) {
        most = truth[i].pairs.count > most ? truth[i].pairs.count : most;
    }
    return most;
}

static void submit(const device_seat *seat, const device_question *question, const tumble_model_pair *pairs,
                   size_t variant, size_t enough, asked *out)
{
    const size_t checks = question->check_count;
    tumble_batch *batch = &out->batch;
    *batch = tumble_default_batch();
    batch->mode = variants[variant].mode;
    batch->check_count = checks;
    batch->pairs = pairs;
    batch->pair_count = question->pair_count;
    batch->poses_a = question->poses_a;
    batch->pose_a_count = question->pose_a_count;
    batch->poses_b = question->poses_b;
    batch->pose_b_count = question->pose_b_count;
    batch->tuning = question->tuning;
    batch->found_capacity = variants[variant].room == ENOUGH ? enough : variants[variant].room;
    batch->contact_capacity = variants[variant].contact_room;
    batch->answers = out->answers = marked(checks, sizeof *out->answers);
    batch->found = out->found = marked(checks * batch->found_capacity, sizeof *out->found);
    batch->contacts = out->contacts = marked(checks * batch->contact_capacity, sizeof *out->contacts);
    out->contact_counts = marked(checks, sizeof *out->contact_counts);
    batch->contact_counts = variants[variant].counts_contacts ? out->contact_counts : NULL;
    assert_int_equal(tumble_device_submit(seat->device, batch, DEVICE_LIMIT_SECONDS, &out->ticket), TUMBLE_OK);
    assert_int_not_equal(out->ticket, 0);
}

static void free_asked(asked *a)
{
    free(a->answers);
    free(a->found);
    free(a->contacts);
    free(a->contact_counts);
}

/* ---- Comparing ---- */

static void compare_list(const device_truth *truth, const tumble_check_answer *answer, const tumble_pair *found,
                         size_t room, const char *name)
{
    test_pairs listed = {(tumble_pair *)found, room < truth->pairs.count ? room : truth->pairs.count, 0};
    test_pairs expected = {truth->pairs.items, listed.count, 0};
    test_assert_same_pairs(&listed, &expected, "%s", name);
    if (answer->collide && !test_has_pair(&truth->pairs, answer->first)) {
        fail_msg("%s: the first pair (%u, %u) does not intersect", name, answer->first.polygon_a,
                 answer->first.polygon_b);
    }
}

static void compare_answer(const device_truth *truth, const asked *a, size_t check, const char *name)
{
    const tumble_check_answer *answer = &a->answers[check];
    const size_t count = truth->pairs.count;
    const int is_counted = a->batch.mode == TUMBLE_COUNT || a->batch.mode == TUMBLE_ALL;
    if (answer->status != truth->status) {
        fail_msg("%s: %s instead of %s", name, tumble_status_name((tumble_status)answer->status),
                 tumble_status_name(truth->status));
    }
    if (truth->status != TUMBLE_OK) {
        return;
    }
    if (answer->collide != (count > 0) || answer->pair_count != (is_counted ? count : count > 0)) {
        fail_msg("%s: collide %u, %llu pairs, instead of %zu", name, answer->collide,
                 (unsigned long long)answer->pair_count, count);
    }
    if (a->batch.mode == TUMBLE_FIRST) {
        compare_list(truth, answer, NULL, 0, name);
    } else if (a->batch.mode == TUMBLE_ALL) {
        compare_list(truth, answer, a->found + check * a->batch.found_capacity, a->batch.found_capacity, name);
    }
}

/* Contacts are refused where the points of one are no doubles any more. Returns the check's status. */
static tumble_status compare_contacts(tumble_query *query, const device_question *question, const asked *a,
                                      size_t check, const char *name)
{
    tumble_contact expected[8];
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.contacts = expected;
    options.contact_capacity = a->batch.contact_capacity;
    assert_true(a->batch.contact_capacity <= 8);
    const tumble_status status = ask(query, question, check, &options, &result);
    if (a->answers[check].status != (uint32_t)status) {
        fail_msg("%s: %s instead of %s", name, tumble_status_name((tumble_status)a->answers[check].status),
                 tumble_status_name(status));
    }
    if (status == TUMBLE_OK) {
        const size_t room = a->batch.contact_capacity;
        const size_t listed = result.contact_count < room ? (size_t)result.contact_count : room;
        if (a->contact_counts[check] != result.contact_count ||
            memcmp(a->contacts + check * room, expected, listed * sizeof *expected) != 0) {
            fail_msg("%s: other contacts: %llu instead of %llu", name, (unsigned long long)a->contact_counts[check],
                     (unsigned long long)result.contact_count);
        }
    }
    return status;
}

static void count_what_was_seen(device_seat *seat, const asked *a, const device_truth *truth, size_t checks)
{
    for (size_t i = 0; i < checks; i++) {
        seat->checks++;
        seat->hits += truth[i].pairs.count > 0;
        seat->pairs += truth[i].pairs.count;
        seat->refused += truth[i].status != TUMBLE_OK;
        seat->cut += a->batch.mode == TUMBLE_ALL && truth[i].pairs.count > a->batch.found_capacity;
    }
}

static void compare_batch(device_bench *bench, const device_seat *seat, const device_question *question,
                          const device_truth *truth, const asked *a, tumble_status status)
{
    tumble_status first = TUMBLE_OK;
    for (size_t i = 0; i < question->check_count; i++) {
        char name[256];
        tumble_status expected = truth[i].status;
        snprintf(name, sizeof name, "%s: %s, mode %d, room %zu, check %zu", seat->name, question->name,
                 (int)a->batch.mode, a->batch.found_capacity, i);
        if (a->batch.contact_capacity && expected == TUMBLE_OK) {
            expected = compare_contacts(bench->query, question, a, i, name);
        }
        if (expected == truth[i].status) {
            compare_answer(&truth[i], a, i, name);
        }
        first = first == TUMBLE_OK ? expected : first;
    }
    if (status != first) {
        fail_msg("%s: %s, mode %d: the batch ended with %s instead of %s", seat->name, question->name,
                 (int)a->batch.mode, tumble_status_name(status), tumble_status_name(first));
    }
    assert_marks(a->answers, question->check_count, sizeof *a->answers, question->name);
    assert_marks(a->found, question->check_count * a->batch.found_capacity, sizeof *a->found, question->name);
    assert_marks(a->contacts, question->check_count * a->batch.contact_capacity, sizeof *a->contacts, question->name);
    assert_marks(a->contact_counts, a->batch.contact_counts ? question->check_count : 0, sizeof *a->contact_counts,
                 question->name);
}

/* The oldest ticket, which must be this one. */
static tumble_status take(device_seat *seat, const asked *a)
{
    tumble_ticket_report report;
    tumble_ticket ticket = 0;
    const tumble_status status = tumble_device_next(seat->device, DEVICE_LIMIT_SECONDS, &ticket, &report);
    if (ticket != a->ticket) {
        fail_msg("%s: ticket %llu instead of %llu; %s", seat->name, (unsigned long long)ticket,
                 (unsigned long long)a->ticket, tumble_status_name(status));
    }
    assert_true(report.is_done);
    assert_int_equal(report.status, status);
    assert_int_equal(report.check_count, a->batch.check_count);
    assert_true(report.done_count == a->batch.check_count ||
                (status != TUMBLE_OK && report.done_count < report.check_count));
    assert_true(report.retried_count <= (seat->kind == TUMBLE_DEVICE_CPU ? 0 : report.check_count));
    assert_int_equal(report.message[0] != 0, status != TUMBLE_OK);
    seat->exact += report.exact_count;
    seat->retried += report.retried_count;
    return status;
}

static tumble_model_pair *add_models(const device_seat *seat, const device_question *question)
{
    tumble_model_pair *pairs = calloc(question->pair_count + 1, sizeof *pairs);
    assert_non_null(pairs);
    for (size_t i = 0; i < question->pair_count; i++) {
        assert_int_equal(tumble_device_add_model(seat->device, question->models[i][0], &pairs[i].a), TUMBLE_OK);
        assert_int_equal(tumble_device_add_model(seat->device, question->models[i][1], &pairs[i].b), TUMBLE_OK);
    }
    return pairs;
}

void device_compare_pairs(device_bench *bench, device_seat *seat, const device_question *question,
                          const tumble_model_pair *pairs, const device_truth *truth)
{
    size_t enough = largest_count(question, truth);
    enough += bench->question_count % 3 - 1 + !enough; /* one too few, as many as there are, one more */
    asked batches[VARIANTS];
    for (size_t i = 0; i < VARIANTS; i++) {
        submit(seat, question, pairs, i, enough, &batches[i]);
    }
    for (size_t i = 0; i < VARIANTS; i++) {
        const tumble_status status = take(seat, &batches[i]);
        compare_batch(bench, seat, question, truth, &batches[i], status);
        count_what_was_seen(seat, &batches[i], truth, question->check_count);
        free_asked(&batches[i]);
    }
}

void device_compare(device_bench *bench, device_seat *seat, const device_question *question, const device_truth *truth)
{
    tumble_model_pair *pairs = add_models(seat, question);
    device_compare_pairs(bench, seat, question, pairs, truth);
    for (size_t i = 0; i < question->pair_count; i++) {
        tumble_device_remove_model(pairs[i].a);
        tumble_device_remove_model(pairs[i].b);
    }
    free(pairs);
}

void device_compare_all(device_bench *bench, const device_question *question)
{
    device_truth *truth = device_find_truth(bench->query, question);
    const size_t turn = bench->question_count++ % DEVICE_POOLS;
    for (size_t i = 0; i < bench->seat_count; i++) {
        if (i >= DEVICE_POOLS || i == turn || test_effort() > 1) {
            device_compare(bench, &bench->seats[i], question, truth);
        }
    }
    device_free_truth(truth, question->check_count);
}
