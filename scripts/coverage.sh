#!/bin/sh
# Runs the tests in the coverage build. Fails if they run less than 95 % of the lines or 90 % of the branches of src/;
# build/coverage/missed.txt lists what did not run. Allocations that fail are tested, so they count like all others.
set -eu
cd "$(dirname "$0")/.."

cmake --preset coverage >/dev/null
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage -j "$(nproc)" -LE packaging -E '^golden'
scripts/coverage.py build/coverage src 95 90
