/* Where and how a measurement was made, and the clock. */
#ifndef TUMBLE_BENCH_MACHINE_H
#define TUMBLE_BENCH_MACHINE_H

#include "csv.h"

/* The processor's name as the system tells it. */
void bench_processor(char *text, size_t capacity);

/* Ends every row of the table with: processor, instruction set, system, compiler, flags, version, commit, seed, date.
 */
void bench_set_origin(bench_csv *csv, const char *commit, double seed);

/* One line for people. */
void bench_print_origin(FILE *file, const char *commit);

/* Microseconds on a clock that never goes back. */
double bench_microseconds(void);

/* Microseconds of processor time of this thread. */
double bench_thread_microseconds(void);

/* Microseconds of processor time of all threads. */
double bench_process_microseconds(void);

#endif
