#!/bin/sh
# Static analysis of the library, the models, the command line and the Python extension; every finding is a failure.
#     scripts/analyse.sh cppcheck|clang-tidy BUILD_FOLDER
# The build folder must have been configured with clang. Exceptions: scripts/cppcheck.txt and .clang-tidy.
set -eu
cd "$(dirname "$0")/.."

tool=$1
build=$2
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

# Some files are compiled more than once: kernels, for each instruction set. Of each file, the first command goes to
# FOLDER/first and the others to FOLDER/rest.
#     split_commands BUILD_FOLDER FOLDER
split_commands()
{
    mkdir -p "$2/first" "$2/rest"
    awk -v out="$2" -v here="$(pwd)/" '
        function put(part) {
            print (count[part]++ ? "," : "[") "\n" entry >(out "/" part "/compile_commands.json")
        }
        BEGIN { printf "" >(out "/rest/files") }
        /^\{/ { entry = "" }
        /^[{}]|^  / { entry = entry (entry == "" ? "" : "\n") ($0 ~ /^}/ ? "}" : $0) }
        /^  "file": / { file = $2; gsub(/[",]/, "", file); sub(here, "", file) }
        /^}/ && file ~ /^(src|cli|models|bindings)\// {
            put(seen[file] ? "rest" : "first")
            if (++seen[file] == 2) {
                print file >(out "/rest/files")
            }
        }
        END { for (part in count) print "]" >(out "/" part "/compile_commands.json") }
    ' "$1/compile_commands.json"
}

# Large files first, so that no processor is idle at the end.
#     run_clang_tidy COMMANDS [OPTION...] <FILES
run_clang_tidy()
{
    commands=$1
    shift
    xargs -r ls -S | xargs -r -P "$jobs" -n 1 clang-tidy -p "$commands" --quiet --warnings-as-errors='*' "$@"
}

case $tool in
cppcheck)
    mkdir -p "$build/cppcheck"
    # It wants to see every file of the project, also those that are made when building.
    sed -n "s|^  \"file\": \"$(cd "$build" && pwd)/\([^\"]*\)\".*|\1|p" "$build/compile_commands.json" | sort -u |
        xargs -r cmake --build "$build" --target >/dev/null
    # Which form of a path is matched depends on where the build folder is.
    filters=
    for folder in src cli models bindings; do
        filters="$filters --file-filter=$folder/* --file-filter=$(pwd)/$folder/*"
    done
    set -f # the stars are for cppcheck
    # shellcheck disable=SC2086 # a list of words
    cppcheck --project="$build/compile_commands.json" $filters --enable=warning,performance,portability \
        --inline-suppr --suppressions-list=scripts/cppcheck.txt --cppcheck-build-dir="$build/cppcheck" \
        --error-exitcode=1 --quiet -j "$jobs"
    ;;
clang-tidy)
    split_commands "$build" "$build/tidy"
    scripts/list_sources.sh c | grep -E '^(src|cli|models|bindings/(python/(src|bench)|web/src))/' |
        run_clang_tidy "$build/tidy/first"
    # What clang's analyzer does takes longest, and it would say the same again.
    run_clang_tidy "$build/tidy/rest" --checks='-clang-analyzer-*' <"$build/tidy/rest/files"
    ;;
*)
    echo "usage: scripts/analyse.sh cppcheck|clang-tidy BUILD_FOLDER" >&2
    exit 2
    ;;
esac
