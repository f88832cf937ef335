/* A topic of BCF: which parts it shows, and from where. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bcf.h"
#include "report_words.h"

#define FIELD_OF_VIEW 45.0 /* degrees; BCF 2.1 has 45 to 60 */

bcf_guid bcf_guid_of(const char id[33])
{
    bcf_guid guid;
    snprintf(guid.text, sizeof guid.text, "%.8s-%.4s-%.4s-%.4s-%.12s", id, id + 8, id + 12, id + 16, id + 20);
    return guid;
}

const char *bcf_status(const clash_report *report, const tumble_clash_group *group)
{
    const char *same = NULL;
    for (size_t i = 0; i < group->clash_count; i++) {
        const tumble_clash *clash = &report->result->clashes[group->clashes[i]];
        const char *status = report_status(clash);
        if (status != clash->review || (same && strcmp(same, status) != 0)) {
            return "Open";
        }
        same = status;
    }
    return same ? same : "Open";
}

/* Whether the part of side A is the one that the group is about. */
static int is_turned(const bcf_topic *topic, const tumble_clash *clash)
{
    return topic->group->part == clash->b;
}

static void add_part(bcf_topic *topic, uint32_t part)
{
    for (size_t i = 0; i < topic->part_count; i++) {
        if (topic->parts[i] == part) {
            return;
        }
    }
    if (part != UINT32_MAX && topic->part_count < BCF_COMPONENTS) {
        topic->parts[topic->part_count++] = part;
    }
}

static void collect_parts(bcf_topic *topic)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < topic->group->clash_count && topic->part_count < BCF_COMPONENTS; i++) {
            const tumble_clash *clash = &topic->report->result->clashes[topic->group->clashes[i]];
            add_part(topic, (side != 0) != is_turned(topic, clash) ? clash->b : clash->a);
        }
        topic->first_count = side ? topic->first_count : topic->part_count;
    }
}

/* The box of all that meets in the group. */
static void collect_box(const bcf_topic *topic, double box[2][3])
{
    for (size_t i = 0; i < topic->group->clash_count; i++) {
        const tumble_clash *clash = &topic->report->result->clashes[topic->group->clashes[i]];
        for (int axis = 0; axis < 3; axis++) {
            box[0][axis] = i ? fmin(box[0][axis], clash->box[0][axis]) : clash->box[0][axis];
            box[1][axis] = i ? fmax(box[1][axis], clash->box[1][axis]) : clash->box[1][axis];
        }
    }
}

/* Half the diagonal of the smallest part. */
static tumble_status find_small(const bcf_topic *topic, double *small)
{
    const tumble_clash_result *result = topic->report->result;
    *small = INFINITY;
    for (size_t i = 0; i < topic->part_count; i++) {
        const tumble_assembly_part *part = &result->parts[topic->parts[i]];
        tumble_model_info info;
        const tumble_status status = tumble_model_get_info(result->models[part->model], &info);
        if (status != TUMBLE_OK) {
            return status;
        }
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            square += (info.upper[axis] - info.lower[axis]) * (info.upper[axis] - info.lower[axis]);
        }
        *small = fmin(*small, sqrt(square) / 2 * tumble_pose_scale(&part->pose));
    }
    return TUMBLE_OK;
}

static void normalise(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        v[i] /= length;
    }
}

/* From the front, the right and above. */
static void set_camera(bcf_topic *topic, double box[2][3], double small)
{
    const int up = topic->report->result->up ? topic->report->result->up : 3, axis = abs(up) - 1;
    double square = 0, toward[3] = {0};
    toward[axis] = up > 0 ? 0.6 : -0.6;
    toward[(axis + 1) % 3] = 0.6;
    toward[(axis + 2) % 3] = -1;
    normalise(toward);
    for (int i = 0; i < 3; i++) {
        square += (box[1][i] - box[0][i]) * (box[1][i] - box[0][i]);
    }
    const double half = sqrt(square) / 2;
    const double most = isfinite(small) ? small * 1.2 : half * 2;
    double radius = fmax(half * 1.2, fmin(most, fmax(0.25 * most, half * 4)));
    radius = radius > 0 ? radius : 1;
    topic->distance = radius / sin(FIELD_OF_VIEW * 0.00872664625997164788);
    topic->camera.field = FIELD_OF_VIEW;
    for (int i = 0; i < 3; i++) {
        topic->camera.eye[i] = (box[0][i] + box[1][i]) / 2 + topic->distance * toward[i];
        topic->camera.direction[i] = -toward[i];
        topic->camera.up[i] = (i == axis ? (up > 0 ? 1 : -1) : 0) - toward[i] * fabs(toward[axis]);
    }
    normalise(topic->camera.up);
    topic->camera.near = topic->distance / 1000;
}

