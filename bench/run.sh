#!/bin/sh
# Runs the benchmark and draws its plots:
#     bench/run.sh [--full] [--only NAME,...] [FOLDER]
# The short version takes a few minutes, the full one about an hour. Tables (CSV), plots (SVG) and what is printed go to
# FOLDER (out/bench). Parts: operations build hierarchies mixed overlap
# trees simd sizes growth papers proximity scene device plots.
# TUMBLE_BENCH is the program (build/release/bench/tumble_bench), TUMBLE_BENCH_CPU the processor to stay on (the last),
# TUMBLE_BENCH_COMMIT the version that the tables name (git's), TUMBLE_BENCH_DEVICE the device (cpu; opencl:n).
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
full=no
only=operations,build,hierarchies,mixed,overlap,trees,simd,sizes,growth,papers,proximity,scene,device,plots
out=out/bench
while [ $# -gt 0 ]; do
    case $1 in
    --full) full=yes ;;
    --only)
        only=$2
        shift
        ;;
    --help)
        sed -n '2,8s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    -*)
        echo "bench/run.sh: there is no option $1; see --help" >&2
        exit 2
        ;;
    *) out=$1 ;;
    esac
    shift
done
program=${TUMBLE_BENCH:-build/release/bench/tumble_bench}
if [ ! -x "$program" ]; then
    echo "bench/run.sh: $program is not there: run 'make build' first" >&2
    exit 2
fi
mkdir -p "$out"
commit=${TUMBLE_BENCH_COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}

# Queries run on one processor only, so that they are not moved about.
pinned=
if command -v taskset >/dev/null && taskset -c "${TUMBLE_BENCH_CPU:-$(($(nproc) - 1))}" true 2>/dev/null; then
    pinned="taskset -c ${TUMBLE_BENCH_CPU:-$(($(nproc) - 1))}"
fi

wanted()
{
    case ,$only, in
    *,$1,*) return 0 ;;
    esac
    return 1
}

# part NAME HEADING PREFIX... : runs the program, shows and keeps what it prints.
part()
{
    name=$1
    heading=$2
    shift 2
    if ! wanted "$name"; then
        return 0
    fi
    printf '\n== %s\n' "$heading"
    status=0
    "$@" --commit "$commit" --csv "$out/$name.csv" >"$out/$name.txt" || status=$?
    cat "$out/$name.txt"
    if [ $status -ne 0 ]; then
        echo "bench/run.sh: '$name' failed with $status" >&2
        exit $status
    fi
}

if [ $full = yes ]; then
    effort="--steps 5000 --work 1e6 --repetitions 3"
    many=1.01,0.99,0.97,0.94,0.9,0.8,0.65,0.5,0.35,0.2
    few=$many
    two=$many
    sizes=1000,3000,10000,30000,100000,300000,1000000
    triangles=20000,200000
    repetitions=7
    growth=1000,3000,10000,30000,100000,300000,1000000,3000000,10000000
    flights=5
    places=50
    turn=5000
    turn_work=1e6
    device="--repetitions 5"
    scene="--steps 9"
else
    effort="--steps 60 --work 1.5e5 --repetitions 3"
    many=1.01,0.98,0.94,0.88,0.75,0.55,0.35
    few=1.01,0.98,0.88,0.7,0.4
    two=0.98,0.75
    sizes=1000,10000,100000,400000,1000000
    triangles=20000
    repetitions=3
    growth=1000,10000,100000,1000000
    flights=1
    places=20
    turn=60
    turn_work=1.5e5
    scene="--objects 10000,100000 --steps 5"
    device="--repetitions 3 --checks 2000 --sample 500 --triangles 20000"
fi

# shellcheck disable=SC2086 # lists of words
{
    part operations "Operations of a box test, bytes of a node (table 1)" \
        $pinned "$program" operations --steps 60 --repetitions $repetitions --work 5e5
    part build "Building (figure 5)" "$program" build --triangles $sizes --repetitions $repetitions
    part hierarchies "Hierarchies" $pinned "$program" tumbling $effort --triangles $triangles --distances $many \
        --variants hierarchies --summary "$out/hierarchies-summary.csv"
    part mixed "Models with different hierarchies" $pinned "$program" tumbling $effort --triangles $triangles \
        --distances $few --variants mixed --summary "$out/mixed-summary.csv"
    part overlap "Overlap tests (figure 7)" $pinned "$program" tumbling $effort --triangles $triangles \
        --distances $many --variants overlap --summary "$out/overlap-summary.csv"
    part trees "Options of the boxtree" $pinned "$program" tumbling $effort --triangles $triangles \
        --distances $few --variants trees --summary "$out/trees-summary.csv"
    part simd "Instruction sets" $pinned "$program" tumbling $effort --triangles $triangles \
        --distances $few --variants simd --summary "$out/simd-summary.csv"
    part sizes "Sizes (figure 8)" $pinned "$program" tumbling $effort --triangles $sizes --distances $two \
        --modes all,test
    part growth "Growth" $pinned "$program" growth --triangles $growth --repetitions $repetitions
    part papers "Experiments of the papers on k-DOPs and R-trees" $pinned "$program" papers --repetitions $flights --steps $turn \
        --work $turn_work --distances $many
    part proximity "Distances, clearance, coherence, budgets" $pinned "$program" proximity --steps $places \
        --repetitions $repetitions
    part scene "Scenes" $pinned "$program" scene --threads 1 $scene
    part device "Devices" "$program" device --device "${TUMBLE_BENCH_DEVICE:-cpu}" $device
}

if wanted plots; then
    set --
    for plot in build overlap shapes sizes growth; do
        gnuplot -e "folder='bench'; out='$out'" "bench/$plot.gp"
        set -- "$@" "$plot.svg"
    done
    for name in hierarchies overlap trees simd; do
        case $name in
        hierarchies) heading="Hierarchies" ;;
        overlap) heading="Overlap tests of the boxtree" ;;
        trees) heading="Ways to build the boxtree" ;;
        simd) heading="Instruction sets" ;;
        esac
        gnuplot -e "folder='bench'; out='$out'; name='$name'; heading='$heading'" bench/variants.gp
        set -- "$@" "$name-variants.svg"
    done
    for plot in papers-checks papers-figure-8 papers-hot papers-animals papers-grids proximity-separation \
        proximity-error proximity-clearance proximity-coherence proximity-budget scene-broad; do
        gnuplot -e "folder='bench'; out='$out'" "bench/$plot.gp"
        set -- "$@" "$plot.svg"
    done
    for figure in 11 12; do
        gnuplot -e "folder='bench'; out='$out'; experiment='f-figure-$figure'" bench/papers-spheres.gp
    done
    set -- "$@" papers-nested.svg papers-beside.svg
    printf '\nTables and plots are in %s: %s\n' "$out" "$*"
fi
