#!/bin/sh
# Breaks the library in one place at a time (operators, constants, dropped statements and conditions in src/) and tells
# which of these mutants the tests of `make test` let live:
#     scripts/mutate.sh [--count 200] [--seed 1] [--jobs N] [--file PATTERN] [--one FILE:LINE:OPERATOR]
#         [--again] [--sanitizers] [--list]
# Results are added to out/mutants/results.tsv; a run that was cut off goes on from there. --help tells more.
set -eu
cd "$(dirname "$0")/.."

# build PRESET FOLDER TARGETS [OPTION...]
build()
{
    preset=$1
    folder=$2
    targets=$3
    shift 3
    # shellcheck disable=SC2086 # a list of words
    { cmake --preset "$preset" -B "$folder" -DTUMBLE_WERROR=OFF "$@" && ninja -C "$folder" $targets; } \
        >"$folder.log" 2>&1 || {
        cat "$folder.log"
        exit 1
    }
}

case " $* " in
*" --list "* | *" --help "* | *" -h "*) ;;
*)
    mkdir -p build out/mutants
    echo "mutate: building, unbroken and with counters"
    build ci build/mutants all
    # To tell which tests run which functions: each function on its own, none inlined.
    build ci build/mutants-coverage all -DCMAKE_C_FLAGS_RELEASE="-O1 -fno-inline -DNDEBUG --coverage \
-fprofile-update=single -Dalways_inline=unused"
    case " $* " in
    *" --sanitizers "*)
        build asan build/mutants-asan all
        build tsan build/mutants-tsan "threads_tests tumble-cli"
        ;;
    esac
    ;;
esac
CCACHE_DISABLE=1 PYTHONDONTWRITEBYTECODE=1 exec python3 scripts/mutate/main.py "$@"
