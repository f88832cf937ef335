/* The progress function of a query: asked now and then by its traversals, it may end them. */
#include "collide/collider.h"
#include "collide/wide/walk.h"

#define STEPS_BETWEEN 64 /* steps of traversals, of some hundred nanoseconds to some ten microseconds each */

static int ask(tmb_watch *watch)
{
    tmb_progress *progress = (tmb_progress *)watch;
    if (--progress->left > 0) {
        return 0;
    }
    progress->left = STEPS_BETWEEN;
    return progress->function(progress->user);
}

static size_t attend(tmb_watch *watch, tmb_wide_walk *walk, size_t waiting)
{
    if (ask(watch)) {
        tmb_collider_cancel(walk->collider);
        return 0;
    }
    return waiting;
}

tumble_status tumble_query_set_progress(tumble_query *query, tumble_query_progress *function, void *user)
{
    static const atomic_int never = 0, always = 1;
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    query->progress = (tmb_progress){
        .watch = {&never, &never, &always, attend, ask}, .function = function, .user = user, .left = STEPS_BETWEEN};
    tmb_query_unwatch(query);
    return TUMBLE_OK;
}
