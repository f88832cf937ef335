#!/bin/bash
# Builds the npm package tumble-collision (bindings/web) in build/web/package, and tests it with Node.js. Steps:
#     scripts/wasm.sh [module|package|answers|tests]...      without a step, all of them
set -euo pipefail
cd "$(dirname "$0")/.."

modules=build/wasm
package=build/web/package
most_bytes=300000 # gzipped
# As fast as -O3 and smaller by a fifteenth: what gains from SIMD is written with it.
optimise="-O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -DNDEBUG"

step_module()
{
    cmake -S . -B "$modules" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/wasm.cmake" -DCMAKE_BUILD_TYPE=Release \
        -DTUMBLE_WIDE_ONLY=ON -DTUMBLE_OPENCL=OFF -DTUMBLE_ASSIMP=OFF -DTUMBLE_BUILD_CLI=OFF \
        -DTUMBLE_BUILD_EXAMPLES=OFF "-DCMAKE_C_FLAGS_RELEASE=$optimise" \
        >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
    cmake --build "$modules" --target tumble_web_module
    local size
    size=$(gzip -9 -c "$modules/tumble.wasm" | wc -c)
    echo "tumble.wasm: $(stat -c %s "$modules/tumble.wasm") bytes, $size gzipped"
    if [ "$size" -gt $most_bytes ]; then
        echo "wasm.sh: tumble.wasm has more than $most_bytes bytes gzipped" >&2
        exit 1
    fi
}

# A module as a function that returns what it exports.
wrap()
{
    local names
    names=$(sed -nE 's/^export (async )?(function|class|const) ([A-Za-z]+).*/\3/p' "$1" | paste -s -d , -)
    echo "const { $names } = (() => {"
    awk '/^import \{/ { skip = 1 } !skip { sub(/^export /, ""); print } / from "/ { skip = 0 }' "$1"
    echo "return { $names };"
    echo "})();"
}

# One script for pages that are opened from a file, which may load neither modules nor WebAssembly: the modules one after
# the other, without their imports and exports, and tumble.wasm as text.
make_classic()
{
    echo '// tumble-collision as a classic script: globalThis.Tumble.load(). MIT licence.'
    echo '(function () {'
    echo '    "use strict";'
    for name in error memory contacts model pairs single motion scene tumble; do
        wrap "bindings/web/js/$name.mjs"
    done
    printf '    const wasmText = "'
    base64 -w 0 "$modules/tumble.wasm"
    echo '";'
    cat bindings/web/js/classic.js
    echo '})();'
}

# Under another name first, so that nobody sees half a package.
step_package()
{
    rm -rf "$package.new"
    mkdir -p "$package.new"
    cp bindings/web/js/*.mjs bindings/web/js/*.d.ts bindings/web/README.md LICENSE "$modules/tumble.wasm" "$package.new"
    sed "s/\"version\": \"VERSION\"/\"version\": \"$(cat VERSION)\"/" bindings/web/package.json >"$package.new/package.json"
    make_classic >"$package.new/tumble.classic.js"
    rm -rf "$package"
    mv "$package.new" "$package"
    echo "the package is in $package"
}

# What the native library answers.
step_answers()
{
    mkdir -p build/logs
    cmake --preset release >build/logs/configure-release.log 2>&1 || { cat build/logs/configure-release.log; exit 1; }
    flock build/release cmake --build --preset release --target tumble_web_answers
    build/release/bindings/web/tumble_web_answers build/web/answers.bin "${TUMBLE_TEST_SEED:-1}"
}

step_tests()
{
    scripts/web_modules.sh
    node bindings/web/tests/run.mjs
    node bindings/web/tests/documentation.mjs
}

mkdir -p build/web
[ $# -gt 0 ] || set -- module package answers tests
for step in "$@"; do
    start=$SECONDS
    echo "-- check wasm $step"
    "step_$step"
    echo "-- check wasm $step passed in $((SECONDS - start)) s"
done
