#!/bin/sh
# Runs the tests of the pages in a headless Chromium: all, or those named (tests/web/test_NAME.mjs):
#     scripts/web_tests.sh [NAME...]
set -eu
cd "$(dirname "$0")/.."

scripts/web_modules.sh
node tests/web/run.mjs "$@"
