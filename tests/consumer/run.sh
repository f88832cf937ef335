#!/bin/sh
# Installs the build into an empty folder, moves it, and builds a program against it in four ways: by the CMake package
# and by pkg-config, each with the shared and the static library. Builds and runs the installed examples.
#     tests/consumer/run.sh BUILD_FOLDER CC
set -eu

build=$1
cc=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# `make install` builds this target; no tests, benchmarks and examples belong to it.
make -n -C "$here/../.." install | grep -q -e '--target installed'
if ninja -C "$build" -t inputs installed | grep -E '^(bench|examples|fuzz|tests)/'; then
    echo "the target 'installed' builds what is not installed" >&2
    exit 1
fi

DESTDIR="$work/stage" cmake --install "$build" --prefix /opt/somewhere >"$work/install.log"
mv "$work/stage/opt/somewhere" "$work/tumble"
prefix=$work/tumble
package=$(dirname "$(find "$prefix" -name tumble.pc)")
libdir=$(dirname "$package")

# shared and static show in what the program needs at run time.
check_program()
{
    needs=no
    if readelf -d "$1" | grep -q 'NEEDED.*libtumble'; then
        needs=yes
    fi
    if [ "$needs" != "$2" ]; then
        echo "$1: needs libtumble.so at run time: $needs, but it should be: $2" >&2
        exit 1
    fi
    LD_LIBRARY_PATH=$libdir "$1"
}

for kind in tumble static; do
    cmake -S "$here" -B "$work/by-$kind" -G Ninja -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" \
        -DTUMBLE_TARGET=tumble::$kind -DTUMBLE_WANTED="$(cut -d. -f1,2 "$here/../../VERSION")" >"$work/$kind.log" || { cat "$work/$kind.log"; exit 1; }
    cmake --build "$work/by-$kind"
done
check_program "$work/by-tumble/consumer" yes
check_program "$work/by-static/consumer" no

export PKG_CONFIG_PATH="$package"
# shellcheck disable=SC2046 # lists of words
$cc "$here/main.c" -o "$work/shared" $(pkg-config --cflags --libs tumble)
check_program "$work/shared" yes
# shellcheck disable=SC2046
$cc "$here/main.c" -o "$work/archive" $(pkg-config --static --cflags tumble) \
    $(pkg-config --static --libs tumble | sed "s|-ltumble|$libdir/libtumble.a|")
check_program "$work/archive" no

version=$(pkg-config --modversion tumble)
"$prefix/bin/tumble" --version | grep -F "$version"

share=$prefix/share
for file in man/man1/tumble.1 bash-completion/completions/tumble zsh/site-functions/_tumble \
    fish/vendor_completions.d/tumble.fish doc/tumble/README.md doc/tumble/LICENSE; do
    test -s "$share/$file" || { echo "not installed: $file" >&2; exit 1; }
done
for file in "$here"/../../docs/*.md; do
    cmp "$file" "$share/doc/tumble/docs/${file##*/}"
done
for file in "$here"/../../include/tumble/*.h; do
    cmp "$file" "$prefix/include/tumble/${file##*/}"
done
test -s "$prefix/include/tumble/version.h"

# Links from page to page hold.
for file in "$share"/doc/tumble/*.md "$share"/doc/tumble/docs/*.md; do
    # shellcheck disable=SC2013 # no link has blanks
    for link in $(sed -n 's/](\([^)# ]*\)/\n@\1\n/gp' "$file" | sed -n 's/^@\([^:]\{1,\}\)$/\1/p'); do
        test -e "$(dirname "$file")/$link" || { echo "${file##*/}: a link to $link, which is not installed" >&2; exit 1; }
    done
done

cmake -S "$share/doc/tumble/examples" -B "$work/examples" -G Ninja -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" >"$work/examples.log" || { cat "$work/examples.log"; exit 1; }
cmake --build "$work/examples"
count=0
for file in "$share"/doc/tumble/examples/*.c; do
    name=$(basename "$file" .c)
    if [ "$name" != shapes ]; then
        "$work/examples/$name" >"$work/$name.out"
        test -s "$work/$name.out"
        count=$((count + 1))
    fi
done
test $count -gt 0
# One of them without CMake.
# shellcheck disable=SC2046
$cc "$share/doc/tumble/examples/path.c" "$share/doc/tumble/examples/shapes.c" -o "$work/path" \
    $(pkg-config --cflags --libs tumble) -lm
check_program "$work/path" yes
echo "$count examples run"
