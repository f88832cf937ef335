#!/bin/sh
# The short form of torture: some fixed cases, and the proof that slips are found, shrunk and written down as tests.
#     torture/short.sh TUMBLE_TORTURE 'COMPILE COMMAND WITH {} FOR SOURCE AND PROGRAM'
set -eu

torture=$1
compile=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
    echo "torture: $*" >&2
    exit 1
}

"$torture" --help | grep -q -- --hours || fail "--help does not tell of --hours"
if "$torture" --seconds ten >"$work/out" 2>&1; then
    fail "--seconds ten was accepted"
fi

# The cases that all builds ask.
"$torture" --from 1000000 --cases 120 --out "$work/cases" || fail "a fixed case failed"

# expect_slip NAME PATTERN OPTION...: torture fails, and a report says so of a case that is as small as can be.
expect_slip()
{
    slip=$1
    pattern=$2
    shift 2
    if "$torture" --slip "$slip" --no-opencl --from 1 --cases 40 --reports 1 --out "$work/$slip" "$@" >"$work/out" 2>&1; then
        cat "$work/out"
        fail "the slip '$slip' was not found"
    fi
    grep -q "$pattern" "$work/$slip"/*.txt || {
        cat "$work/out" "$work/$slip"/*.txt
        fail "the slip '$slip' was not shrunk to '$pattern'"
    }
}

expect_slip pair '1 x 1 polygons, 1 question; the last: .*B: kdop, fresh$' --shrink-seconds 4
expect_slip crash '[12] x [12] polygons, 1 question' --shrink-seconds 4
expect_slip hang 'no answer came in time' --patience 3 --shrink-seconds 4 --jobs 1 --cases 8

# The tests that were written compile and, as the library is right, pass.
for slip in pair crash; do
    for source in "$work/$slip"/test_torture_*.c; do
        command=$(printf '%s' "$compile" | sed "s|{}|$source|g; s|PROGRAM|$work/program|g")
        $command || fail "$source does not compile"
        "$work/program" >"$work/out" 2>&1 || {
            cat "$work/out" "$source"
            fail "the test of the slip '$slip' fails"
        }
    done
done
