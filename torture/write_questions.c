/* Questions and their true answers, as C. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solid.h"
#include "write.h"

static const char *const modes[] = {"TUMBLE_TEST", "TUMBLE_FIRST", "TUMBLE_COUNT", "TUMBLE_ALL", "TUMBLE_SURFACES"};

/* The last arguments of all queries: models and poses. */
static void write_subject(FILE *out, const torture_stage *s, const torture_question *q)
{
    fprintf(out, "a%u, ", q->recipe[0]);
    fputs(s->c->has_pose[q->pose][0] ? "&pose_a, " : "NULL, ", out);
    fprintf(out, "b%u, ", q->recipe[1]);
    fputs(s->c->has_pose[q->pose][1] ? "&pose_b" : "NULL", out);
}

static void write_poses(FILE *out, const torture_stage *s, const torture_question *q)
{
    for (int side = 0; side < 2; side++) {
        if (s->c->has_pose[q->pose][side]) {
            fprintf(out, "    const tumble_pose pose_%c = ", side ? 'b' : 'a');
            torture_write_pose(out, &s->c->poses[q->pose][side]);
            fputs(";\n", out);
        }
    }
}

static void write_walk(FILE *out, const torture_question *q, const char *whose)
{
    if (q->tuned) {
        fputs("    tumble_tuning tuning = tumble_default_tuning();\n", out);
        torture_write_tuning(out, &q->tuning, "tuning");
        fprintf(out, "    %s.tuning = &tuning;\n", whose);
    }
}

static void write_member(FILE *out, const char *name, double value)
{
    fprintf(out, "    options.%s = ", name);
    torture_write_number(out, value);
    fputs(";\n", out);
}

/* The status that the truth demands. */
static tumble_status expected_status(torture_stage *s, const torture_question *q, int outward, int b_outward)
{
    const torture_reach reach = torture_truth_reach(torture_stage_truth(s, q->pose));
    if (s->pose_status[q->pose] != TUMBLE_OK) {
        return s->pose_status[q->pose];
    }
    return reach.b_into_a == 1 && (!outward || reach.a_out == 1) && (!b_outward || reach.b_out == 1)
               ? TUMBLE_OK
               : TUMBLE_ERROR_NOT_FINITE;
}

static uint32_t number_in_model(const torture_stage *s, const torture_question *q, int side, uint32_t polygon)
{
    return torture_model_polygon(torture_stage_recipe(s, q, side), polygon);
}

/* ---- Collisions ---- */

static void write_pairs(FILE *out, torture_stage *s, const torture_question *q, const tumble_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "    assert_int_equal(result.pairs[%zu].polygon_a, %u);\n", i,
                number_in_model(s, q, 0, pairs[i].polygon_a));
        fprintf(out, "    assert_int_equal(result.pairs[%zu].polygon_b, %u);\n", i,
                number_in_model(s, q, 1, pairs[i].polygon_b));
    }
}

static void write_collide_options(FILE *out, const torture_question *q)
{
    fputs("    tumble_collide_options options = tumble_default_collide_options();\n", out);
    fprintf(out, "    options.mode = %s;\n", modes[q->mode]);
    const double clearance = q->kind == TORTURE_ASK_RADIUS ? q->rest : q->clearance.value;
    if (clearance != 0) {
        write_member(out, "clearance", clearance);
    }
    if (q->coherence) {
        fprintf(out, "    options.coherence = (tumble_coherence)%d;\n", (int)q->coherence);
    }
    if (q->want_contacts) {
        fputs("    options.want_contacts = true;\n", out);
    }
    if (q->want_surfaces) {
        fputs("    options.want_surfaces = true;\n", out);
    }
    write_walk(out, q, "options");
}

static double write_radii(FILE *out, torture_stage *s, torture_question *q)
{
    const torture_radii radii = torture_radii_of(s, q);
    for (int side = 0; side < 2; side++) {
        fprintf(out, "    assert_int_equal(tumble_model_set_radius((tumble_model *)%c%u, ", side ? 'b' : 'a',
                q->recipe[side]);
        torture_write_number(out, radii.radius[side]);
        fputs("), TUMBLE_OK);\n", out);
    }
    return radii.sum;
}

