/* Facts about pairs: searching, judging and dropping them. */
#include "scene/facts.h"

#include <string.h>

#include "query/motion.h"
#include "tree/model.h"

#define ROUNDING 0x1p-40 /* of sums of motions and limits: more than their errors */

size_t tmb_facts_find(const tmb_fact_list *list, uint64_t key)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (tmb_fact_at(list, middle)->key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- How far they have moved ---- */

double tmb_fact_motion(const tmb_fact *fact, const tumble_model *b, const tumble_pose *relative)
{
    const tmb_encounter e = {.b = b, .relative = *relative};
    return tmb_encounter_motion(&e, &fact->relative);
}

int tmb_fact_stays_apart(const tmb_fact *fact, const tumble_model *b, const tumble_pose *relative, double limit)
{
    if (!fact->is_apart || !(limit <= fact->apart)) {
        return 0;
    }
    const double moved = tmb_fact_motion(fact, b, relative);
    return (moved + limit) * (1 + ROUNDING) <= fact->apart || (moved == 0 && limit <= fact->apart);
}

uint64_t tmb_fact_models(const tumble_model *a, const tumble_model *b)
{
    const uint64_t x = a->block->checksum, y = b->block->checksum * 0x9e3779b97f4a7c15u;
    return a->edit || b->edit ? 0 : (x ^ (y << 31 | y >> 33)) | 1;
}

/* ---- Dropping ---- */

static int rank_of(const tmb_fact *fact)
{
    return fact->worth ? 32 - __builtin_clz(fact->worth) : 0;
}

/* Whole ranks go first; of the last one, the later pairs. */
void tmb_facts_trim(tmb_fact_list *list, size_t most)
{
    size_t counts[33] = {0}, kept = 0;
    if (list->count <= most) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        counts[rank_of(tmb_fact_at(list, i))]++;
    }
    int least = 32;
    while (least > 0 && kept + counts[least] <= most) {
        kept += counts[least--];
    }
    size_t rest = most - kept, at = 0; /* room for some of rank `least` */
    for (size_t i = 0; i < list->count; i++) {
        const int rank = rank_of(tmb_fact_at(list, i));
        if (rank > least || (rank == least && rest > 0)) {
            rest -= rank == least;
            *tmb_fact_at(list, at++) = *tmb_fact_at(list, i);
        }
    }
    list->count = at;
}
