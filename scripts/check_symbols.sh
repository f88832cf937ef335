#!/bin/sh
# The shared library exports exactly the functions that the public headers declare, all of them named tumble_...
#     scripts/check_symbols.sh LIBRARY INCLUDE_FOLDER
set -eu

library=$1
include=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$library" | awk '{print $3}' | sort -u >"$work/exported"
# A declaration may go over several lines: join them, then take the name before the first parenthesis.
cat "$include"/tumble/*.h | tr '\n' ' ' | sed 's/;/;\n/g' | grep -E '(^|[^[:alnum:]_])TUMBLE_API [a-z]' |
    sed -E 's/.*TUMBLE_API //; s/^[^(]*[^a-z0-9_]([a-z0-9_]+)\(.*/\1/' | sort -u >"$work/declared"

failed=0
if grep -v '^tumble_' "$work/exported"; then
    echo "these symbols are exported but do not start with tumble_: declare them static, or see that they are hidden" >&2
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
