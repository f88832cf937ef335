/* How a batch on a device ended, as its callback tells a job: without the GIL. */
#ifndef TUMBLE_BINDING_OUTCOME_H
#define TUMBLE_BINDING_OUTCOME_H

#include "binding.h"

typedef struct binding_outcome binding_outcome;

/* NULL without memory. Who made it and who shares it drop it. */
binding_outcome *binding_outcome_new(void);
void binding_outcome_share(binding_outcome *outcome);
void binding_outcome_drop(binding_outcome *outcome);
/* The callback of a batch, whose user data is an outcome that it shares. */
void binding_outcome_end(void *outcome, tumble_ticket ticket, const tumble_ticket_report *report);

bool binding_outcome_is_done(binding_outcome *outcome);
/* Waits at most `seconds`, about a second at most; returns whether it is done. */
bool binding_outcome_wait(binding_outcome *outcome, double seconds);
/* What the device told; for one that is done. */
const tumble_ticket_report *binding_outcome_report(const binding_outcome *outcome);
/* Closes `end`, the written end of a pipe, when it is done, or at once if it is or too many wait: then -1. */
int binding_outcome_wake(binding_outcome *outcome, int end);

#endif
