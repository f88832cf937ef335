#!/bin/sh
# Runs one fuzzer for TUMBLE_FUZZ_SECONDS from its seeds and from what earlier runs found; when the time is not set, for
# 5 seconds from its seeds alone, because the time does not count while known inputs are tried.
#     scripts/run_fuzzer.sh FUZZER SEED_FOLDER WORK_FOLDER [OPTION...]
set -eu

fuzzer=$1
seeds=$2
work=$3
shift 3
if [ -z "$(ls -A "$seeds" 2>/dev/null)" ]; then
    echo "no seeds in $seeds" >&2
    exit 1
fi
if [ -z "${TUMBLE_FUZZ_SECONDS:-}" ]; then
    work=$work-short
    rm -rf "$work"
fi
mkdir -p "$work"
exec "$fuzzer" -max_total_time="${TUMBLE_FUZZ_SECONDS:-5}" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$work-failure-" "$@" "$work" "$seeds"
