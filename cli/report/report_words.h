/* What all formats of a report say in the same words. */
#ifndef TUMBLE_CLI_REPORT_WORDS_H
#define TUMBLE_CLI_REPORT_WORDS_H

#include <stdio.h>

#include "tumble/clash.h"

/* What a person said, while the clash is what it was; else what has become of it. As in clashes.json. */
const char *report_status(const tumble_clash *clash);

/* The part's name, or the end of its path, or its key; of side 0 (A) or 1 (B). Also of parts that are gone. */
const char *report_side_name(const tumble_clash_result *result, const tumble_clash *clash, int side);

/* The part of a side, or NULL when it is gone. */
const tumble_assembly_part *report_side(const tumble_clash_result *result, const tumble_clash *clash, int side);

/* "12.3 mm", "0.25" without a known unit: four digits. */
typedef struct report_length {
    char text[40];
} report_length;
report_length report_length_of(const tumble_clash_result *result, double length);

/* "depth 12.3 mm", "gap 4 mm" or nothing. */
report_length report_size_of(const tumble_clash_result *result, const tumble_clash *clash);

/* Text of XML: characters that have none become U+FFFD. */
void report_write_xml(FILE *file, const char *text);

#endif
