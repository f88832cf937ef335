#!/bin/sh
# Compares Tumble with the other libraries and draws the plots:
#     bench/peers/run.sh [--full] [FOLDER] [-- OPTIONS OF tumble_peers]
# The short version takes some minutes, the full one (more poses, up to ten million triangles) an hour or more. What is
# printed (table.md), tables (CSV) and plots (SVG, PNG) go to FOLDER (out/bench-peers). Own meshes: -- --mesh FILE ...
# Without own options it also compares scenes of many objects, and questions about one model: rays, points,
# self-intersection, balls, and first contacts of motions. Their tables are in FOLDER/scenes and FOLDER/single.
# TUMBLE_PEERS and TUMBLE_BENCH are the programs (build/peers/bench/...), TUMBLE_BENCH_CPU the processor to stay on (the
# last), TUMBLE_BENCH_COMMIT the version that the tables name (git's).
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
full=no
out=out/bench-peers
while [ $# -gt 0 ]; do
    case $1 in
    --full) full=yes ;;
    --help)
        sed -n '2,10s/^# \{0,1\}//p' "$0"
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
peers=${TUMBLE_PEERS:-build/peers/bench/peers/tumble_peers}
bench=${TUMBLE_BENCH:-build/peers/bench/tumble_bench}
for program in "$peers" "$bench"; do
    if [ ! -x "$program" ]; then
        echo "bench/peers/run.sh: $program is not there: run 'make bench-peers'" >&2
        exit 2
    fi
done
mkdir -p "$out"
rm -f "$out"/*.csv "$out"/*.svg "$out"/*.png
: >"$out/table.md"
commit=${TUMBLE_BENCH_COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}

# On one processor only, so that nothing is moved about.
pinned=
if command -v taskset >/dev/null && taskset -c "${TUMBLE_BENCH_CPU:-$(($(nproc) - 1))}" true 2>/dev/null; then
    pinned="taskset -c ${TUMBLE_BENCH_CPU:-$(($(nproc) - 1))}"
fi
# 1, 2, 4, ... threads, and as many as there are processors.
threads=1
count=2
while [ $count -lt "$(nproc)" ]; do
    threads=$threads,$count
    count=$((2 * count))
done
if [ "$(nproc)" -gt 1 ]; then
    threads=$threads,$(nproc)
fi
if [ $full = yes ]; then
    effort="--poses 100 --repetitions 9 --patience 5 --limit 60"
    effort="$effort --distances 1.01,0.99,0.98,0.96,0.92,0.86,0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1"
    growth=1000,3000,10000,30000,100000,300000,1000000,3000000,10000000
    many=1000000
    scenes=
    single="--meshes sphere,lattice,gear --triangles 100000,1000000"
else
    effort=
    scenes="--boxes 10000,100000 --drift-boxes 20000 --mover-boxes 100000 --bodies 300 --links 10,30 --states 500"
    single="--meshes sphere,lattice,gear --triangles 100000 --poses 20 --repetitions 3"
    growth=1000,10000,100000,1000000
    many=300000
fi

# say COMMAND...: shows and keeps what it prints.
say()
{
    status=0
    "$@" >"$out/part.txt" || status=$?
    cat "$out/part.txt"
    cat "$out/part.txt" >>"$out/table.md"
    rm -f "$out/part.txt"
    if [ $status -ne 0 ]; then
        echo "bench/peers/run.sh: '$*' failed with $status" >&2
        exit $status
    fi
}

# heading TEXT: of a table in columns
heading()
{
    printf '### %s\n\n```\n' "$1"
}

# shellcheck disable=SC2086 # lists of words
{
    say $pinned "$peers" $effort --goals bench/peers/goals.txt --out "$out" --commit "$commit" "$@"
    if [ $# -eq 0 ]; then # not on one processor: also with two threads
        mkdir -p "$out/scenes"
        say "$peers" $effort $scenes --modes scene --out "$out/scenes" --commit "$commit"
        mkdir -p "$out/single"
        say $pinned "$peers" $effort --modes radius,self,ray,point,motion $single --out "$out/single" --commit "$commit"
    fi
    say heading "Tumble alone: building with more threads"
    say "$bench" build --shapes sphere,torus,gear,lattice --triangles $many --threads "$threads" --repetitions 5 \
        --csv "$out/threads.csv" --commit "$commit"
    say printf '```\n\n'
    say heading "Tumble alone: from small models to large ones"
    say $pinned "$bench" growth --triangles $growth --csv "$out/growth.csv" --commit "$commit"
    say printf '```\n'
}

# plot FOLDER SCRIPT TABLE [SETTINGS]: where there is something to draw.
plot()
{
    if [ "$(wc -l <"$out/$3.csv" 2>/dev/null || echo 0)" -gt 1 ]; then
        gnuplot -e "folder='$1'; out='$out'; ${4:-}" "$1/$2.gp"
    fi
}
plot bench/peers speedup summary
for name in first all; do
    case $name in
    first) heading="Two tumbling copies, yes or no" ;;
    all) heading="Two tumbling copies, all pairs" ;;
    esac
    for quantity in mean_us relative; do
        plot bench/peers distance $name "name='$name'; quantity='$quantity'; heading='$heading'"
    done
done
plot bench/peers nested nested
plot bench/peers separation distance
plot bench/peers build build
plot bench/peers memory build
plot bench growth growth
if command -v rsvg-convert >/dev/null; then
    for file in "$out"/*.svg; do
        rsvg-convert "$file" -o "${file%.svg}.png"
    done
fi
printf '\nTables and plots are in %s: ' "$out"
(cd "$out" && echo ./*)
