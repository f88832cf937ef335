#!/bin/sh
# Compares Tumble with the other libraries and draws the plots:
#     bench/peers/run.sh [--full] [FOLDER] [-- OPTIONS OF tumble_peers]
# The short version takes a few minutes, the full one (larger meshes, more poses) an hour or more. What is printed
# (table.md), tables (CSV) and plots (SVG) go to FOLDER (out/bench-peers).
# TUMBLE_PEERS is the program (build/peers/bench/peers/tumble_peers), TUMBLE_BENCH_CPU the processor to stay on (the
# last).
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
full=no
out=out/bench-peers
while [ $# -gt 0 ]; do
    case $1 in
    --full) full=yes ;;
    --help)
        sed -n '2,7s/^# *//p' "$0"
        exit 0
        ;;
    --)
        shift
        break
        ;;
    -*)
        echo "bench/peers/run.sh: there is no option $1; see --help" >&2
        exit 2
        ;;
    *) out=$1 ;;
    esac
    shift
done
program=${TUMBLE_PEERS:-build/peers/bench/peers/tumble_peers}
if [ ! -x "$program" ]; then
    echo "bench/peers/run.sh: $program is not there: run 'make bench-peers'" >&2
    exit 2
fi
mkdir -p "$out"
rm -f "$out"/*.csv "$out"/*.svg
commit=$(git describe --always --dirty 2>/dev/null || echo unknown)

# On one processor only, so that nothing is moved about.
pinned=
if command -v taskset >/dev/null && taskset -c "${TUMBLE_BENCH_CPU:-$(($(nproc) - 1))}" true 2>/dev/null; then
    pinned="taskset -c ${TUMBLE_BENCH_CPU:-$(($(nproc) - 1))}"
fi
effort=
if [ $full = yes ]; then
    effort="--triangles 100000 --poses 100 --repetitions 9 --patience 5 --distances 1.01,0.98,0.94,0.88,0.75,0.55,0.35"
fi

status=0
# shellcheck disable=SC2086 # lists of words
$pinned "$program" $effort --out "$out" --commit "$commit" "$@" >"$out/table.md" || status=$?
cat "$out/table.md"
if [ $status -ne 0 ]; then
    echo "bench/peers/run.sh: the comparison failed with $status" >&2
    exit $status
fi

# plot SCRIPT TABLE [SETTINGS]: where there is something to draw.
plot()
{
    if [ "$(wc -l <"$out/$2.csv" 2>/dev/null || echo 0)" -gt 1 ]; then
        gnuplot -e "folder='bench/peers'; out='$out'; ${3:-}" "bench/peers/$1.gp"
    fi
}
plot speedup summary
plot distance first "name='first'; heading='Two tumbling copies, yes or no'"
plot distance all "name='all'; heading='Two tumbling copies, all pairs'"
plot nested nested
plot build build
printf '\nTables and plots are in %s: ' "$out"
(cd "$out" && echo ./*)
