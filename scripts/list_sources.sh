#!/bin/sh
# Lists the project's source files whose names end in one of the given endings, tracked or new:
#     scripts/list_sources.sh c h
# Without git (a release archive) it lists what is in the project's folders.
set -eu
cd "$(dirname "$0")/.."

folders="include src models cli tests torture bench examples fuzz bindings"
pattern=$(printf '|%s' "$@")
{
    # shellcheck disable=SC2086 # a list of words
    git ls-files --cached --others --exclude-standard -- $folders 2>/dev/null ||
        find $folders -type f
} | grep -E "\.(${pattern#|})\$" | sort -u | while read -r file; do
    if [ -f "$file" ]; then
        echo "$file"
    fi
done
