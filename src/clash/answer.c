/* The answer to one question: which kind of clash, where, and how near. */
#include <math.h>
#include <string.h>

#include "clash/answering.h"
#include "math/pose.h"
#include "math/vec3.h"
#include "tree/model.h"

tumble_status tmb_clash_told_by_query(const tmb_answering *r, tumble_status status)
{
    char text[512] = "";
    (void)tumble_query_error(r->query, text, sizeof text);
    return tmb_fail(r->clashes->context, status, "%s", text);
}

static void middle(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = 0.5 * a[i] + 0.5 * b[i];
    }
}

/* ---- contacts ---- */

static void empty_box(double box[2][3])
{
    for (int i = 0; i < 3; i++) {
        box[0][i] = INFINITY;
        box[1][i] = -INFINITY;
    }
}

static void grow_box(double box[2][3], const double point[3])
{
    for (int i = 0; i < 3; i++) {
        box[0][i] = fmin(box[0][i], point[i]);
        box[1][i] = fmax(box[1][i], point[i]);
    }
}

static void take_contact(tmb_answering *r, const tumble_contact *contact)
{
    tmb_clash_answer *answer = r->answer;
    double edge[3];
    tmb_subtract(contact->points[1], contact->points[0], edge);
    const double square = tmb_dot(edge, edge);
    if (square > r->longest) {
        r->longest = square;
        middle(contact->points[0], contact->points[1], answer->point);
    }
    grow_box(answer->box, contact->points[0]);
    grow_box(answer->box, contact->points[1]);
    if (answer->segments && answer->segment_count < r->clashes->options.segment_limit) {
        memcpy(answer->segments[answer->segment_count++].points, contact->points, sizeof contact->points);
    }
    answer->contact_count++;
}

static bool take_contacts(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                          size_t contact_count)
{
    (void)pairs;
    (void)pair_count;
    for (size_t i = 0; i < contact_count; i++) {
        take_contact(user, &contacts[i]);
    }
    return false;
}

/* What is kept is cut to what there is. */
static void fit_segments(tmb_answering *r)
{
    tumble_context *context = r->clashes->context;
    tmb_clash_answer *answer = r->answer;
    tumble_clash_segment *all = answer->segments;
    const size_t count = answer->segment_count;
    answer->segments = count ? tmb_allocate(context, count, sizeof *all) : NULL;
    if (answer->segments) {
        memcpy(answer->segments, all, count * sizeof *all);
    }
    tmb_release(context, all);
}

/* All places where the surfaces meet. */
static tumble_status find_contacts(tmb_answering *r)
{
    tmb_clash_answer *answer = r->answer;
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.want_contacts = true;
    options.callback = take_contacts;
    options.callback_user = r;
    const size_t limit = r->clashes->options.segment_limit;
    answer->segments = limit ? tmb_allocate(r->clashes->context, limit, sizeof *answer->segments) : NULL;
    if (limit && !answer->segments) {
        return tmb_fail_memory(r->clashes->context, "a contact curve");
    }
    r->longest = -1;
    empty_box(answer->box);
    const tumble_status status = tumble_collide(r->query, r->a, NULL, r->b, &r->question->relative, &options, &result);
    const int had_segments = answer->segment_count > 0;
    fit_segments(r);
    if (status != TUMBLE_OK) {
        return tmb_clash_told_by_query(r, status);
    }
    return had_segments && !answer->segments ? tmb_fail_memory(r->clashes->context, "a contact curve") : TUMBLE_OK;
}

/* ---- distances ---- */

/* The nearest points of surfaces that do not meet; `within` in A's frame. */
static tumble_status find_distance(tmb_answering *r, double within, tumble_answer *near)
{
    tmb_clash_answer *answer = r->answer;
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.within = within;
    const tumble_status status = tumble_distance(r->query, r->a, NULL, r->b, &r->question->relative, &options, &result);
    if (status != TUMBLE_OK) {
        return tmb_clash_told_by_query(r, status);
    }
    *near = result.answer;
    if (result.answer == TUMBLE_YES) {
        const tumble_near *nearest = &result.nearest;
        answer->distance = nearest->distance;
        memcpy(answer->nearest[0], nearest->point_a, sizeof nearest->point_a);
        memcpy(answer->nearest[1], nearest->point_b, sizeof nearest->point_b);
        middle(nearest->point_a, nearest->point_b, answer->point);
        empty_box(answer->box);
        grow_box(answer->box, nearest->point_a);
        grow_box(answer->box, nearest->point_b);
    }
    return TUMBLE_OK;
}

