/* Questions about model A alone and their true answers, as C. Only the first of several rays or points is written down:
 * shrinking leaves one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "single.h"
#include "write.h"

static const char *const modes[] = {"TUMBLE_TEST", "TUMBLE_FIRST", "TUMBLE_COUNT", "TUMBLE_ALL"};

static void write_array(FILE *out, const char *name, const double *values, int count)
{
    fprintf(out, "    const double %s[] = {", name);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        torture_write_number(out, values[i]);
    }
    fputs("};\n", out);
}

static void write_member(FILE *out, const char *name, double value)
{
    fprintf(out, "    options.%s = ", name);
    torture_write_number(out, value);
    fputs(";\n", out);
}

static const char *pose_argument(const torture_single *a)
{
    return a->pose ? "&pose_a" : "NULL";
}

/* The status that the truth demands, for one place. */
static tumble_status expected_status(const torture_question *q, const torture_single *a, double point[3])
{
    return a->status != TUMBLE_OK                          ? a->status
           : torture_into_model(a, q->places[0], 0, point) ? TUMBLE_OK
                                                           : TUMBLE_ERROR_NOT_FINITE;
}

static void write_ray(FILE *out, torture_stage *s, const torture_question *q, const torture_single *a)
{
    oracle_ray ray = {.t0 = q->range[0], .t1 = q->range[1]};
    const int is_zero = q->ways[0][0] == 0 && q->ways[0][1] == 0 && q->ways[0][2] == 0;
    tumble_status status = expected_status(q, a, ray.origin);
    const int is_finite = torture_into_model(a, q->ways[0], 1, ray.direction);
    status = status == TUMBLE_OK && is_zero      ? TUMBLE_ERROR_ARGUMENT
             : status == TUMBLE_OK && !is_finite ? TUMBLE_ERROR_NOT_FINITE
                                                 : status;
    write_array(out, "direction", q->ways[0], 3);
    fputs("    tumble_ray_options options = tumble_default_ray_options();\n", out);
    fprintf(out, "    options.mode = %s;\n", modes[q->mode]);
    write_member(out, "t0", q->range[0]);
    write_member(out, "t1", q->range[1]);
    fprintf(out,
            "    tumble_ray_result result;\n"
            "    assert_int_equal(tumble_ray(query, a%u, %s, point, direction, &options, &result), %s);\n",
            q->recipe[0], pose_argument(a), tumble_status_name(status));
    if (status != TUMBLE_OK) {
        return;
    }
    size_t count;
    torture_hit *hits = torture_true_hits(s, a->triangles, &ray, &count);
    fprintf(out, "    assert_int_equal(result.hit, %d);\n", count > 0);
    if (q->mode >= TUMBLE_COUNT) {
        fprintf(out, "    assert_int_equal(result.hit_count, %zu);\n", count);
    }
    for (size_t i = 0; i < count && (q->mode == TUMBLE_ALL || (q->mode == TUMBLE_FIRST && i == 0)); i++) {
        char hit[48];
        snprintf(hit, sizeof hit, q->mode == TUMBLE_ALL ? "hits[%zu]" : "first", i);
        const double t = mpq_get_d(hits[i].t);
        fprintf(out, "    assert_int_equal(result.%s.polygon, %u);\n", hit,
                torture_model_polygon(a->recipe, hits[i].polygon));
        fprintf(out, "    assert_int_equal(result.%s.side, %d);\n    assert_true(result.%s.t == ", hit,
                (int)hits[i].side, hit);
        torture_write_number(out, ray_oracle_is_rounded(t, hits[i].t) ? t : nextafter(t, copysign(INFINITY, t)));
        fputs(");\n", out);
    }
    torture_free_hits(hits, count);
}

static void write_inside(FILE *out, torture_stage *s, const torture_question *q, const torture_single *a)
{
    double point[3];
    const tumble_status status = expected_status(q, a, point);
    fprintf(out,
            "    tumble_inside_options options = tumble_default_inside_options();\n"
            "    options.rule = (tumble_inside_rule)%d;\n"
            "    tumble_inside_answer answer;\n"
            "    assert_int_equal(tumble_inside(query, a%u, %s, point, 1, &options, &answer, NULL), %s);\n",
            q->by_winding, q->recipe[0], pose_argument(a), tumble_status_name(status));
    if (status == TUMBLE_OK) {
        const tumble_inside_answer truth =
            torture_true_place(s, a->triangles, point, q->by_winding ? TUMBLE_INSIDE_WINDING : TUMBLE_INSIDE_PARITY);
        fprintf(out, "    assert_string_equal(tumble_place_name(answer.place), \"%s\");\n",
                tumble_place_name(truth.place));
        fprintf(out, "    assert_int_equal(answer.winding, %d);\n", truth.winding);
    }
}

