/* The patent's interface: contexts, errors, and tables of ids. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/col/internal.h"
#include "device/patience.h"

enum {
    QUEUE_CAPACITY = 256
};

colOptions colDefaultOptions(void)
{
    return (colOptions){.device = COL_DEVICE_POOL, .retry_on_cpu = true};
}

/* ---- Errors ---- */

/* Only the first is kept, as in OpenGL: those that follow are mostly its consequences. */
static void keep_error(colContext *context, tumble_status status, const char *text)
{
    pthread_mutex_lock(&context->error_lock);
    if (context->error_status == TUMBLE_OK) {
        context->error_status = status;
        snprintf(context->error_text, sizeof context->error_text, "%s", text);
    }
    pthread_mutex_unlock(&context->error_lock);
}

tumble_status tmb_col_fail(colContext *context, tumble_status status, const char *format, ...)
{
    char text[sizeof context->error_text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    keep_error(context, status, text);
    return tmb_fail(context->tumble, status, "%s", text);
}

tumble_status tmb_col_failed(colContext *context, tumble_status status)
{
    char text[sizeof context->error_text];
    const int is_its = tumble_last_error(context->tumble, text, sizeof text) == status; /* and not another thread's */
    keep_error(context, status, is_its ? text : tumble_status_text(status));
    return status;
}

tumble_status colError(colContext *context, char *text, size_t capacity)
{
    if (text && capacity) {
        text[0] = '\0';
    }
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    pthread_mutex_lock(&context->error_lock);
    const tumble_status status = context->error_status;
    if (text && capacity) {
        snprintf(text, capacity, "%s", context->error_text);
    }
    context->error_status = TUMBLE_OK;
    context->error_text[0] = '\0';
    pthread_mutex_unlock(&context->error_lock);
    return status;
}

/* ---- Ids ---- */

/* Where the id is, or would be. */
static size_t place_of(const tmb_col_table *table, uint64_t id)
{
    const tmb_col_entry *entries = table->entries.data;
    size_t low = 0, high = table->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (entries[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void *tmb_col_find(const tmb_col_table *table, uint64_t id)
{
    const tmb_col_entry *entries = table->entries.data;
    const size_t place = place_of(table, id);
    return place < table->count && entries[place].id == id ? entries[place].item : NULL;
}

int tmb_col_add(colContext *context, tmb_col_table *table, uint64_t id, void *item)
{
    const size_t size = sizeof(tmb_col_entry);
    if (!tmb_buffer_reserve(context->tumble, &table->entries, table->count + 1, size, table->count * size)) {
        return 0;
    }
    tmb_col_entry *place = (tmb_col_entry *)table->entries.data + place_of(table, id);
    const tmb_col_entry *end = (tmb_col_entry *)table->entries.data + table->count;
    memmove(place + 1, place, (size_t)((const char *)end - (const char *)place));
    *place = (tmb_col_entry){id, item};
    table->count++;
    return 1;
}

void tmb_col_remove(tmb_col_table *table, uint64_t id)
{
    tmb_col_entry *entries = table->entries.data;
    const size_t place = place_of(table, id);
    if (place < table->count && entries[place].id == id) {
        table->count--;
        memmove(entries + place, entries + place + 1, (table->count - place) * sizeof *entries);
    }
}

/* ---- Contexts ---- */

static tumble_status open_number(colContext *context, uint32_t number, const colOptions *options)
{
    tumble_device_options device_options = tumble_default_device_options();
    device_options.thread_count = options->thread_count;
    device_options.queue_capacity = options->queue_capacity ? options->queue_capacity : QUEUE_CAPACITY;
    device_options.memory_limit = options->memory_limit;
    device_options.retry_on_cpu = options->retry_on_cpu;
    return tumble_device_open(context->tumble, number, &device_options, &context->device);
}

static tumble_status open_device(colContext *context, const colOptions *options)
{
    if (options->device != COL_DEVICE_GPU) {
        return open_number(context, options->device, options);
    }
    uint32_t count = 0;
    (void)tumble_device_count(context->tumble, &count);
    for (uint32_t i = 1; i < count; i++) {
        tumble_device_info info;
        if (tumble_device_describe(context->tumble, i, &info) == TUMBLE_OK && info.is_gpu &&
            open_number(context, i, options) == TUMBLE_OK) {
            return TUMBLE_OK;
        }
    }
    return open_number(context, COL_DEVICE_POOL, options);
}

/* A context without a device, from a tumble_context that it is to own or not; NULL if memory runs out. */
static colContext *make_context(tumble_context *tumble, int is_own, uint32_t thread_count)
{
    colContext *context = tmb_allocate(tumble, 1, sizeof *context);
    if (!context) {
        (void)tmb_fail_memory(tumble, "a colContext");
        return NULL;
    }
    memset(context, 0, sizeof *context);
    context->tumble = tumble;
    context->is_own = is_own;
    context->thread_count = thread_count;
    if (!tmb_condition_init(&context->changed)) {
        (void)tmb_fail_memory(tumble, "the locks of a colContext");
        tmb_release(tumble, context);
        return NULL;
    }
    pthread_mutex_init(&context->lock, NULL);
    pthread_mutex_init(&context->error_lock, NULL);
    return context;
}

colContext *colInit(const colOptions *options)
{
    const colOptions defaults = colDefaultOptions();
    if (!options) {
        options = &defaults;
    }
    tumble_context *tumble = options->context;
    if (!tumble && tumble_context_create(NULL, &tumble) != TUMBLE_OK) {
        return NULL;
    }
    colContext *context = make_context(tumble, !options->context, options->thread_count);
    if (context && open_device(context, options) == TUMBLE_OK) {
        return context;
    }
    if (context) {
        colShutdown(context);
    } else if (!options->context) {
        tumble_context_destroy(tumble);
    }
    return NULL;
}

void colShutdown(colContext *context)
{
    if (!context) {
        return;
    }
    tumble_context *tumble = context->tumble;
    tumble_device_close(context->device); /* nothing runs from here on */
    const tmb_col_entry *checks = context->checks.entries.data;
    for (size_t i = 0; i < context->checks.count; i++) {
        tmb_col_free_check(context, checks[i].item);
    }
    tmb_col_table *tables[] = {&context->making, &context->objects};
    for (size_t k = 0; k < 2; k++) {
        const tmb_col_entry *objects = tables[k]->entries.data;
        for (size_t i = 0; i < tables[k]->count; i++) {
            tmb_col_free_object(context, objects[i].item);
        }
        tmb_buffer_release(tumble, &tables[k]->entries);
    }
    tmb_buffer_release(tumble, &context->checks.entries);
    pthread_mutex_destroy(&context->error_lock);
    pthread_mutex_destroy(&context->lock);
    pthread_cond_destroy(&context->changed);
    const int is_own = context->is_own;
    tmb_release(tumble, context);
    if (is_own) {
        tumble_context_destroy(tumble);
    }
}
