#!/bin/sh
# The shared library exports exactly the functions that the public headers declare, all of them named tumble_... or, those
# of col.h, col...
#     scripts/check_symbols.sh LIBRARY INCLUDE_FOLDER
set -eu

library=$1
include=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$library" | awk '{print $3}' | sort -u >"$work/exported"
# A declaration may go over several lines: join them, then take the name before the first parenthesis.
cat "$include"/tumble/*.h | tr '\n' ' ' | sed 's/;/;\n/g' | grep -E '(^|[^[:alnum:]_])TUMBLE_API [a-z]' |
    sed -E 's/.*TUMBLE_API //; s/^[^(]*[^A-Za-z0-9_]([A-Za-z0-9_]+)\(.*/\1/' | sort -u >"$work/declared"

failed=0
if grep -vE '^(tumble_|col[A-Z])' "$work/exported"; then
    echo "these symbols are exported but start neither with tumble_ nor with col: declare them static, or hide them" >&2
    failed=1
fi
if ! diff "$work/declared" "$work/exported" >"$work/difference"; then
    sed -n 's/^< /declared in a header but not exported: /p; s/^> /exported but not declared in a header: /p' \
        "$work/difference" >&2
    failed=1
fi
echo "$(wc -l <"$work/exported") symbols exported"
[ -s "$work/exported" ]
exit $failed
