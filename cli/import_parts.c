/* Parts of a file, from the process that reads it to the assembly. */
#include "import_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assembly/cut.h"

/* ---- writing ---- */

void cli_part_writer_start(cli_part_writer *writer, tumble_context *context)
{
    *writer = (cli_part_writer){.context = context};
}

static tumble_status no_memory(const cli_part_writer *writer)
{
    return tmb_fail_memory(writer->context, "the parts of a file");
}

static int add_word(cli_part_writer *writer, uint32_t word)
{
    return tmb_buffer_append(writer->context, &writer->lists, &writer->list_words, &word, 1, sizeof word);
}

tumble_status cli_part_writer_begin(cli_part_writer *writer)
{
    writer->list_start = writer->list_words;
    return add_word(writer, 0) ? TUMBLE_OK : no_memory(writer);
}

tumble_status cli_part_writer_add_surface(cli_part_writer *writer, uint32_t surface)
{
    if (!add_word(writer, surface)) {
        return no_memory(writer);
    }
    ((uint32_t *)writer->lists.data)[writer->list_start]++;
    return TUMBLE_OK;
}

/* The number of the geometry whose list is the last one. Most parts have one surface, and the geometries of these are
 * found from the end, as files place a mesh several times in a row. */
static int find_geometry(cli_part_writer *writer, uint32_t *number)
{
    const uint32_t *lists = writer->lists.data;
    const size_t *starts = writer->starts.data;
    const size_t words = 1 + (size_t)lists[writer->list_start];
    for (size_t i = writer->geometry_count; i-- > 0;) {
        if (memcmp(lists + starts[i], lists + writer->list_start, words * sizeof *lists) == 0) {
            writer->list_words = writer->list_start;
            *number = (uint32_t)i;
            return 1;
        }
    }
    *number = (uint32_t)writer->geometry_count;
    return tmb_buffer_append(writer->context, &writer->starts, &writer->geometry_count, &writer->list_start, 1,
                             sizeof writer->list_start);
}

static int add_bytes(cli_part_writer *writer, const void *data, size_t size)
{
    return tmb_buffer_append(writer->context, &writer->bytes, &writer->byte_count, data, size, 1);
}

static int add_text(cli_part_writer *writer, const char *text)
{
    return add_bytes(writer, text, strlen(text) + 1);
}

tumble_status cli_part_writer_add(cli_part_writer *writer, const cli_import_part *part)
{
    uint32_t geometry;
    if (!find_geometry(writer, &geometry) || !add_bytes(writer, &geometry, sizeof geometry) ||
        !add_bytes(writer, &part->host, sizeof part->host) ||
        !add_bytes(writer, part->transform, sizeof part->transform) || !add_text(writer, part->name) ||
        !add_text(writer, part->path) || !add_text(writer, part->material) || !add_text(writer, part->class_name) ||
        !add_text(writer, part->guid)) {
        return no_memory(writer);
    }
    writer->part_count++;
    return TUMBLE_OK;
}

tumble_status cli_part_writer_end(cli_part_writer *writer, tmb_buffer *out, size_t *size)
{
    const uint32_t counts[] = {(uint32_t)writer->geometry_count, writer->part_count};
    const struct {
        const void *data;
        size_t size;
    } pieces[] = {{counts, sizeof counts},
                  {writer->lists.data, writer->list_words * sizeof(uint32_t)},
                  {writer->bytes.data, writer->byte_count}};
    *size = 0;
    for (int i = 0; i < 3; i++) {
        if (!tmb_buffer_append(writer->context, out, size, pieces[i].data, pieces[i].size, 1)) {
            return no_memory(writer);
        }
    }
    return TUMBLE_OK;
}

/* ---- reading ---- */

typedef struct part_reader {
    tumble_assembly *assembly;
    tumble_context *context;
    const char *path;
    char *stem; /* the file's name without folder and ending */
    const double *transform;
    const tumble_mesh_buffer *buffer;
    size_t surface_count;
    tmb_cutter cutter;
    const char *at, *end;
    uint32_t *models; /* of geometries */
    uint32_t geometry_count;
    uint32_t *hosts; /* of parts */
    size_t first;    /* of them in the assembly */
} part_reader;

static tumble_status senseless(const part_reader *r)
{
    return tmb_fail(r->context, TUMBLE_ERROR_FORMAT, "what was read of the file makes no sense");
}

static int take(part_reader *r, void *out, size_t size)
{
    if ((size_t)(r->end - r->at) < size) {
        return 0;
    }
    memcpy(out, r->at, size);
    r->at += size;
    return 1;
}

