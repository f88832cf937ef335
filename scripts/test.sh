#!/bin/bash
# Runs checks and tests in stages, two at a time; when one fails the other is stopped and its log is shown.
#     scripts/test.sh test|check [STAGE...]
# `test` has one stage, tests. `check` has all others: checks, gcc, clang, asan, tsan, golden, release, fuzz, python, web.
# Logs are left in build/logs/. The last line is `N passed, 0 failed`; if TUMBLE_TEST_COUNTS names a file, the two numbers
# are added there instead, so that a caller can print the sum of several runs.
set -euo pipefail
cd "$(dirname "$0")/.."

# The longest stages come first.
test_stages="tests"
check_stages="asan checks clang gcc fuzz release python web tsan golden"
case ${1:-} in
test) all_stages=$test_stages ;;
check) all_stages=$check_stages ;;
*)
    echo "usage: scripts/test.sh test|check [STAGE...]" >&2
    exit 2
    ;;
esac
shift
stages=${*:-$all_stages}

# Two stages side by side, each with half of the processors, leave none idle while one compiler or one test is all that
# is left of a stage.
processors=$(nproc)
lanes=$((processors > 1 && $(wc -w <<<"$stages") > 1 ? 2 : 1))
jobs=$(((processors + lanes - 1) / lanes))
logs=build/logs
mkdir -p "$logs"
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs CTEST_PARALLEL_LEVEL=$jobs CTEST_OUTPUT_ON_FAILURE=1
export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1

presets_of()
{
    case $1 in
    tests | gcc) echo ci ;;
    checks) echo ci clang fuzz scalar ;;
    golden) echo scalar debug ;;
    python) ;;
    web) echo ci ;;
    *) echo "$1" ;;
    esac
}

# Some presets belong to several stages: all are configured before the first stage starts.
configure_all()
{
    # shellcheck disable=SC2016 # $0 is the preset
    for stage in "$@"; do
        presets_of "$stage"
    done | tr ' ' '\n' | sort -u | xargs -P "$processors" -I {} sh -c \
        'cmake --preset "$0" >build/logs/configure-"$0".log 2>&1 || { cat build/logs/configure-"$0".log; exit 255; }' {}
}

# build PRESET [TARGET...]; stages with the same preset take turns.
build()
{
    local preset=$1
    shift
    flock "build/$preset" cmake --build --preset "$preset" ${1:+--target "$@"}
}

# run_tests PRESET [REGULAR_EXPRESSION OF LABELS TO LEAVE OUT [CTEST_OPTION...]]; TUMBLE_TEST_OPENCL=none leaves out what
# needs an OpenCL device as well.
run_tests()
{
    local preset=$1 left_out=${2:-}
    shift $(($# < 2 ? $# : 2))
    if [ "${TUMBLE_TEST_OPENCL:-}" = none ]; then
        left_out=${left_out:+$left_out|}opencl-only
    fi
    ctest --preset "$preset" ${left_out:+-LE "$left_out"} "$@"
}

# One check that is no test of ctest's: its name, then the command.
check()
{
    local name=$1 start=$SECONDS
    shift
    echo "-- check $name"
    "$@"
    echo "-- check $name passed in $((SECONDS - start)) s"
}

# Without an OpenCL device its tests are left to the stage gcc, for which one is installed.
stage_tests()
{
    build ci
    say "compiled in $SECONDS s"
    if [ -z "${TUMBLE_TEST_OPENCL:-}" ] && ! build/ci/tumble devices | grep -q '^opencl:'; then
        say "no OpenCL device was found: make check tests one"
        export TUMBLE_TEST_OPENCL=none
    fi
    run_tests ci packaging
}

stage_checks()
{
    check format scripts/format.sh --check
    check layers scripts/check_layers.sh
    check style scripts/check_style.sh
    check sources scripts/check_sources.sh build/ci/compile_commands.json build/fuzz/compile_commands.json \
        build/clang/compile_commands.json build/scalar/compile_commands.json
    check proofs scripts/check_proofs.sh
    check cppcheck scripts/analyse.sh cppcheck build/clang
    check clang-tidy scripts/analyse.sh clang-tidy build/clang
}

# What is left of the optimised build: tests that need more packages, and the OpenCL devices.
stage_gcc()
{
    build ci
    run_tests ci "" -L 'packaging|opencl'
}

stage_clang()
{
    build clang
    run_tests clang packaging
}

stage_asan()
{
    build asan
    run_tests asan 'packaging|golden'
    scripts/python.sh sanitizer
}

# The thread sanitizer of older compilers cannot live with the address layout that newer kernels make at random.
stage_tsan()
{
    local fixed_addresses=
    if setarch -R true 2>/dev/null; then
        fixed_addresses="setarch -R"
    fi
    build tsan threads_tests
    $fixed_addresses ctest --preset tsan
}

# The same hash without SIMD kernels (and OpenCL) and without optimisation as in the optimised builds.
stage_golden()
{
    build scalar golden_tests
    ctest --preset scalar -L golden
    build debug golden_tests
    ctest --preset debug -L golden
}

# Instructions are counted, not timed, so that queries cannot become slower unnoticed on a machine that is busy.
stage_release()
{
    build release tumble_instructions
    check instructions bench/instructions/check.sh build/release/bench/instructions/tumble_instructions
}

stage_fuzz()
{
    build fuzz
    ctest --preset fuzz
}

# The Python package, from its wheel, and the documentation site, which tells of it.
stage_python()
{
    scripts/python.sh
    check site scripts/site.sh
    scripts/setup.sh web
    scripts/web_tests.sh site
}

# The WebAssembly module in Node.js, and the pages in a headless Chromium; both need packages for this stage alone.
stage_web()
{
    scripts/setup.sh web
    build ci clash_sample
    scripts/wasm.sh
    scripts/page.py
    build release tumble-cli
    scripts/web_tests.sh
}

describe()
{
    case $1 in
    tests) echo "gcc, optimised" ;;
    checks) echo "format, layers, source lists, proofs, cppcheck, clang-tidy" ;;
    gcc) echo "gcc, optimised: OpenCL devices, packaging, documentation" ;;
    clang) echo "clang, optimised" ;;
    asan) echo "address and undefined-behaviour sanitizers" ;;
    tsan) echo "thread sanitizer" ;;
    golden) echo "golden hash without SIMD and without optimisation" ;;
    release) echo "the build of users: instructions of fixed builds and queries" ;;
    fuzz) echo "short fuzzing" ;;
    python) echo "the Python package: wheel, tests, documentation, types; the documentation site" ;;
    web) echo "WebAssembly beside native, the pages in a headless Chromium" ;;
    *) return 1 ;;
    esac
}