/* Nearer than the clearance: at most as far as the number before it, which is decided exactly where A's scale is 1. */
static tumble_status ask_clearance(tmb_answering *r)
{
    const double clearance = r->question->clearance;
    tumble_answer near = TUMBLE_NO;
    if (!(clearance > 0)) {
        return TUMBLE_OK;
    }
    const tumble_status status = find_distance(r, nextafter(clearance / r->question->scale, 0), &near);
    if (status == TUMBLE_OK && near == TUMBLE_YES) {
        r->answer->kind = TUMBLE_CLASH_CLEARANCE;
    }
    return status;
}

/* ---- kinds ---- */

static int is_same_place(const tmb_answering *r)
{
    return r->a == r->b && tmb_pose_is_identity(&r->question->relative);
}

static tumble_status is_duplicate(const tmb_answering *r, bool *out)
{
    *out = is_same_place(r);
    return *out ? TUMBLE_OK : tmb_clash_same_triangles(r->clashes->context, r->a, r->b, &r->question->relative, out);
}

/* Parts that have points in common, or one of which might be inside the other. */
static tumble_status ask_meeting(tmb_answering *r, const tumble_relation_result *relation)
{
    tmb_clash_answer *answer = r->answer;
    bool same = false;
    tumble_status status = find_contacts(r);
    if (status == TUMBLE_OK && answer->contact_count > 0 && relation->relation != TUMBLE_RELATION_A_IN_B &&
        relation->relation != TUMBLE_RELATION_B_IN_A) {
        status = is_duplicate(r, &same);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    if (same) {
        answer->kind = TUMBLE_CLASH_DUPLICATE;
        return TUMBLE_OK;
    }
    switch (relation->relation) {
    case TUMBLE_RELATION_TOUCHING:
        answer->kind = answer->is_open_a || answer->is_open_b ? TUMBLE_CLASH_UNDEFINED : TUMBLE_CLASH_TOUCHING;
        answer->has_depth = answer->kind == TUMBLE_CLASH_TOUCHING;
        break;
    case TUMBLE_RELATION_CROSSING: answer->kind = TUMBLE_CLASH_CROSSING; break;
    case TUMBLE_RELATION_A_IN_B:
    case TUMBLE_RELATION_B_IN_A:
        answer->kind = TUMBLE_CLASH_CONTAINED;
        answer->inside = relation->relation == TUMBLE_RELATION_A_IN_B ? 1 : 2;
        break;
    default: answer->kind = answer->contact_count > 0 ? TUMBLE_CLASH_UNDEFINED : TMB_NO_CLASH; break;
    }
    return TUMBLE_OK;
}

tumble_status tmb_clash_answer_one(tumble_query *query, const tumble_clashes *clashes,
                                   const tmb_clash_question *question, tmb_clash_answer *out)
{
    const tumble_model *const *models = tumble_assembly_models(clashes->assembly, NULL);
    tmb_answering r = {.query = query,
                       .clashes = clashes,
                       .question = question,
                       .a = models[question->model_a],
                       .b = models[question->model_b],
                       .answer = out};
    tumble_relation_result relation;
    tumble_answer near;
    *out = (tmb_clash_answer){.kind = TMB_NO_CLASH};
    if (question->only_contacts) {
        return find_contacts(&r);
    }
    tumble_status status = tumble_relate(query, r.a, NULL, r.b, &question->relative, &relation);
    if (status != TUMBLE_OK) {
        return tmb_clash_told_by_query(&r, status);
    }
    out->is_open_a = !relation.closed_a && !(r.a->radius > 0);
    out->is_open_b = !relation.closed_b && !(r.b->radius > 0);
    if (relation.relation != TUMBLE_RELATION_APART) {
        status = ask_meeting(&r, &relation);
    }
    if (status == TUMBLE_OK && out->kind == TMB_NO_CLASH) {
        status = ask_clearance(&r);
    } else if (status == TUMBLE_OK && out->contact_count == 0) {
        status = find_distance(&r, INFINITY, &near);
    }
    if (status == TUMBLE_OK && (out->kind == TUMBLE_CLASH_CROSSING || out->kind == TUMBLE_CLASH_CONTAINED)) {
        status = tmb_clash_find_depth(&r);
    }
    return status;
}
