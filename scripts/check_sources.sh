#!/bin/sh
# Audits that every .c file of the project is compiled. Arguments: the compile_commands.json of builds that together
# build everything. tests/consumer is a project of its own, which the test `consumer` builds.
set -eu
cd "$(dirname "$0")/.."

if [ $# -eq 0 ]; then
    echo "usage: scripts/check_sources.sh COMPILE_COMMANDS..." >&2
    exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n "s|^ *\"file\": \"$(pwd)/\(.*\)\",*\$|\1|p" "$@" | sort -u >"$work/built"
scripts/list_sources.sh c | grep -v '^tests/consumer/' >"$work/present"
comm -13 "$work/built" "$work/present" >"$work/forgotten"
if [ ! -s "$work/built" ]; then
    echo "no compiled file was found: the check looked at nothing" >&2
    exit 1
fi
if [ -s "$work/forgotten" ]; then
    sed 's|$|: no CMakeLists.txt builds this file|' "$work/forgotten"
    exit 1
fi