# count_pytest passed|failed LOG
count_pytest()
{
    sed -n "s/^\(.*[^0-9]\)\?\([0-9][0-9]*\) $1.* in [0-9.]*s.*/\2/p" "$2" | awk '{ n += $1 } END { print n + 0 }'
}

# Sets passed and failed from the closing lines of ctest, of pytest and of the checks in a log.
count_log()
{
    local total
    total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }')
    failed=$(sed -n 's/.*, \([0-9]*\) tests failed out of .*/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }')
    passed=$((total - failed + $(grep -c '^-- check .* passed in' "$1" || true) + $(count_pytest passed "$1")))
    failed=$((failed + $(count_pytest failed "$1")))
}

# Ends this run: finish PASSED FAILED
finish()
{
    if [ -n "${TUMBLE_TEST_COUNTS:-}" ]; then
        echo "$1 $2" >>"$TUMBLE_TEST_COUNTS"
    else
        echo "$1 passed, $2 failed"
    fi
    exit $(($2 > 0))
}

for stage in $stages; do
    if ! describe "$stage" >/dev/null; then
        echo "test.sh: unknown stage '$stage'; stages: $all_stages" >&2
        exit 2
    fi
done

declare -A stage_of=() started=()
all_passed=0

# Each stage is a process group of its own, which can be stopped as a whole. What it has to say at once goes to 3.
set -m
exec 3>&1
say()
{
    printf '   %-12s %s\n' "$stage" "$*" >&3
}

start_stage()
{
    printf '   %-12s %s\n' "$1" "$(describe "$1")"
    (SECONDS=0; "stage_$1") >"$logs/$1.log" 2>&1 </dev/null &
    stage_of[$!]=$1
    started[$1]=$SECONDS
}

stop_all()
{
    local process
    for process in "$@" "${!stage_of[@]}"; do
        kill -- "-$process" 2>/dev/null || true
    done
    wait 2>/dev/null
}
trap 'stop_all; exit 130' INT TERM

# Waits until one of the stages has ended; a failure is the end.
finish_stage()
{
    local process status=0
    wait -n -p process || status=$?
    local stage=${stage_of[$process]}
    unset "stage_of[$process]"
    count_log "$logs/$stage.log"
    if grep -q '\*\*\*Skipped' "$logs/$stage.log"; then
        echo "A test was skipped, which counts as a failure: the line with ***Skipped names it." >>"$logs/$stage.log"
        status=1
    fi
    all_passed=$((all_passed + passed))
    if [ $status -ne 0 ]; then
        stop_all "$process" # the stage itself may have left something behind
        tail -n 200 "$logs/$stage.log"
        printf '== %-12s FAILED after %d s; the whole log is %s\n' "$stage" $((SECONDS - started[$stage])) \
            "$logs/$stage.log"
        finish $all_passed $((failed > 0 ? failed : 1))
    fi
    printf '== %-12s %d passed in %d s\n' "$stage" "$passed" $((SECONDS - started[$stage]))
}

# shellcheck disable=SC2086 # a list of words
configure_all $stages
for stage in $stages; do
    if [ ${#stage_of[@]} -eq $lanes ]; then
        finish_stage
    fi
    start_stage "$stage"
done
while [ ${#stage_of[@]} -gt 0 ]; do
    finish_stage
done
printf '== all done in %d s\n' $SECONDS
finish $all_passed 0