/* A viewpoint is never changed, so another one has another GUID: a hash of all that it shows. */
static bcf_guid viewpoint_of(const bcf_text *text, const bcf_topic *topic)
{
    uint64_t halves[2] = {14695981039346656037U, 0x9ae16a3b2f90404fU};
    for (int half = 0; half < 2; half++) {
        for (const char *c = topic->guid.text; *c; c++) {
            halves[half] = (halves[half] ^ (unsigned char)*c) * 1099511628211U;
        }
        for (size_t i = 0; i < text->size; i++) {
            halves[half] = (halves[half] ^ (unsigned char)text->bytes[i]) * 1099511628211U;
        }
        halves[half] ^= halves[half] >> 29;
    }
    char id[33];
    snprintf(id, sizeof id, "%016llx%016llx", (unsigned long long)halves[0], (unsigned long long)halves[1]);
    return bcf_guid_of(id);
}

tumble_status bcf_topic_make(const clash_report *report, uint32_t group, const char *date, bcf_topic *topic)
{
    *topic = (bcf_topic){.report = report, .group = &report->result->groups[group], .date = date};
    topic->guid = topic->viewpoint = bcf_guid_of(topic->group->id);
    topic->has_snapshot = group < BCF_SNAPSHOTS;
    topic->parts = calloc(BCF_COMPONENTS, sizeof *topic->parts);
    if (!topic->parts) {
        return TUMBLE_ERROR_MEMORY;
    }
    double box[2][3] = {{0}}, small;
    collect_parts(topic);
    collect_box(topic, box);
    tumble_status status = find_small(topic, &small);
    bcf_text text = {0};
    if (status == TUMBLE_OK) {
        set_camera(topic, box, small);
        status = bcf_write_viewpoint(topic, BCF_2_1, &text);
    }
    if (status == TUMBLE_OK) {
        topic->viewpoint = viewpoint_of(&text, topic);
    }
    free(text.bytes);
    return status;
}

void bcf_topic_release(bcf_topic *topic)
{
    free(topic->parts);
    topic->parts = NULL;
}

/* Whether the part contains another one, which could not be seen. */
static int is_around(const bcf_topic *topic, uint32_t part)
{
    for (size_t i = 0; i < topic->group->clash_count; i++) {
        const tumble_clash *clash = &topic->report->result->clashes[topic->group->clashes[i]];
        if ((clash->inside == 1 && clash->b == part) || (clash->inside == 2 && clash->a == part)) {
            return 1;
        }
    }
    return 0;
}

tumble_status bcf_draw(const bcf_topic *topic, bcf_text *out)
{
    const tumble_clash_result *result = topic->report->result;
    const size_t clash_count = topic->group->clash_count;
    snapshot_part *parts = malloc((topic->part_count + 1) * sizeof *parts);
    const tumble_clash_segment **curves = malloc((clash_count + 1) * sizeof *curves);
    size_t *sizes = malloc((clash_count + 1) * sizeof *sizes);
    tumble_status status = parts && curves && sizes ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    if (status == TUMBLE_OK) {
        for (size_t i = 0; i < topic->part_count; i++) {
            const tumble_assembly_part *part = &result->parts[topic->parts[i]];
            parts[i] = (snapshot_part){result->models[part->model], &part->pose,
                                       i < topic->first_count ? 0x2f6fb5 : 0xe08a1e, is_around(topic, topic->parts[i])};
        }
        for (size_t i = 0; i < clash_count; i++) {
            curves[i] = result->clashes[topic->group->clashes[i]].segments;
            sizes[i] = result->clashes[topic->group->clashes[i]].segment_count;
        }
        const snapshot what = {.width = BCF_WIDTH,
                               .height = BCF_HEIGHT,
                               .camera = topic->camera,
                               .parts = parts,
                               .part_count = topic->part_count,
                               .curves = curves,
                               .curve_sizes = sizes,
                               .curve_count = clash_count};
        uint8_t *png;
        status = snapshot_draw(&what, &png, &out->size);
        out->bytes = status == TUMBLE_OK ? (char *)png : NULL;
    }
    free(parts);
    free(curves);
    free(sizes);
    return status;
}
