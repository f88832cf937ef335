#!/bin/sh
# Counts the instructions of a fixed set of builds and queries and compares them with the counts that are kept:
#     bench/instructions/check.sh [--update] PROGRAM
# PROGRAM is the built tumble_instructions. Fails when a count is more than 3 % away from counts.txt, in either
# direction: what became faster is to be kept as well, with --update. Only the library's own instructions count, none of
# the C library, which picks its routines by the processor. The counts hold for one compiler and its flags; with another
# one nothing is compared, and a line says so.
set -eu

folder=$(cd "$(dirname "$0")" && pwd)
kept=$folder/counts.txt
tolerance=3
# AVX-512 is not among what valgrind knows.
variants=wide+simd=avx2,wide+simd=scalar,boxtree+simd=avx2
update=no
if [ "${1:-}" = --update ]; then
    update=yes
    shift
fi
if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "usage: bench/instructions/check.sh [--update] PROGRAM" >&2
    exit 2
fi
program=$(readlink -f "$1") # as valgrind names it
compiler="$("$program" --compiler) on $(uname -m)"

if [ $update = no ]; then
    known=$(sed -n 's/^# compiler: //p' "$kept")
    if [ "$compiler" != "$known" ]; then
        echo "instructions: not compared. The counts are for"
        echo "    $known"
        echo "and this program was compiled by"
        echo "    $compiler"
        exit 0
    fi
fi
if ! command -v valgrind >/dev/null; then
    echo "instructions: valgrind is not installed (scripts/setup.sh check)" >&2
    exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! valgrind --tool=callgrind --instr-atstart=no --compress-strings=no --compress-pos=no --dump-line=no \
    --callgrind-out-file="$work/out" "$program" "$variants" >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 2
fi

# A dump tells the case's name, then for each function of each object file its own cost; lines after calls= are what was
# called.
for dump in "$work"/out.*; do
    awk -v program="$program" '
        /^desc: Trigger: Client Request: / { name = $0; sub(/.*Request: /, "", name); next }
        /^ob=/ { ours = substr($0, 4) == program; next }
        /^calls=/ { skip = 1; next }
        /^[0-9+*-]/ { if (!skip && ours) sum += $2; skip = 0 }
        END { if (name != "") printf "%s %d\n", name, sum }' "$dump"
done | sort >"$work/counts"
if [ ! -s "$work/counts" ] || grep -q ' 0$' "$work/counts"; then
    echo "instructions: something was not counted:" >&2
    cat "$work/counts" "$work/log" >&2
    exit 2
fi

if [ $update = yes ]; then
    {
        echo "# Instructions of builds and queries: hierarchy and instruction set, what, shape, count."
        echo "# Checked and written by bench/instructions/check.sh."
        echo "# compiler: $compiler"
        cat "$work/counts"
    } >"$kept"
    echo "instructions: $(wc -l <"$work/counts") counts are now kept in $kept"
    exit 0
fi

grep -v '^#' "$kept" | sort >"$work/kept"
join -a 1 -a 2 -e - -o 0,1.2,2.2 "$work/kept" "$work/counts" | awk -v tolerance=$tolerance '
    BEGIN { printf "%-46s %12s %12s %8s\n", "case", "kept", "now", "change" }
    {
        change = $2 == "-" || $3 == "-" ? "-" : sprintf("%+.1f %%", 100 * ($3 - $2) / $2)
        verdict = ""
        if (change == "-") verdict = $2 == "-" ? "new" : "not counted"
        else if ($3 > $2 * (1 + tolerance / 100)) verdict = "slower"
        else if ($3 < $2 * (1 - tolerance / 100)) verdict = "faster"
        printf "%-46s %12s %12s %8s %s\n", $1, $2, $3, change, verdict
        if (verdict != "") bad++
    }
    END {
        if (bad) {
            printf "\n%d of %d counts changed. If that is wanted: ", bad, NR
            print "bench/instructions/check.sh --update PROGRAM"
            exit 1
        }
        printf "\nall %d counts are within %g %%\n", NR, tolerance
    }'
