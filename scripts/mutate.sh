#!/bin/sh
# Breaks the library in one place at a time (operators, constants, dropped statements and conditions in src/) and tells
# which of these mutants the tests of `make test` let live:
#     scripts/mutate.sh [--count 200] [--seed 1] [--jobs N] [--file PATTERN] [--one FILE:LINE:OPERATOR] [--again] [--list]
# Results are added to out/mutants/results.tsv; a run that was cut off goes on from there. --help tells more.
set -eu
cd "$(dirname "$0")/.."

build()
{
    folder=$1
    shift
    { cmake --preset ci -B "$folder" -DTUMBLE_WERROR=OFF "$@" && cmake --build "$folder"; } >"$folder.log" 2>&1 || {
        cat "$folder.log"
        exit 1
    }
}

case " $* " in
*" --list "* | *" --help "* | *" -h "*) ;;
*)
    mkdir -p build out/mutants
    echo "mutate: building, unbroken and with counters"
    build build/mutants
    # To tell which tests run which functions: each function on its own, none inlined.
    build build/mutants-coverage -DCMAKE_C_FLAGS_RELEASE="-O1 -fno-inline -DNDEBUG --coverage -fprofile-update=single \
-Dalways_inline=unused"
    ;;
esac
CCACHE_DISABLE=1 PYTHONDONTWRITEBYTECODE=1 exec python3 scripts/mutate/main.py "$@"
