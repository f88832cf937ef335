/* What `tumble info` and `tumble build` say about a model. */
#ifndef TUMBLE_CLI_MODEL_REPORT_H
#define TUMBLE_CLI_MODEL_REPORT_H

#include <stdio.h>

#include "frame.h"
#include "surfaces.h"
#include "tumble/model.h"

/* The keys and values of an object that is open. */
void cli_json_model(cli_json *json, const tumble_model_info *info, const cli_surfaces *surfaces,
                    const cli_frame *frame);
/* 0 or an exit status */
int cli_print_model(FILE *file, const tumble_model_info *info, const cli_surfaces *surfaces, const cli_frame *frame);

#endif
