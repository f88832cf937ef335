/* Writes a case down as a test in C. */
#ifndef TUMBLE_TORTURE_WRITE_H
#define TUMBLE_TORTURE_WRITE_H

#include <stdio.h>

#include "ask.h"

/* Returns 0 when the file cannot be written. `text`: what was wrong. */
int torture_write_test(const torture_case *c, const torture_failure *failure, const char *path);

/* ---- For the files that write ---- */

void torture_write_number(FILE *out, double x);
void torture_write_pose(FILE *out, const tumble_pose *pose);

/* The members of a tuning that differ from the defaults, as statements about `name`. */
void torture_write_tuning(FILE *out, const tumble_tuning *tuning, const char *name);

/* The points and polygons of both shapes, and a function that makes the model of each recipe that is used. */
void torture_write_models(FILE *out, const torture_case *c);

/* The statements that ask question `index` and assert the true answer. */
void torture_write_question(FILE *out, torture_stage *s, size_t index);

/* The same for the kinds about model A alone; poses are written already. */
void torture_write_single(FILE *out, torture_stage *s, torture_question *q);

/* Whether a question uses this recipe. */
int torture_uses_recipe(const torture_case *c, int side, size_t recipe);

#endif
