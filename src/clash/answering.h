/* A question while it is answered. */
#ifndef TUMBLE_SRC_CLASH_ANSWERING_H
#define TUMBLE_SRC_CLASH_ANSWERING_H

#include "clash/clashes.h"
#include "tumble/proximity.h"

typedef struct tmb_answering {
    tumble_query *query;
    const tumble_clashes *clashes;
    const tmb_clash_question *question;
    const tumble_model *a, *b;
    tmb_clash_answer *answer;
    double longest; /* of all pieces of the contact curve, squared */
} tmb_answering;

/* The failure of a query becomes that of the run. */
tumble_status tmb_clash_told_by_query(const tmb_answering *r, tumble_status status);

/* How deep two parts are in each other, within the budget; their normal is set, too. */
tumble_status tmb_clash_find_depth(tmb_answering *r);

#endif
