/* What `tumble info` and `tumble build` say about a model. */
#ifndef TUMBLE_CLI_MODEL_REPORT_H
#define TUMBLE_CLI_MODEL_REPORT_H

#include <stdio.h>

#include "json.h"
#include "one_model.h"

/* The keys and values of an object that is open. */
void cli_json_model(cli_json *json, const cli_one_model *one);
/* 0 or an exit status */
int cli_print_model(FILE *file, const cli_one_model *one);

#endif
