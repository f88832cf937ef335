#!/bin/sh
# Installs the npm packages of tests/web/package.json into build/web-tests when they are missing there, for the tests of
# the package and of the pages, and for the benchmark beside three-mesh-bvh.
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
