#!/bin/sh
# Audits that every .c and .cpp file of the project is compiled, and that no file of tests has more than 800 lines.
# Arguments: the compile_commands.json of builds that together build everything. tests/consumer is a project of its own,
# which the test `consumer` builds; bindings/python/tests compiles what it needs itself. bench/peers needs other
# libraries and bindings/python Python's headers, so the files of these must be named in their CMakeLists.txt.
set -eu
cd "$(dirname "$0")/.."

if [ $# -eq 0 ]; then
    echo "usage: scripts/check_sources.sh COMPILE_COMMANDS..." >&2
    exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n "s|^ *\"file\": \"$(pwd)/\(.*\)\",*\$|\1|p" "$@" | sort -u >"$work/built"
for folder in bench/peers bindings/python; do
    scripts/list_sources.sh c cpp | grep "^$folder/" | while read -r file; do
        if grep -qE "(^|[[:space:]/])$(basename "$file")([[:space:]]|\$)" "$folder/CMakeLists.txt"; then
            echo "$file"
        fi
    done
done | sort -u - "$work/built" -o "$work/known"
scripts/list_sources.sh c cpp | grep -Ev '^(tests/consumer|bindings/python/tests)/' >"$work/present"
comm -13 "$work/known" "$work/present" >"$work/forgotten"
if [ ! -s "$work/built" ]; then
    echo "no compiled file was found: the check looked at nothing" >&2
    exit 1
fi
if [ -s "$work/forgotten" ]; then
    sed 's|$|: no CMakeLists.txt builds this file|' "$work/forgotten"
    exit 1
fi
if ! scripts/list_sources.sh c h | grep '^tests/' | xargs awk '
    FNR == 801 { print FILENAME ": more than 800 lines: split it by subject"; long = 1 }
    END { exit long }'; then
    exit 1
fi
