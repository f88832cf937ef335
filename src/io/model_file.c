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

static int starts_like_model(const void *data, size_t size)
{
    return size >= sizeof TMB_BLOCK_MAGIC - 1 && memcmp(data, TMB_BLOCK_MAGIC, sizeof TMB_BLOCK_MAGIC - 1) == 0;
}

/* What is wrong with a block, of which only the caller knows that it is a file. */
static tumble_status name_file(tumble_context *context, tumble_status status, const char *path, int is_model)
{
    if (status != TUMBLE_ERROR_FORMAT) {
        return status;
    }
    if (!is_model) {
        return tmb_fail(context, status,
                        "%.300s: it does not start like a saved model, or its line ends were converted on the way; "
                        "meshes are read by tumble_mesh_read",
                        path);
    }
    const tmb_error error = tmb_last_error(context);
    const char *advice = strstr(error.text, "build it again") ? "" : "; build it again";
    return tmb_fail(context, status, "%.200s: %.250s%s", path, error.text, advice);
}

/* What cannot be mapped, such as a pipe, is read and copied. */
static tumble_status load_copy(tumble_context *context, const char *path, tumble_model **out)
{
    tmb_buffer data = {0};
    size_t size;
    tumble_status status = tmb_file_read(context, path, &data, &size);
    if (status == TUMBLE_OK) {
        status = tumble_model_from_block(context, data.data, size, 1, out);
        status = name_file(context, status, path, starts_like_model(data.data, size));
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
            status = name_file(context, status, path, starts_like_model(mapping, size));
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
        *out = starts_like_model(start, size);
    }
    return status;
}
