#!/bin/sh
# Runs the tests of the pages in a headless Chromium: all, or those named (tests/web/test_NAME.mjs):
#     scripts/web_tests.sh [NAME...]
# Installs puppeteer-core into build/web-tests when it is missing there.
set -eu
cd "$(dirname "$0")/.."

modules=build/web-tests
mkdir -p "$modules"
exec 9>build/web-tests.lock
flock 9
if ! cmp -s tests/web/package.json "$modules/package.json" || [ ! -d "$modules/node_modules/puppeteer-core" ]; then
    cp tests/web/package.json "$modules/package.json.new"
    mv "$modules/package.json.new" "$modules/package.json"
    npm install --prefix "$modules" --no-audit --no-fund --no-package-lock --loglevel=error ||
        { rm -f "$modules/package.json"; exit 1; }
fi
exec 9>&-
node tests/web/run.mjs "$@"