static void write_collide(FILE *out, torture_stage *s, torture_question *q)
{
    const double sum =
        q->kind == TORTURE_ASK_RADIUS ? write_radii(out, s, q) : torture_limit_value(s, q, &q->clearance);
    const long double limit = torture_limit_in_a(s, q, sum);
    const int contacts = q->want_contacts && q->mode != TUMBLE_TEST && q->mode != TUMBLE_COUNT;
    const tumble_status status = expected_status(s, q, contacts, contacts && limit > 0);
    write_collide_options(out, q);
    fputs("    tumble_collide_result result;\n    assert_int_equal(tumble_collide(query, ", out);
    write_subject(out, s, q);
    fprintf(out, ", &options, &result), %s);\n", tumble_status_name(status));
    if (status != TUMBLE_OK) {
        return;
    }
    size_t count;
    torture_truth *t = torture_stage_truth(s, q->pose);
    tumble_pair *pairs = torture_truth_pairs(t, limit, &count);
    fprintf(out, "    assert_int_equal(result.collide, %d);\n", count > 0);
    if (q->mode == TUMBLE_COUNT || q->mode == TUMBLE_ALL) {
        fprintf(out, "    assert_int_equal(result.pair_count, %zu);\n", count);
    }
    if (contacts && q->mode == TUMBLE_ALL) {
        fprintf(out, "    assert_int_equal(result.contact_count, %zu);\n", torture_truth_triangle_pairs(t, limit));
    }
    if (q->mode == TUMBLE_ALL) {
        write_pairs(out, s, q, pairs, count);
    }
    free(pairs);
}

/* ---- Distances ---- */

static void write_distance_options(FILE *out, const torture_question *q)
{
    fputs("    tumble_distance_options options = tumble_default_distance_options();\n", out);
    if (q->relative_error != 0) {
        write_member(out, "relative_error", q->relative_error);
    }
    if (q->absolute_error != 0) {
        write_member(out, "absolute_error", q->absolute_error);
    }
    if (!isinf(q->within.value)) {
        write_member(out, "within", q->within.value);
    }
    if (q->enough.value != 0) {
        write_member(out, "enough", q->enough.value);
    }
    if (q->want_pairs) {
        fputs("    options.want_pairs = true;\n", out);
    }
    if (q->coherence) {
        fprintf(out, "    options.coherence = (tumble_coherence)%d;\n", (int)q->coherence);
    }
    if (q->budget) {
        fprintf(out, "    options.budget_box_tests = %llu;\n", (unsigned long long)q->budget);
    }
    write_walk(out, q, "options");
}

static void write_bounds(FILE *out, const torture_question *q, double distance, int is_within)
{
    fputs("    const double distance = ", out);
    torture_write_number(out, distance);
    fputs("; /* the truth, rounded */\n", out);
    fputs("    assert_true(result.lower <= distance * (1 + 2e-14) && result.upper >= distance * (1 - 2e-14));\n", out);
    if (q->budget == 0) {
        fprintf(out, "    assert_int_equal(result.answer, %s);\n", is_within ? "TUMBLE_YES" : "TUMBLE_NO");
    }
    if (q->budget == 0 && is_within && isinf(distance)) {
        fputs("    assert_true(result.nearest.distance == distance);\n", out);
    } else if (q->budget == 0 && is_within && q->relative_error == 0 && q->absolute_error == 0 &&
               q->enough.value == 0) {
        fputs("    assert_true(fabs(result.nearest.distance - distance) <= 2e-14 * distance + 0x1p-1073);\n", out);
    } else {
        fputs("    (void)fabs(distance);\n", out);
    }
}

static void write_distance(FILE *out, torture_stage *s, torture_question *q)
{
    const long double within = torture_limit_in_a(s, q, torture_limit_value(s, q, &q->within));
    (void)torture_limit_value(s, q, &q->enough);
    torture_truth *t = torture_stage_truth(s, q->pose);
    const tumble_status status = expected_status(s, q, 1, 0);
    write_distance_options(out, q);
    fputs("    tumble_distance_result result;\n    assert_int_equal(tumble_distance(query, ", out);
    write_subject(out, s, q);
    fprintf(out, ", &options, &result), %s);\n", tumble_status_name(status));
    mpq_srcptr least = torture_truth_least(t);
    if (status != TUMBLE_OK || !least) {
        return;
    }
    int is_within = 0;
    const size_t count = torture_truth_triangles(t, 0)->count, width = torture_truth_triangles(t, 1)->count;
    for (size_t i = 0; i < count * width && !is_within; i++) {
        is_within = torture_truth_within(t, i / width, i % width, within);
    }
    write_bounds(out, q, (double)(torture_root(least) * torture_truth_scale(t)), is_within);
}

/* ---- Relations and facts ---- */

