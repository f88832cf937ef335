#!/bin/sh
# Runs a program whose OpenCL device is Oclgrind's simulator, which reports accesses outside of an array, races between
# work-items, values that were never written, barriers that not all reach, and wrong calls. Any report is a failure.
#     tests/oclgrind.sh OCLGRIND_LIBRARY FAULT_LIBRARY PROGRAM [ARGUMENT...]
# Calls go through fault_opencl.c, as Oclgrind does not know what of a buffer has been written when it is filled, copied
# to, or written in parts; and functions are not inlined, as it stumbles over what the compiler then adds.
set -eu

oclgrind=$1
fault=$2
shift 2
if [ ! -f "$oclgrind" ]; then
    echo "Oclgrind was not found when this build was configured: install the package oclgrind, or -LE opencl-only" >&2
    exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
TUMBLE_OPENCL_LIBRARY=$fault TUMBLE_FAULT_LIBRARY=$oclgrind TUMBLE_FAULT_WRITE_FILLS=1 \
    OCLGRIND_BUILD_OPTIONS=-fno-inline OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=1 OCLGRIND_CHECK_API=1 \
    OCLGRIND_COMPUTE_UNITS=1 OCLGRIND_MAX_ERRORS=40 OCLGRIND_LOG=$log "$@" || status=$?
if [ -s "$log" ]; then
    head -c 20000 "$log"
    echo "Oclgrind has found faults" >&2
    exit 1
fi
exit "$status"
