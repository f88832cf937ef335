/* Options that tune single hierarchies. */
#ifndef TUMBLE_SRC_TREE_TUNING_H
#define TUMBLE_SRC_TREE_TUNING_H

#include "tree/kdop/sets.h"
#include "tree/model.h"
#include "tumble/hierarchies.h"

extern const tumble_tuning tmb_default_tuning;

static inline const tumble_tuning *tmb_tuning_or_default(const tumble_tuning *tuning)
{
    return tuning ? tuning : &tmb_default_tuning;
}

/* What a block says of the tuning that it was built with; the rest is the default. */
void tmb_tuning_of(const tmb_block *block, tumble_tuning *out);

/* Whether all values exist: those for building models, and those for queries. */
tumble_status tmb_tuning_check_build(tumble_context *context, const tumble_tuning *tuning);
tumble_status tmb_tuning_check_walk(tumble_context *context, const tumble_tuning *tuning);

#endif
