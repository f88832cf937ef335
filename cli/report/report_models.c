/* The geometry of a report: each model once, corners welded, as floats. */
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "report_data.h"
#include "report_shape.h"

typedef struct welded {
    float (*points)[3];
    uint32_t *indices;
    uint32_t point_count, triangle_count;
    uint32_t *slots; /* of a hash table: point + 1 */
    size_t slot_mask;
} welded;

static void release(welded *w)
{
    free(w->points);
    free(w->indices);
    free(w->slots);
}

static int allocate(welded *w, uint64_t triangle_count)
{
    size_t slots = 16;
    while (slots < 6 * triangle_count) {
        slots *= 2;
    }
    *w = (welded){.triangle_count = (uint32_t)triangle_count, .slot_mask = slots - 1};
    w->points = malloc((size_t)(3 * triangle_count + 1) * sizeof *w->points);
    w->indices = malloc((size_t)(3 * triangle_count + 1) * sizeof *w->indices);
    w->slots = calloc(slots, sizeof *w->slots);
    return w->points && w->indices && w->slots;
}

static int is_same_point(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static uint32_t enter(welded *w, const double corner[3])
{
    /* 0 is added so that -0 is 0. */
    const float point[3] = {(float)corner[0] + 0.0F, (float)corner[1] + 0.0F, (float)corner[2] + 0.0F};
    uint32_t bits[3];
    memcpy(bits, point, sizeof bits);
    uint64_t hash = bits[0] * 0x9e3779b97f4a7c15U;
    hash = (hash ^ hash >> 29 ^ bits[1]) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ hash >> 31 ^ bits[2]) * 0x94d049bb133111ebU;
    size_t slot = (size_t)(hash >> 20) & w->slot_mask;
    while (w->slots[slot]) {
        if (is_same_point(w->points[w->slots[slot] - 1], point)) {
            return w->slots[slot] - 1;
        }
        slot = (slot + 1) & w->slot_mask;
    }
    memcpy(w->points[w->point_count], point, sizeof point);
    w->slots[slot] = ++w->point_count;
    return w->point_count - 1;
}

static tumble_status weld(const report_shape *shape, welded *w)
{
    if (shape->count > UINT32_MAX / 3) {
        return TUMBLE_ERROR_TOO_LARGE;
    }
    if (!allocate(w, shape->count)) {
        return TUMBLE_ERROR_MEMORY;
    }
    for (size_t i = 0; i < 3 * shape->count; i++) {
        w->indices[i] = enter(w, shape->corners[i / 3][i % 3]);
    }
    return TUMBLE_OK;
}

/* A model's number, its counts, whether it is closed, points, corners. */
static size_t write_model(base64_stream *out, uint32_t number, const welded *w, bool closed)
{
    base64_put_u32(out, number);
    base64_put_u32(out, w->point_count);
    base64_put_u32(out, w->triangle_count);
    base64_put_u32(out, closed);
    for (uint32_t i = 0; i < w->point_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            base64_put_float(out, w->points[i][axis]);
        }
    }
    for (size_t i = 0; i < 3 * (size_t)w->triangle_count; i++) {
        base64_put_u32(out, w->indices[i]);
    }
    return 16 + 12 * ((size_t)w->point_count + w->triangle_count);
}

typedef struct models_writer {
    clash_report *report;
    report_file file;
    base64_stream stream;
    size_t bytes;
    uint32_t file_count;
} models_writer;

static tumble_status end_file(models_writer *writer, tumble_status status)
{
    if (!writer->file.file) {
        return status;
    }
    base64_finish(&writer->stream);
    fputs("\");\n", writer->file.file);
    writer->bytes = 0;
    return report_file_close(writer->report, &writer->file, status);
}

static tumble_status begin_file(models_writer *writer)
{
    char name[64];
    snprintf(name, sizeof name, "data/models-%u.js", (unsigned)writer->file_count);
    const tumble_status status = report_file_open(writer->report, name, &writer->file);
    if (status == TUMBLE_OK) {
        fprintf(writer->file.file, "TumbleReport.models(%u,\"", (unsigned)writer->file_count);
        writer->stream = (base64_stream){writer->file.file, 0, 0};
        writer->file_count++;
    }
    return status;
}

static tumble_status add_model(models_writer *writer, uint32_t number)
{
    const tumble_model *model = writer->report->result->models[number];
    report_shape shape;
    welded w = {0};
    tumble_status status = report_shape_make(model, REPORT_SHAPE_SIDES, &shape);
    if (status == TUMBLE_OK) {
        status = weld(&shape, &w);
    }
    if (status == TUMBLE_OK && !writer->file.file) {
        status = begin_file(writer);
    }
    if (status == TUMBLE_OK) {
        writer->bytes += write_model(&writer->stream, number, &w, shape.closed);
    }
    release(&w);
    report_shape_release(&shape);
    return status;
}

tumble_status report_write_models(clash_report *report, report_files *files)
{
    models_writer writer = {.report = report};
    tumble_status status = TUMBLE_OK;
    for (uint32_t i = 0; i < report->result->model_count && status == TUMBLE_OK; i++) {
        status = add_model(&writer, i);
        if (status == TUMBLE_OK && writer.bytes >= REPORT_FILE_BYTES) {
            status = end_file(&writer, status);
        }
    }
    files->model_count = writer.file_count;
    return end_file(&writer, status);
}