static void write_closest(FILE *out, torture_stage *s, torture_question *q, const torture_single *a)
{
    double point[3];
    const tumble_status status = expected_status(q, a, point);
    const double within = torture_place_limit(s, q, a, &q->within);
    fputs("    tumble_closest_options options = tumble_default_closest_options();\n", out);
    write_member(out, "within", within);
    fprintf(out, "    options.want_sign = %d;\n", q->want_sign);
    fprintf(out,
            "    tumble_closest_result result;\n"
            "    assert_int_equal(tumble_closest_point(query, a%u, %s, point, &options, &result), %s);\n",
            q->recipe[0], pose_argument(a), tumble_status_name(status));
    mpq_t square, least;
    mpq_inits(square, least, (mpq_ptr)0);
    int found = 0;
    for (uint32_t i = 0; i < s->c->shapes[0].polygon_count && status == TUMBLE_OK; i++) {
        if (torture_polygon_square(s, a->triangles, i, point, square) && (!found || mpq_cmp(square, least) < 0)) {
            mpq_set(least, square);
            found = 1;
        }
    }
    found = found && torture_is_within(least, torture_divided(within, a->scale));
    if (status == TUMBLE_OK) {
        fprintf(out, "    assert_int_equal(result.count, %d);\n", found);
    }
    if (found) {
        fputs("    const double distance = ", out);
        torture_write_number(out, (double)(torture_root(least) * a->scale));
        fputs("; /* the truth, rounded */\n"
              "    assert_true(fabs(fabs(result.closest[0].distance) - distance) <= 2e-14 * distance + 0x1p-1073);\n",
              out);
    }
    mpq_clears(square, least, (mpq_ptr)0);
}

static void write_overlap(FILE *out, torture_stage *s, torture_question *q, const torture_single *a)
{
    static char overlaps[TORTURE_POLYGONS];
    memset(overlaps, 0, sizeof overlaps);
    const int finite = a->status == TUMBLE_OK ? torture_true_overlaps(s, q, a, overlaps) : 1;
    const tumble_status status = a->status != TUMBLE_OK ? a->status : finite == 0 ? TUMBLE_ERROR_NOT_FINITE : TUMBLE_OK;
    size_t count = 0;
    fputs("    tumble_overlap_result result;\n", out);
    if (q->is_box) {
        write_array(out, "extents", q->extents, 3);
        fprintf(out, "    assert_int_equal(tumble_overlap_box(query, a%u, %s, %s, extents, NULL, &result), %s);\n",
                q->recipe[0], pose_argument(a), s->c->has_pose[q->pose][1] ? "&pose_b" : "NULL",
                tumble_status_name(status));
    } else {
        fprintf(out, "    assert_int_equal(tumble_overlap_sphere(query, a%u, %s, point, ", q->recipe[0],
                pose_argument(a));
        torture_write_number(out, torture_place_limit(s, q, a, &q->within));
        fprintf(out, ", NULL, &result), %s);\n", tumble_status_name(status));
    }
    for (uint32_t i = 0; i < s->c->shapes[0].polygon_count && status == TUMBLE_OK; i++) {
        if (overlaps[i]) {
            fprintf(out, "    assert_true(result.polygon_count > %zu && result.polygons[%zu] == %u);\n", count, count,
                    torture_model_polygon(a->recipe, i));
            count++;
        }
    }
    if (status == TUMBLE_OK) {
        fprintf(out, "    assert_int_equal(result.polygon_count, %zu);\n", count);
    }
}

static void write_self(FILE *out, torture_stage *s, torture_question *q, const torture_single *a)
{
    size_t count;
    const double clearance = torture_self_limit(s, q);
    fprintf(out,
            "    tumble_self_options options = tumble_default_self_options();\n"
            "    options.soup = %d, options.rings = %u;\n",
            q->is_soup, q->rings);
    write_member(out, "clearance", clearance);
    fprintf(out,
            "    tumble_self_result result;\n"
            "    assert_int_equal(tumble_self_collide(query, a%u, &options, &result), TUMBLE_OK);\n",
            q->recipe[0]);
    tumble_self_pair *pairs = torture_true_self(s, q, clearance, &count);
    fprintf(out, "    assert_int_equal(result.pair_count, %zu);\n", count);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "    assert_int_equal(result.pairs[%zu].polygon_a, %u);\n", i,
                torture_model_polygon(a->recipe, pairs[i].polygon_a));
        fprintf(out, "    assert_int_equal(result.pairs[%zu].polygon_b, %u);\n", i,
                torture_model_polygon(a->recipe, pairs[i].polygon_b));
        fprintf(out, "    assert_int_equal(result.pairs[%zu].kind, %d);\n", i, (int)pairs[i].kind);
    }
    free(pairs);
}

void torture_write_single(FILE *out, torture_stage *s, torture_question *q)
{
    torture_single a;
    if (!torture_single_begin(s, q, &a)) {
        return;
    }
    for (int side = 0; side < 2; side++) {
        if (s->c->has_pose[q->pose][side]) {
            fprintf(out, "    (void)pose_%c;\n", side ? 'b' : 'a');
        }
    }
    write_array(out, "point", q->places[0], 3);
    fputs("    (void)point;\n", out);
    switch (q->kind) {
    case TORTURE_ASK_RAY: write_ray(out, s, q, &a); break;
    case TORTURE_ASK_INSIDE: write_inside(out, s, q, &a); break;
    case TORTURE_ASK_CLOSEST: write_closest(out, s, q, &a); break;
    case TORTURE_ASK_OVERLAP: write_overlap(out, s, q, &a); break;
    default: write_self(out, s, q, &a);
    }
}
