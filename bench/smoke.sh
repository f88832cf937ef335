#!/bin/sh
# A tiny run of every command of the benchmark, for the tests:
#     bench/smoke.sh PROGRAM
# All variants, brute force among them, must find the same; the tables must have the rows they should.
set -eu

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
    echo "bench/smoke.sh: $*" >&2
    exit 1
}

# rows FILE: without the header
rows()
{
    tail -n +2 "$1" | wc -l
}

# column FILE NAME: its number
column()
{
    head -n 1 "$1" | tr ',' '\n' | grep -nx "$2" | cut -d: -f1
}

"$program" --help >/dev/null
"$program" tumbling --shapes sphere,lattice,soup --triangles 150 --distances 1.01,0.9,0.5 --steps 6 --repetitions 1 \
    --variants hierarchy=brute,mixed,overlap,trees,simd,kdop-k,kdop-splits,kdop-leaves,kdop-walks,kdop-tumbling,rtree-loads,rtree-walks \
    --csv "$work/tumbling.csv" --summary "$work/summary.csv"
variants=$(tail -n +2 "$work/tumbling.csv" | cut -d, -f"$(column "$work/tumbling.csv" variant)" | sort -u | wc -l)
[ "$variants" -ge 50 ] || fail "only $variants variants ran"
[ "$(rows "$work/tumbling.csv")" -eq $((3 * 3 * 3 * variants)) ] || fail "rows are missing in the tumbling table"

# The program compares the answers; here once more, from what it wrote: a scene is a shape, a mode and a distance.
awk -F, -v hits="$(column "$work/tumbling.csv" hits)" -v pairs="$(column "$work/tumbling.csv" pairs)" \
    -v hash="$(column "$work/tumbling.csv" answer_hash)" '
    NR == 1 { next }
    { scene = $1 "," $3 "," $5; answer = $hits "," $pairs "," $hash; total += $hits }
    scene in answers && answers[scene] != answer { print "answers differ: " $0; bad = 1 }
    { answers[scene] = answer }
    END { if (total == 0) print "nothing was hit"; exit bad || total == 0 }' "$work/tumbling.csv" ||
    fail "the answers in the table do not agree"
[ "$(rows "$work/summary.csv")" -gt "$variants" ] || fail "rows are missing in the summary"

"$program" build --shapes sphere,soup --triangles 500,2000 --repetitions 1 --threads 1,2 --csv "$work/build.csv"
[ "$(rows "$work/build.csv")" -eq 8 ] || fail "rows are missing in the build table"
"$program" operations --shapes sphere,soup --triangles 500 --steps 6 --repetitions 1 --csv "$work/operations.csv"
[ "$(rows "$work/operations.csv")" -eq 4 ] || fail "rows are missing in the operations table"

"$program" growth --shapes sphere,lattice --triangles 500,3000 --steps 2 --repetitions 1 --csv "$work/growth.csv"
[ "$(rows "$work/growth.csv")" -eq 4 ] || fail "rows are missing in the growth table"

# Some of the papers' experiments, on scraps of their scenes; scripts/check_papers.sh runs them all.
"$program" papers --quick --experiments k-table-6,s-table-2 --csv "$work/papers.csv" >"$work/papers.txt"
[ "$(tail -n +2 "$work/papers.csv" | cut -d, -f1 | sort -u | wc -l)" -eq 2 ] || fail "an experiment of the papers has no rows"

# Distances and the like, on scraps as well: the program checks that all hierarchies and questions agree.
"$program" proximity --quick --csv "$work/proximity.csv" \
    >"$work/proximity.txt" || fail "answers differ in the experiments on proximity"
[ "$(rows "$work/proximity.csv")" -eq $((8 * 3 * 5 + 4 * 2 * 5 * 3 + 2 * 5 * (1 + 3 + 3) + 2 * 2 * 2 * 17)) ] ||
    fail "rows are missing in the table on proximity"

"$program" deform --shapes sphere,shards --triangles 500 --motions wave,twist,turn,mirror,scatter --repetitions 1 \
    --threads 1,2 --csv "$work/deform.csv"
"$program" edit --quick --csv "$work/edit.csv"
[ "$(rows "$work/edit.csv")" -eq 5 ] || fail "rows are missing in the table of edits"
[ "$(rows "$work/deform.csv")" -eq $((2 * 5 * 4 * 2)) ] || fail "rows are missing in the table of deformation"

# Scenes: all methods and numbers of threads must find the same pairs.
"$program" scene --quick --experiments broad,drift,movers,memory,states,worlds,coherence --csv "$work/scene.csv" >"$work/scene.txt" ||
    fail "answers differ in the experiments on scenes"
[ "$(rows "$work/scene.csv")" -eq $((3 * 4 + 7 * 4 + 4 * 5 + 2 + 12 * 5 + 3 * 4 + 6 * 2 * 2)) ] || fail "rows are missing in the table on scenes"

# Devices: the pool must find what one thread finds, in every experiment.
"$program" device --shapes sphere,lattice --triangles 150 --checks 60 --threads 1,2 --repetitions 1 \
    --csv "$work/device.csv" >"$work/device.txt" || fail "answers differ in the experiments on devices"
[ "$(rows "$work/device.csv")" -eq $((2 * (4 * 2 + 2 + 2 * 2 + 2 * (2 + 2) + 2 * 2 * 6 + 1))) ] ||
    fail "rows are missing in the table on devices"
awk -F, -v hits="$(column "$work/device.csv" hits)" 'NR > 1 { total += $hits } END { exit total == 0 }' "$work/device.csv" ||
    fail "nothing was hit in the experiments on devices"

# The first OpenCL device, where there is one.
status=0
"$program" device --device opencl --experiments batch,huge,latency,swap,trees --shapes sphere --triangles 150 --checks 40 \
    --repetitions 1 --csv "$work/opencl.csv" >"$work/opencl.txt" 2>&1 || status=$?
if [ $status -ne 0 ] && ! grep -q "0 of OpenCL were found" "$work/opencl.txt"; then
    cat "$work/opencl.txt"
    fail "the experiments ended with $status on an OpenCL device"
fi
if [ $status -eq 0 ]; then
    [ "$(rows "$work/opencl.csv")" -eq $((4 * 2 + 2 + 2 * 2 + 2 * 2 * 3 + 2 * 2 * 6)) ] || fail "rows are missing in the table on OpenCL"
    awk -F, -v swapped="$(column "$work/opencl.csv" swapped_in)" 'NR > 1 { total += $swapped } END { exit total == 0 }' \
        "$work/opencl.csv" || fail "nothing was swapped in the experiments on an OpenCL device"
fi

for wrong in "tumbling --shapes dodo" "tumbling --variants overlap=some" "tumbling --variants nonsense" \
    "tumbling --variants k=17" "tumbling --variants leaf=0" "tumbling --variants tumble=often" "tumbling --variants load=never" \
    "deform --motions hop" \
    "papers --quick --experiments k-table-8" "proximity --experiments k-table-8" "scene --experiments k-table-8" "device --experiments k-table-8" "device --device gpu" \
    "device --device opencl:x" "device --device opencl:9999" "device --poses lying --checks 1 --triangles 150" \
    "device --modes all --checks 1 --triangles 150" "device --sample 0" "build --steps 0" "build --color 1" "fly"; do
    status=0
    # shellcheck disable=SC2086 # a list of words
    "$program" $wrong >/dev/null 2>&1 || status=$?
    [ $status -eq 2 ] || fail "'$wrong' ended with $status instead of 2"
done