/* NULL: it does not end. */
static const char *take_text(part_reader *r)
{
    const char *text = r->at;
    const char *zero = memchr(text, 0, (size_t)(r->end - r->at));
    r->at = zero ? zero + 1 : r->end;
    return zero ? text : NULL;
}

static tumble_status read_geometry(part_reader *r, uint32_t number)
{
    uint32_t count;
    tumble_mesh mesh;
    if (!take(r, &count, sizeof count) || count == 0 || count > (size_t)(r->end - r->at) / sizeof count) {
        return senseless(r);
    }
    uint32_t *surfaces = tmb_allocate(r->context, count, sizeof *surfaces);
    if (!surfaces) {
        return tmb_fail_memory(r->context, "the parts of a file");
    }
    (void)take(r, surfaces, count * sizeof *surfaces);
    tumble_status status = TUMBLE_OK;
    for (uint32_t i = 0; i < count && status == TUMBLE_OK; i++) {
        status = surfaces[i] < r->surface_count ? TUMBLE_OK : senseless(r);
    }
    if (status == TUMBLE_OK) {
        status = tmb_cut(&r->cutter, surfaces, count, &mesh);
    }
    if (status == TUMBLE_OK) {
        status = mesh.index_count ? tumble_assembly_add_mesh(r->assembly, &mesh, &r->models[number]) : senseless(r);
    }
    tmb_release(r->context, surfaces);
    return status;
}

/* First `inner`, then `outer`. */
static void compose(const double outer[12], const double inner[12], double out[12])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            out[4 * i + j] = j == 3 ? outer[4 * i + 3] : 0;
            for (int k = 0; k < 3; k++) {
                out[4 * i + j] += outer[4 * i + k] * inner[4 * k + j];
            }
        }
    }
}

static tumble_status add_item(part_reader *r, const char *inner_path, tumble_assembly_item *item)
{
    const size_t size = strlen(r->stem) + strlen(inner_path) + 1;
    char *path = tmb_allocate(r->context, size, 1);
    if (!path) {
        return tmb_fail_memory(r->context, "the path of a part");
    }
    snprintf(path, size, "%s%s", r->stem, inner_path);
    item->path = path;
    item->name = *item->name ? item->name : r->stem;
    item->file = r->path;
    const tumble_status status = tumble_assembly_add(r->assembly, item);
    tmb_release(r->context, path);
    return status;
}

static tumble_status read_part(part_reader *r, uint32_t number)
{
    uint32_t geometry;
    double own[12], transform[12];
    if (!take(r, &geometry, sizeof geometry) || (geometry >= r->geometry_count && geometry != CLI_IMPORT_NONE) ||
        !take(r, &r->hosts[number], sizeof *r->hosts) || !take(r, own, sizeof own)) {
        return senseless(r);
    }
    const char *texts[5];
    for (int i = 0; i < 5; i++) {
        texts[i] = take_text(r);
        if (!texts[i]) {
            return senseless(r);
        }
    }
    const int has_geometry = geometry != CLI_IMPORT_NONE;
    compose(r->transform, own, transform);
    tumble_assembly_item item = {.name = texts[0],
                                 .material = texts[2],
                                 .class_name = texts[3],
                                 .guid = texts[4],
                                 .model = has_geometry ? r->models[geometry] : 0,
                                 .transform = transform,
                                 .broken = has_geometry ? NULL : "no polygons"};
    return add_item(r, texts[1], &item);
}

static tumble_status set_hosts(const part_reader *r, uint32_t count)
{
    const uint32_t first = (uint32_t)r->first;
    tumble_status status = TUMBLE_OK;
    for (uint32_t i = 0; i < count && status == TUMBLE_OK; i++) {
        if (r->hosts[i] != CLI_IMPORT_NONE) {
            status = r->hosts[i] < count ? tumble_assembly_set_host(r->assembly, first + i, first + r->hosts[i])
                                         : senseless(r);
        }
    }
    return status;
}

enum {
    LEAST_PART_BYTES = 2 * sizeof(uint32_t) + 12 * sizeof(double) + 5
};

static tumble_status read_parts(part_reader *r)
{
    uint32_t counts[2];
    if (!take(r, counts, sizeof counts) || counts[0] > (size_t)(r->end - r->at) / sizeof(uint32_t) ||
        counts[1] > (size_t)(r->end - r->at) / LEAST_PART_BYTES) {
        return senseless(r);
    }
    r->geometry_count = counts[0];
    r->models = tmb_allocate(r->context, r->geometry_count, sizeof *r->models);
    r->hosts = tmb_allocate(r->context, counts[1], sizeof *r->hosts);
    tumble_status status = r->models && r->hosts ? TUMBLE_OK : tmb_fail_memory(r->context, "the parts of a file");
    for (uint32_t i = 0; i < r->geometry_count && status == TUMBLE_OK; i++) {
        status = read_geometry(r, i);
    }
    for (uint32_t i = 0; i < counts[1] && status == TUMBLE_OK; i++) {
        status = read_part(r, i);
    }
    if (status == TUMBLE_OK) {
        status = set_hosts(r, counts[1]);
    }
    tmb_release(r->context, r->models);
    tmb_release(r->context, r->hosts);
    return status;
}

