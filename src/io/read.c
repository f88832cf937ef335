/* Reads a mesh: detects the format, calls its reader, merges equal points. */
#include <string.h>

#include "io/extension.h"
#include "io/file.h"
#include "io/readers.h"
#include "tree/model.h"

static tumble_format detect(const tmb_source *source)
{
    if (tmb_looks_like_ply(source)) {
        return TUMBLE_FORMAT_PLY;
    }
    if (tmb_looks_like_off(source)) {
        return TUMBLE_FORMAT_OFF;
    }
    if (tmb_looks_like_stl(source)) {
        return TUMBLE_FORMAT_STL;
    }
    return tmb_looks_like_obj(source) ? TUMBLE_FORMAT_OBJ : TUMBLE_FORMAT_AUTO;
}

static int is_saved_model(const tmb_source *source)
{
    const size_t length = strlen(TMB_BLOCK_MAGIC);
    return source->size >= length && memcmp(source->data, TMB_BLOCK_MAGIC, length) == 0;
}

/* What a clone without Git LFS has in the place of a large file. */
static int is_lfs_pointer(const tmb_source *source)
{
    static const char start[] = "version https://git-lfs.github.com/spec/";
    return source->size >= sizeof start - 1 && memcmp(source->data, start, sizeof start - 1) == 0;
}

/* Contents come first; the name decides only for empty and broken files. */
static tumble_status choose_format(const tmb_source *source, tumble_format *format)
{
    const char *name = source->name ? source->name : "the data";
    if (is_saved_model(source)) {
        return tmb_fail(source->context, TUMBLE_ERROR_UNSUPPORTED,
                        "%.300s: a saved model, not a mesh: load it with tumble_model_load", name);
    }
    if (is_lfs_pointer(source)) {
        return tmb_fail(source->context, TUMBLE_ERROR_FORMAT,
                        "%.300s: a Git LFS pointer, not the file itself: fetch that with 'git lfs pull'", name);
    }
    *format = detect(source);
    if (*format == TUMBLE_FORMAT_OBJ && source->name && tmb_is_foreign_name(source->name)) {
        *format = TUMBLE_FORMAT_AUTO;
    }
    if (*format == TUMBLE_FORMAT_AUTO && source->name) {
        *format = tmb_format_of_name(source->name);
    }
    if (*format == TUMBLE_FORMAT_AUTO) {
        return tmb_fail(source->context, TUMBLE_ERROR_UNSUPPORTED, "%.300s: none of OBJ, OFF, STL and PLY", name);
    }
    return TUMBLE_OK;
}

static tumble_status read_format(const tmb_source *source, tumble_format format, tumble_mesh_buffer *buffer)
{
    switch (format) {
    case TUMBLE_FORMAT_OBJ: return tmb_read_obj(source, buffer);
    case TUMBLE_FORMAT_OFF: return tmb_read_off(source, buffer);
    case TUMBLE_FORMAT_STL:
    case TUMBLE_FORMAT_STL_TEXT: return tmb_read_stl(source, buffer);
    case TUMBLE_FORMAT_PLY:
    case TUMBLE_FORMAT_PLY_TEXT: return tmb_read_ply(source, buffer);
    case TUMBLE_FORMAT_AUTO: break;
    }
    return tmb_fail(source->context, TUMBLE_ERROR_ARGUMENT, "there is no format number %d", (int)format);
}

static tumble_status read_source(const tmb_source *source, tumble_format format, tumble_mesh_buffer **out)
{
    if (format == TUMBLE_FORMAT_AUTO) {
        const tumble_status status = choose_format(source, &format);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    tumble_mesh_buffer *buffer = NULL;
    tumble_status status = tmb_mesh_buffer_create(source->context, &buffer);
    if (status == TUMBLE_OK) {
        status = read_format(source, format, buffer);
    }
    if (status == TUMBLE_OK) {
        status = tmb_mesh_buffer_finish(buffer);
    }
    if (status != TUMBLE_OK) {
        tumble_mesh_buffer_destroy(buffer);
        return status;
    }
    *out = buffer;
    return TUMBLE_OK;
}

tumble_status tumble_mesh_read_memory(tumble_context *context, const void *data, size_t size, tumble_format format,
                                      tumble_mesh_buffer **out)
{
    if (out) {
        *out = NULL;
    }
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out || (!data && size)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s is null", out ? "data" : "out");
    }
    const tmb_source source = {context, NULL, data ? data : "", size};
    return read_source(&source, format, out);
}

tumble_status tumble_mesh_read(tumble_context *context, const char *path, tumble_mesh_buffer **out)
{
    if (out) {
        *out = NULL;
    }
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!path || !out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s is null", path ? "out" : "path");
    }
    tmb_buffer data = {0};
    size_t size;
    tumble_status status = tmb_file_read(context, path, &data, &size);
    if (status == TUMBLE_OK) {
        const tmb_source source = {context, path, data.data, size};
        status = read_source(&source, TUMBLE_FORMAT_AUTO, out);
    }
    tmb_buffer_release(context, &data);
    return status;
}
