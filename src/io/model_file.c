/* Models as files: a file is the model's block. */
#include <string.h>

#include "io/file.h"
#include "tree/model.h"
#include "tumble/io.h"

tumble_status tumble_model_save(const tumble_model *model, const char *path)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!path) {
        return tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "path is null");
    }
    size_t size;
    const void *block = tumble_model_block(model, &size);
    if (!block) {
        return TUMBLE_ERROR_MEMORY;
    }
    tmb_output output;
    const tumble_status status = tmb_output_open(model->context, path, &output);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_output_write(&output, block, size);
    return tmb_output_commit(&output);
}

/* What cannot be mapped, such as a pipe, is read and copied. */
static tumble_status load_copy(tumble_context *context, const char *path, tumble_model **out)
{
    tmb_buffer data = {0};
    size_t size;
    tumble_status status = tmb_file_read(context, path, &data, &size);
    if (status == TUMBLE_OK) {
        status = tumble_model_from_block(context, data.data, size, 1, out);
    }
    tmb_buffer_release(context, &data);
    return status;
}

tumble_status tumble_model_load(tumble_context *context, const char *path, tumble_model **out)
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
    void *mapping;
    size_t size;
    tumble_status status = tmb_file_map(context, path, &mapping, &size);
    if (status == TUMBLE_OK && !mapping) {
        return load_copy(context, path, out);
    }
    if (status == TUMBLE_OK) {
        status = tmb_model_from_mapping(context, mapping, size, tmb_file_unmap, out);
        if (status != TUMBLE_OK) {
            tmb_file_unmap(mapping, size);
        }
    }
    return status;
}

tumble_status tumble_is_model_file(tumble_context *context, const char *path, bool *out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!path || !out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s is null", path ? "out" : "path");
    }
    *out = false;
    char start[sizeof TMB_BLOCK_MAGIC - 1];
    size_t size;
    const tumble_status status = tmb_file_read_start(context, path, start, sizeof start, &size);
    if (status == TUMBLE_OK) {
        *out = size == sizeof start && memcmp(start, TMB_BLOCK_MAGIC, sizeof start) == 0;
    }
    return status;
}
