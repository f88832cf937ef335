/* From an answer, which is in A's frame, to a clash of two parts, which is in the assembly's. */
#include <math.h>
#include <string.h>

#include "clash/clashes.h"
#include "math/vec3.h"

static void move_box(const tumble_pose *pose, const double box[2][3], double out[2][3])
{
    for (int corner = 0; corner < 8; corner++) {
        const double point[3] = {box[corner & 1][0], box[corner >> 1 & 1][1], box[corner >> 2][2]};
        double moved[3];
        tumble_pose_apply(pose, point, moved);
        for (int i = 0; i < 3; i++) {
            out[0][i] = corner == 0 ? moved[i] : fmin(out[0][i], moved[i]);
            out[1][i] = corner == 0 ? moved[i] : fmax(out[1][i], moved[i]);
        }
    }
}

static void move_normal(const tumble_pose *pose, const double normal[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = (pose->m[i][0] * normal[0] + pose->m[i][1] * normal[1]) + pose->m[i][2] * normal[2];
    }
    const double length = tmb_length(out);
    for (int i = 0; i < 3 && length > 0; i++) {
        out[i] /= length;
    }
}

/* Around the pieces of the contact curve, as far as all are kept. */
static void fit_box(tumble_clash *clash)
{
    for (size_t i = 0; i < 2 * clash->segment_count; i++) {
        const double *point = clash->segments[i / 2].points[i % 2];
        for (int j = 0; j < 3; j++) {
            clash->box[0][j] = i == 0 ? point[j] : fmin(clash->box[0][j], point[j]);
            clash->box[1][j] = i == 0 ? point[j] : fmax(clash->box[1][j], point[j]);
        }
    }
}

/* The segments' place in memory is known when all clashes are: until then `segments` is an index plus one. */
tumble_status tmb_clash_keep_segments(tumble_clashes *clashes, const tmb_clash_answer *answer, tumble_clash *out)
{
    const tumble_pose *pose = &tumble_assembly_parts(clashes->assembly, NULL)[out->a].pose;
    const size_t size = sizeof(tumble_clash_segment), first = clashes->segment_count;
    const size_t room = clashes->options.segment_bytes / size;
    if (answer->segment_count == 0 || first + answer->segment_count > room) {
        return TUMBLE_OK;
    }
    if (!tmb_buffer_reserve(clashes->context, &clashes->segments, first + answer->segment_count, size, first * size)) {
        return tmb_fail_memory(clashes->context, "contact curves");
    }
    tumble_clash_segment *segments = (tumble_clash_segment *)clashes->segments.data + first;
    for (size_t i = 0; i < 2 * (size_t)answer->segment_count; i++) {
        tumble_pose_apply(pose, answer->segments[i / 2].points[i % 2], segments[i / 2].points[i % 2]);
    }
    clashes->segment_count += answer->segment_count;
    out->segments = segments;
    out->segment_count = answer->segment_count;
    if (answer->segment_count == answer->contact_count) {
        fit_box(out);
    }
    return TUMBLE_OK;
}

static const char *reason_of(const tmb_clash_answer *answer)
{
    if (answer->kind != TUMBLE_CLASH_UNDEFINED) {
        return "";
    }
    return answer->is_open_a ? answer->is_open_b ? "both parts are open" : "part a is open" : "part b is open";
}

/* A crossing that a proven move ends which is short enough is filed as touching. */
static tumble_clash_kind kind_of(const tmb_clash_answer *answer, double scale, double touch)
{
    return answer->kind == TUMBLE_CLASH_CROSSING && answer->has_depth && answer->depth[1] * scale <= touch
               ? TUMBLE_CLASH_TOUCHING
               : (tumble_clash_kind)answer->kind;
}

tumble_status tmb_clash_place(tumble_clashes *clashes, const tmb_clash_pair *pair, const tmb_clash_answer *answer,
                              tumble_clash *out)
{
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, NULL);
    const tumble_pose *pose = &parts[pair->a].pose;
    const double scale = tumble_pose_scale(pose);
    const tumble_clash_rule_view *rule = &clashes->result.rules[pair->rule];
    const tumble_clash_kind kind = kind_of(answer, scale, rule->touch);
    *out = (tumble_clash){.kind = kind,
                          .severity = kind == TUMBLE_CLASH_TOUCHING ? TUMBLE_SEVERITY_INFO : rule->severity,
                          .change = TUMBLE_CHANGE_NEW,
                          .a = pair->a,
                          .b = pair->b,
                          .rule = pair->rule,
                          .group = UINT32_MAX,
                          .inside = answer->inside,
                          .has_depth = answer->has_depth,
                          .depth = {answer->depth[0] * scale, answer->depth[1] * scale},
                          .distance = answer->distance * scale,
                          .contact_count = answer->contact_count,
                          .key_a = parts[pair->a].key,
                          .key_b = parts[pair->b].key,
                          .review = "",
                          .comment = "",
                          .reason = reason_of(answer)};
    tumble_pose_apply(pose, answer->point, out->point);
    move_box(pose, answer->box, out->box);
    move_normal(pose, answer->normal, out->normal);
    if (answer->distance > 0) {
        tumble_pose_apply(pose, answer->nearest[0], out->nearest[0]);
        tumble_pose_apply(pose, answer->nearest[1], out->nearest[1]);
    }
    tmb_clash_identify(rule->name, out->key_a, out->key_b, 0, out->id);
    return tmb_clash_keep_segments(clashes, answer, out);
}
