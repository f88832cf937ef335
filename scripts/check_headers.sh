#!/bin/sh
# Compiles each public header alone, as C99 and as C++11, with all warnings as errors.
#     scripts/check_headers.sh "CC" "CXX" INCLUDE_FOLDER...
set -eu

cc=$1
cxx=$2
shift 2
flags="-Wall -Wextra -Wpedantic -Werror -fsyntax-only"
for folder in "$@"; do
    flags="$flags -I$folder"
done
count=0
for folder in "$@"; do
    for header in "$folder"/tumble/*.h; do
        [ -f "$header" ] || continue
        name=${header#"$folder"/}
        # Twice, so that a missing include guard shows.
        program=$(printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$name" "$name")
        for definition in -DTUMBLE_STATIC -UTUMBLE_STATIC; do
            # shellcheck disable=SC2086 # lists of words
            printf '%s\n' "$program" | $cc $flags $definition -std=c99 -x c -
            # shellcheck disable=SC2086
            printf '%s\n' "$program" | $cxx $flags $definition -std=c++11 -x c++ -
        done
        count=$((count + 1))
    done
done
echo "$count headers compile alone as C99 and as C++11"
[ $count -gt 0 ]
