#!/bin/sh
# Breaks the library in one place at a time (operators, constants, dropped statements and conditions in src/) and tells
# which of these mutants the tests of `make test` let live:
#     scripts/mutate.sh [--count 200] [--seed 1] [--jobs N] [--file PATTERN] [--one FILE:LINE:OPERATOR] [--again] [--list]
# Results are added to out/mutants/results.tsv; a run that was cut off goes on from there. --help tells more.
set -eu
cd "$(dirname "$0")/.."

case " $* " in
*" --list "* | *" --help "* | *" -h "*) ;;
*)
    mkdir -p build out/mutants
    cmake --preset ci -B build/mutants -DTUMBLE_WERROR=OFF >build/mutants.log 2>&1 || { cat build/mutants.log; exit 1; }
    cmake --build build/mutants >build/mutants.log 2>&1 || { cat build/mutants.log; exit 1; }
    ;;
esac
CCACHE_DISABLE=1 PYTHONDONTWRITEBYTECODE=1 exec python3 scripts/mutate/main.py "$@"
