/* Results by callback: pairs arrive while the query runs, and it can be stopped once enough are known. */
#include <stdio.h>

#include "models.h"
#include "tumble/tumble.h"

typedef struct tally {
    size_t pairs, wanted;
} tally;

static int count_pairs(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                       size_t contact_count)
{
    (void)pairs, (void)contacts, (void)contact_count;
    tally *t = user;
    t->pairs += pair_count;
    return t->pairs >= t->wanted;
}

int main(void)
{
    models_mesh mesh = {0};
    tumble_context *context = NULL;
    tumble_model *model = NULL;
    tumble_query *query = NULL;
    if (!models_make_sized(&mesh, "torus", 20000)) {
        return 1;
    }
    const tumble_mesh view = models_view(&mesh);
    int failed = tumble_context_create(NULL, &context) != TUMBLE_OK ||
                 tumble_model_create(context, &view, NULL, &model) != TUMBLE_OK ||
                 tumble_query_create(context, &query) != TUMBLE_OK;
    if (!failed) {
        tally t = {0, 100};
        const tumble_pose pose = models_tumbling_pose(1, 7, 0.5);
        tumble_collide_options options = tumble_default_collide_options();
        options.callback = count_pairs;
        options.callback_user = &t;
        tumble_collide_result result = {.size = sizeof result};
        const tumble_status status = tumble_collide(query, model, NULL, model, &pose, &options, &result);
        printf("%s after %zu pairs\n", status == TUMBLE_ERROR_CANCELLED ? "stopped" : "finished", t.pairs);
        failed = status != TUMBLE_ERROR_CANCELLED;
    }
    tumble_query_destroy(query);
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    models_free(&mesh);
    return failed;
}
