/* Splits a wide hierarchy into the parts of a traversal. */
#include "self/wide.h"

#include "base/assert.h"

#define STARTS 64 /* about */

static int append(tmb_self *self, tmb_buffer *list, size_t *count, const tmb_self_nodes *pairs, size_t more)
{
    return tmb_buffer_append(self->query->context, list, count, pairs, more, sizeof *pairs);
}

/* The pairs of the next level; the lowest stay. Returns whether there was memory, and whether any was opened. */
static int open_level(tmb_self *self, tmb_self_part *part, const tmb_buffer *from, size_t *count, tmb_buffer *to,
                      int *opens)
{
    const tmb_self_nodes *pairs = from->data;
    tmb_self_nodes opened[TMB_SELF_OPENED];
    size_t opened_count = 0;
    int works = 1;
    *opens = 0;
    for (size_t i = 0; works && i < *count; i++) {
        const int stays = tmb_self_is_lowest(self->model->nodes, pairs[i]);
        const size_t more =
            stays ? 1 : TMB_PICK_KERNEL(self->query->context, tmb_self_open_wide)(self, part, pairs[i], opened);
        works = append(self, to, &opened_count, stays ? &pairs[i] : opened, more);
        *opens |= !stays;
    }
    *count = opened_count;
    return works;
}

static size_t split(tmb_self *self, tmb_self_part *part)
{
    tmb_buffer *starts = &self->scratch->starts[0], *next = &self->scratch->starts[1];
    const tmb_self_nodes root = {0, 0};
    size_t count = 0;
    int works = append(self, starts, &count, &root, 1), opens = 1;
    while (works && opens && count < STARTS) {
        works = open_level(self, part, starts, &count, next, &opens);
        tmb_buffer *const opened = next;
        next = starts;
        starts = opened;
    }
    if (!works) {
        self->status = tmb_fail_memory(self->query->context, "the walk of a query");
    }
    self->starts = starts->data;
    return works ? count : 0;
}

static void visit(tmb_self *self, tmb_self_part *part, size_t start)
{
    const tmb_self_nodes pair = ((const tmb_self_nodes *)self->starts)[start];
    TMB_PICK_KERNEL(self->query->context, tmb_self_visit_wide)(self, part, start, pair);
}

const tmb_self_walk tmb_self_wide = {split, visit};
