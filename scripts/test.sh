#!/bin/bash
# All checks and tests, stage by stage; stops at the first stage that fails and shows its log.
#     scripts/test.sh [STAGE...]       (or TUMBLE_TEST_STAGES="release asan")
# Stages: checks release clang asan tsan golden instructions fuzz. Logs are left in build/logs/.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
logs=build/logs
mkdir -p "$logs"
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs CTEST_PARALLEL_LEVEL=$jobs CTEST_OUTPUT_ON_FAILURE=1
export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1

configure()
{
    cmake --preset "$1"
}

# build PRESET [TARGET...]
build()
{
    local preset=$1
    shift
    configure "$preset"
    cmake --build --preset "$preset" ${1:+--target "$@"}
}

# One check of the stage `checks`: its name, then the command.
check()
{
    local name=$1 start=$SECONDS
    shift
    echo "-- check $name"
    "$@"
    echo "-- check $name passed in $((SECONDS - start)) s"
}

stage_checks()
{
    check format scripts/format.sh --check
    check layers scripts/check_layers.sh
    configure ci >/dev/null
    configure clang >/dev/null
    configure fuzz >/dev/null
    configure scalar >/dev/null
    check sources scripts/check_sources.sh build/ci/compile_commands.json build/fuzz/compile_commands.json \
        build/scalar/compile_commands.json
    check cppcheck scripts/analyse.sh cppcheck build/clang
    check clang-tidy scripts/analyse.sh clang-tidy build/clang
}

stage_release()
{
    build ci
    ctest --preset ci
}

stage_clang()
{
    build clang
    ctest --preset clang -LE packaging
}

stage_asan()
{
    build asan
    ctest --preset asan -LE 'packaging|golden'
}

# The thread sanitizer of older compilers cannot live with the address layout that newer kernels make at random.
stage_tsan()
{
    local fixed_addresses=
    if setarch -R true 2>/dev/null; then
        fixed_addresses="setarch -R"
    fi
    build tsan thread_tests
    $fixed_addresses ctest --preset tsan
}

# The same hash without SIMD kernels (and OpenCL) and without optimisation as in the release builds above.
stage_golden()
{
    build scalar test_golden
    ctest --preset scalar -L golden
    build debug test_golden
    ctest --preset debug -L golden
}

# Counted, not timed, so that queries cannot become slower unnoticed on a machine that is busy.
stage_instructions()
{
    build ci tumble_instructions
    check instructions bench/instructions/check.sh build/ci/bench/instructions/tumble_instructions
}

stage_fuzz()
{
    build fuzz
    ctest --preset fuzz
}

describe()
{
    case $1 in
    checks) echo "format, layers, source lists, cppcheck, clang-tidy" ;;
    release) echo "gcc, optimised, all tests" ;;
    clang) echo "clang, optimised" ;;
    asan) echo "address and undefined-behaviour sanitizers" ;;
    tsan) echo "thread sanitizer" ;;
    golden) echo "golden hash without SIMD and without optimisation" ;;
    instructions) echo "instructions of fixed builds and queries" ;;
    fuzz) echo "short fuzzing" ;;
    *) return 1 ;;
    esac
}

# Sets passed and failed from the closing lines of ctest and of the checks in a log.
count_log()
{
    local total
    total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }')
    failed=$(sed -n 's/.*, \([0-9]*\) tests failed out of .*/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }')
    passed=$((total - failed + $(grep -c '^-- check .* passed in' "$1" || true)))
}

stages=${*:-${TUMBLE_TEST_STAGES:-checks release clang asan tsan golden instructions fuzz}}
for stage in $stages; do
    if ! describe "$stage" >/dev/null; then
        echo "test.sh: unknown stage '$stage'; stages: checks release clang asan tsan golden instructions fuzz" >&2
        exit 2
    fi
done

all_passed=0
begin=$SECONDS
for stage in $stages; do
    log=$logs/$stage.log
    printf '== %-12s %s\n' "$stage" "$(describe "$stage")"
    start=$SECONDS
    # In a process of its own: `set -e` is off inside a function that is called as a condition.
    ("stage_$stage") >"$log" 2>&1 </dev/null &
    status=0
    wait $! || status=$?
    count_log "$log"
    all_passed=$((all_passed + passed))
    if [ $status -ne 0 ]; then
        tail -n 200 "$log"
        printf '== %-12s FAILED after %d s; the whole log is %s\n' "$stage" $((SECONDS - start)) "$log"
        echo "$all_passed passed, $((failed > 0 ? failed : 1)) failed"
        exit 1
    fi
    printf '   %-12s %d passed in %d s\n' "" "$passed" $((SECONDS - start))
done
printf '== all done in %d s\n' $((SECONDS - begin))
echo "$all_passed passed, 0 failed"