static void write_relate(FILE *out, torture_stage *s, torture_question *q)
{
    const tumble_status status = expected_status(s, q, 0, 0);
    fputs("    tumble_relation_result result;\n    assert_int_equal(tumble_relate(query, ", out);
    write_subject(out, s, q);
    fprintf(out, ", &result), %s);\n", tumble_status_name(status));
    if (status != TUMBLE_OK) {
        return;
    }
    const torture_relation truth = torture_find_relation(torture_stage_truth(s, q->pose), s->world->oracle,
                                                         s->triangles, s->c->seed + 1000003 * (uint64_t)q->pose);
    fprintf(out, "    assert_int_equal(result.closed_a, %d);\n", truth.closed[0]);
    fprintf(out, "    assert_int_equal(result.closed_b, %d);\n", truth.closed[1]);
    fprintf(out, "    assert_int_equal(result.surfaces_meet, %d);\n", truth.meet);
    if (truth.is_certain == 1 || (truth.is_certain == 0 && truth.relation == TUMBLE_RELATION_TOUCHING)) {
        fprintf(out, "    assert_string_equal(tumble_relation_name(result.relation), \"%s\");\n",
                tumble_relation_name(truth.relation));
    }
}

static void write_facts(FILE *out, torture_stage *s, torture_question *q)
{
    const int side = (int)(q->level % 2);
    const torture_shape *shape = &s->c->shapes[side];
    fprintf(out, "    tumble_model_info info;\n    assert_int_equal(tumble_model_get_info(%c%u, &info), TUMBLE_OK);\n",
            side ? 'b' : 'a', q->recipe[side]);
    fprintf(out, "    assert_int_equal(info.polygon_count, %zu);\n", shape->polygon_count);
    fprintf(out, "    assert_int_equal(info.triangle_count, %zu);\n", s->triangles[side].count);
    fprintf(out, "    assert_int_equal(info.closed, %d);\n", torture_is_closed(&s->triangles[side], 1));
    uint64_t surfaces = 0;
    for (size_t i = 0; i < shape->polygon_count; i++) {
        size_t k = 0;
        while (shape->polygons[k].surface != shape->polygons[i].surface) {
            k++;
        }
        surfaces += k == i;
    }
    fprintf(out, "    assert_int_equal(info.surface_count, %llu);\n", (unsigned long long)surfaces);
    for (int axis = 0; axis < 3; axis++) {
        double lower = shape->corner_count ? INFINITY : 0, upper = -lower;
        for (size_t i = 0; i < shape->corner_count; i++) {
            lower = fmin(lower, shape->corners[i][axis]);
            upper = fmax(upper, shape->corners[i][axis]);
        }
        fprintf(out, "    assert_true(info.lower[%d] == ", axis);
        torture_write_number(out, lower);
        fprintf(out, " && info.upper[%d] == ", axis);
        torture_write_number(out, upper);
        fputs(");\n", out);
    }
}

/* ---- Devices ---- */

static void write_batch_call(FILE *out, const torture_stage *s, const torture_question *q)
{
    const uint32_t copies = q->copies ? q->copies : 1;
    fprintf(out,
            "    tumble_check_answer answers[%u];\n"
            "    static tumble_pair found[%u][64];\n"
            "    tumble_device *device = NULL;\n"
            "    tumble_device_options device_options = tumble_default_device_options();\n"
            "    device_options.thread_count = 4, device_options.without_doubles = %d;\n"
            "    device_options.memory_limit = %lluu;\n"
            "    assert_int_equal(tumble_device_open(context, %d, &device_options, &device), TUMBLE_OK);\n"
            "    tumble_model_pair copies[%u], pairs[%u];\n"
            "    for (int i = 0; i < %u; i++) {\n"
            "        assert_int_equal(tumble_device_add_model(device, a%u, &copies[i].a), TUMBLE_OK);\n"
            "        assert_int_equal(tumble_device_add_model(device, b%u, &copies[i].b), TUMBLE_OK);\n"
            "    }\n"
            "    for (int i = 0; i < %u; i++) {\n"
            "        pairs[i] = (tumble_model_pair){copies[i %% %u].a, copies[i / 2 %% %u].b};\n"
            "    }\n"
            "    tumble_batch batch = tumble_default_batch();\n"
            "    batch.mode = %s, batch.on_cpu = %d, batch.check_count = %u, batch.answers = answers;\n"
            "    batch.pairs = pairs, batch.pair_count = %u, batch.poses_a = poses_a, batch.pose_a_count = %u;\n"
            "    batch.poses_b = poses_b, batch.pose_b_count = %u;\n"
            "    batch.found = found[0], batch.found_capacity = %d;\n"
            "    tumble_ticket ticket;\n",
            q->checks, q->checks, q->without_doubles, (unsigned long long)(q->is_tight ? s->world->tight_limit : 0),
            q->kind == TORTURE_ASK_OPENCL, copies, q->checks, copies, q->recipe[0], q->recipe[1], q->checks, copies,
            copies, modes[q->mode], q->on_cpu, q->checks, copies == 1 ? 1 : q->checks, q->checks, q->checks,
            q->mode == TUMBLE_ALL ? 64 : 0);
    write_walk(out, q, "batch");
    fputs("    assert_int_equal(tumble_device_submit(device, &batch, INFINITY, &ticket), TUMBLE_OK);\n"
          "    (void)tumble_device_wait(device, ticket, INFINITY, NULL); /* each answer has its status */\n",
          out);
}

