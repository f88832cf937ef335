/* The commands of tumble_bench. Each returns the exit status: 1 when answers differ. */
#ifndef TUMBLE_BENCH_COMMANDS_H
#define TUMBLE_BENCH_COMMANDS_H

#include "settings.h"

int bench_run_tumbling(const bench_settings *settings);
int bench_run_build(const bench_settings *settings);
int bench_run_growth(const bench_settings *settings);
int bench_run_deform(const bench_settings *settings);
int bench_run_edit(const bench_settings *settings);
int bench_run_papers(const bench_settings *settings);
int bench_run_proximity(const bench_settings *settings);
int bench_run_device(const bench_settings *settings);
int bench_run_scene(const bench_settings *settings);
int bench_run_operations(const bench_settings *settings);

#endif