/* Whether the reply names parts, with polygons or without. */
static int has_parts(const cli_import_reply *reply)
{
    uint32_t counts[2] = {0, 0};
    if (reply->part_bytes >= sizeof counts) {
        memcpy(counts, reply->parts.data, sizeof counts);
    }
    return counts[1] > 0;
}

/* ---- surfaces as parts ---- */

/* A copy of the n-th name of a surface, "" if there is none. */
static char *name_of(const part_reader *r, uint32_t surface, int which)
{
    const uint32_t *names = r->buffer->surface_names.data;
    const size_t *ends = r->buffer->name_ends.data;
    const uint32_t number =
        surface < r->buffer->named_count ? names[(size_t)surface * TMB_NAME_PARTS + (size_t)which] : 0;
    const size_t start = number > 1 ? ends[number - 2] : 0, length = number > 0 ? ends[number - 1] - start : 0;
    char *name = tmb_allocate(r->context, length + 1, 1);
    if (name) {
        memcpy(name, length ? (const char *)r->buffer->names.data + start : "", length);
        name[length] = '\0';
    }
    return name;
}

/* Surfaces of IFC files are products: class, name and GUID. */
static tumble_status add_product(part_reader *r, uint32_t surface)
{
    tumble_mesh mesh;
    tumble_assembly_item item = {.transform = r->transform};
    char *names[3] = {NULL};
    int has_room = 1;
    tumble_status status = tmb_cut(&r->cutter, &surface, 1, &mesh);
    for (int i = 0; i < 3; i++) {
        names[i] = name_of(r, surface, i);
        has_room = has_room && names[i];
    }
    char *path = has_room ? tmb_allocate(r->context, strlen(names[1]) + 2, 1) : NULL;
    if (status == TUMBLE_OK && !path) {
        status = tmb_fail_memory(r->context, "the names of a part");
    }
    if (status == TUMBLE_OK && mesh.index_count > 0) {
        status = tumble_assembly_add_mesh(r->assembly, &mesh, &item.model);
    }
    if (status == TUMBLE_OK) {
        item.name = names[1], item.class_name = names[0], item.guid = names[2];
        item.broken = mesh.index_count > 0 ? NULL : "no polygons";
        snprintf(path, strlen(names[1]) + 2, "/%s", names[1]);
        status = add_item(r, path, &item);
    }
    tmb_release(r->context, path);
    for (int i = 0; i < 3; i++) {
        tmb_release(r->context, names[i]);
    }
    return status;
}

static tumble_status add_empty(part_reader *r)
{
    tumble_assembly_item item = {.name = "", .broken = "no polygons"};
    return add_item(r, "", &item);
}

tumble_status cli_add_import_parts(tumble_assembly *assembly, const char *path, const cli_import_reply *reply,
                                   const double transform[12])
{
    const tumble_mesh *mesh = tumble_mesh_buffer_mesh(reply->buffer);
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path, *dot = strrchr(name, '.');
    part_reader r = {.assembly = assembly,
                     .context = reply->buffer->context,
                     .path = path,
                     .transform = transform,
                     .buffer = reply->buffer,
                     .surface_count = reply->buffer->named_count ? reply->buffer->named_count : 1,
                     .at = reply->parts.data,
                     .end = (const char *)reply->parts.data + reply->part_bytes};
    r.stem = strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
    tumble_status status = r.stem ? TUMBLE_OK : tmb_fail_memory(r.context, "the name of a file");
    (void)tumble_assembly_parts(assembly, &r.first);
    if (status == TUMBLE_OK && mesh->polygon_count == 0 && !has_parts(reply)) {
        status = add_empty(&r);
    } else if (status == TUMBLE_OK) {
        status = tmb_cutter_begin(&r.cutter, r.context, mesh, r.surface_count);
        if (status == TUMBLE_OK && reply->part_bytes > 0) {
            status = read_parts(&r);
        } else {
            for (uint32_t i = 0; i < r.surface_count && status == TUMBLE_OK; i++) {
                status = add_product(&r, i);
            }
        }
        tmb_cutter_end(&r.cutter);
    }
    free(r.stem);
    return status;
}
