#!/bin/sh
# Runs the tests in the coverage build and tells which share of the lines and branches ran.
# The page for each file is build/coverage/report/index.html.
set -eu
cd "$(dirname "$0")/.."

cmake --preset coverage >/dev/null
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage -j "$(nproc)"
mkdir -p build/coverage/report
gcovr --root . --filter src/ --filter cli/ --filter models/ --exclude-throw-branches --print-summary \
    --html-details build/coverage/report/index.html build/coverage
