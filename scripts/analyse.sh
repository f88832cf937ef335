#!/bin/sh
# Static analysis of the library, the models and the command line; every finding is a failure.
#     scripts/analyse.sh cppcheck|clang-tidy BUILD_FOLDER
# The build folder must have been configured with clang. Exceptions: scripts/cppcheck.txt and .clang-tidy.
set -eu
cd "$(dirname "$0")/.."

tool=$1
build=$2
jobs=$(nproc)
case $tool in
cppcheck)
    mkdir -p "$build/cppcheck"
    # Which form of a path is matched depends on where the build folder is.
    filters=
    for folder in src cli models; do
        filters="$filters --file-filter=$folder/* --file-filter=$(pwd)/$folder/*"
    done
    set -f # the stars are for cppcheck
    # shellcheck disable=SC2086 # a list of words
    cppcheck --project="$build/compile_commands.json" $filters --enable=warning,performance,portability \
        --inline-suppr --suppressions-list=scripts/cppcheck.txt --cppcheck-build-dir="$build/cppcheck" \
        --error-exitcode=1 --quiet -j "$jobs"
    ;;
clang-tidy)
    scripts/list_sources.sh c | grep -E '^(src|cli|models)/' |
        xargs -P "$jobs" -n 1 clang-tidy -p "$build" --quiet --warnings-as-errors='*'
    ;;
*)
    echo "usage: scripts/analyse.sh cppcheck|clang-tidy BUILD_FOLDER" >&2
    exit 2
    ;;
esac
