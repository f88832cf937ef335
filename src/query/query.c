/* Creates and destroys queries. */
#include "query/query.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"

tumble_status tumble_query_create(tumble_context *context, tumble_query **out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the result is null");
    }
    *out = tmb_allocate(context, 1, sizeof **out);
    if (!*out) {
        return tmb_fail_memory(context, "a query");
    }
    memset(*out, 0, sizeof **out);
    (*out)->context = context;
    return TUMBLE_OK;
}

void tumble_query_destroy(tumble_query *query)
{
    if (!query) {
        return;
    }
    for (int i = 0; i < TMB_SCRATCH_COUNT; i++) {
        if (query->scratch[i].data) {
            query->scratch[i].release(query->context, query->scratch[i].data);
            tmb_release(query->context, query->scratch[i].data);
        }
    }
    tmb_release(query->context, query);
}

tumble_status tmb_query_end(tumble_query *query, tumble_status status)
{
    if (status != TUMBLE_OK) {
        query->error = tmb_last_error(query->context);
        if (query->error.status != status) { /* the message went to a model's context, or 64 threads failed since */
            query->error = (tmb_error){.status = status};
            snprintf(query->error.text, sizeof query->error.text, "%s", tumble_status_text(status));
        }
    }
    return status;
}

tumble_status tumble_query_error(const tumble_query *query, char *text, size_t capacity)
{
    const tmb_error none = {.status = TUMBLE_ERROR_ARGUMENT};
    return tmb_error_tell(query ? &query->error : &none, text, capacity);
}

void *tmb_query_make_scratch(tumble_query *query, tmb_scratch_owner owner, size_t size, tmb_scratch_release *release)
{
    TMB_ASSERT(owner < TMB_SCRATCH_COUNT);
    TMB_ASSERT(size > 0 && release);
    TMB_ASSERT(!query->scratch[owner].data);
    void *scratch = tmb_allocate(query->context, 1, size);
    if (!scratch) {
        (void)tmb_fail_memory(query->context, "the scratch memory of a query");
        return NULL;
    }
    memset(scratch, 0, size);
    query->scratch[owner].data = scratch;
    query->scratch[owner].release = release;
    return scratch;
}