static void write_batch_poses(FILE *out, const torture_stage *s, const torture_question *q)
{
    const tumble_pose identity = tumble_pose_identity();
    for (int side = 0; side < 2; side++) {
        fprintf(out, "    static const tumble_pose poses_%c[%u] = {", side ? 'b' : 'a', q->checks);
        for (uint32_t i = 0; i < q->checks; i++) {
            const size_t pose = (q->pose + i) % s->c->pose_count;
            fputs(i ? ",\n        " : "\n        ", out);
            torture_write_pose(out, s->c->has_pose[pose][side] ? &s->c->poses[pose][side] : &identity);
        }
        fputs("};\n", out);
    }
}

static void write_batch(FILE *out, torture_stage *s, torture_question *q)
{
    write_batch_poses(out, s, q);
    write_batch_call(out, s, q);
    for (uint32_t i = 0; i < q->checks; i++) {
        torture_question one = *q;
        one.pose = (uint32_t)((q->pose + i) % s->c->pose_count);
        const tumble_status status = expected_status(s, &one, q->want_contacts, 0);
        fprintf(out, "    assert_int_equal(answers[%u].status, %s);\n", i, tumble_status_name(status));
        if (status != TUMBLE_OK) {
            continue;
        }
        size_t count;
        tumble_pair *pairs = torture_truth_pairs(torture_stage_truth(s, one.pose), 0, &count);
        fprintf(out, "    assert_int_equal(answers[%u].collide, %d);\n", i, count > 0);
        if (q->mode == TUMBLE_COUNT || q->mode == TUMBLE_ALL) {
            fprintf(out, "    assert_int_equal(answers[%u].pair_count, %zu);\n", i, count);
        }
        for (size_t k = 0; k < count && k < 64 && q->mode == TUMBLE_ALL; k++) {
            fprintf(out, "    assert_true(found[%u][%zu].polygon_a == %u && found[%u][%zu].polygon_b == %u);\n", i, k,
                    number_in_model(s, q, 0, pairs[k].polygon_a), i, k, number_in_model(s, q, 1, pairs[k].polygon_b));
        }
        free(pairs);
    }
    fputs("    tumble_device_close(device);\n", out);
}

/* ---- All ---- */

void torture_write_question(FILE *out, torture_stage *s, size_t index)
{
    torture_question *q = &s->c->questions[index];
    fprintf(out, "/* %s */\nstatic void ask_%zu(tumble_context *context, tumble_query *query",
            torture_kind_name(q->kind), index);
    for (int side = 0; side < 2; side++) {
        fprintf(out, ", const tumble_model *%c%u", side ? 'b' : 'a', q->recipe[side]);
    }
    fputs(")\n{\n    (void)context, (void)query;\n", out);
    fprintf(out, "    (void)a%u, (void)b%u;\n", q->recipe[0], q->recipe[1]);
    torture_stage_truth(s, q->pose);
    const int is_batch = q->kind == TORTURE_ASK_POOL || q->kind == TORTURE_ASK_OPENCL;
    if (!is_batch && q->kind != TORTURE_ASK_FACTS) {
        write_poses(out, s, q);
    }
    switch (q->kind) {
    case TORTURE_ASK_RELATE: write_relate(out, s, q); break;
    case TORTURE_ASK_FACTS: write_facts(out, s, q); break;
    case TORTURE_ASK_RAY:
    case TORTURE_ASK_INSIDE:
    case TORTURE_ASK_CLOSEST:
    case TORTURE_ASK_OVERLAP:
    case TORTURE_ASK_SELF: torture_write_single(out, s, q); break;
    case TORTURE_ASK_POOL:
    case TORTURE_ASK_OPENCL: write_batch(out, s, q); break;
    case TORTURE_ASK_COLLIDE:
    case TORTURE_ASK_CLEARANCE:
    case TORTURE_ASK_RADIUS:
    case TORTURE_ASK_COL: write_collide(out, s, q); break;
    default: write_distance(out, s, q);
    }
    fputs("}\n\n", out);
}
