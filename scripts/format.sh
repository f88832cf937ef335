#!/bin/sh
# Formats the sources in place; with --check only says what is wrong.
set -eu
cd "$(dirname "$0")/.."

tool=clang-format
if command -v clang-format-14 >/dev/null; then
    tool=clang-format-14
fi
case ${1:-} in
--check) scripts/list_sources.sh c h cpp | xargs "$tool" --dry-run -Werror ;;
"") scripts/list_sources.sh c h cpp | xargs "$tool" -i ;;
*)
    echo "usage: scripts/format.sh [--check]" >&2
    exit 2
    ;;
esac
