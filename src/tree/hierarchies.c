/* The table of hierarchies, from TUMBLE_HIERARCHY_LIST. */
#include "tree/hierarchy.h"

#include "base/assert.h"

static const tmb_hierarchy *const table[] = {
#if defined(TUMBLE_WIDE_ONLY)
    [TUMBLE_HIERARCHY_AUTO] = &tmb_hierarchy_WIDE,
    [TUMBLE_HIERARCHY_WIDE] = &tmb_hierarchy_WIDE,
    [TUMBLE_HIERARCHY_BRUTE] = &tmb_hierarchy_BRUTE,
#else
#define ROW(name, number, word, text) [number] = &tmb_hierarchy_##name,
    TUMBLE_HIERARCHY_LIST(ROW)
#undef ROW
#endif
};

const tmb_hierarchy *tmb_hierarchy_numbered(uint32_t number)
{
    return number < sizeof table / sizeof *table ? table[number] : NULL;
}

const tmb_hierarchy *tmb_hierarchy_of(const tmb_block *block)
{
    TMB_ASSERT(tmb_hierarchy_numbered(block->hierarchy));
    return table[block->hierarchy];
}

int tmb_hierarchies_have_valid_tuning(const tumble_tuning *tuning)
{
    int valid = 1;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i] && table[i]->builder->has_valid_tuning) {
            valid &= table[i]->builder->has_valid_tuning(tuning);
        }
    }
    return valid;
}

const char *tumble_hierarchy_name(tumble_hierarchy hierarchy)
{
    switch (hierarchy) {
#define CASE(name, number, word, text) \
    case TUMBLE_HIERARCHY_##name: return word;
        TUMBLE_HIERARCHY_LIST(CASE)
#undef CASE
    }
    return "unknown";
}
