#!/bin/sh
# Installs the build into an empty folder, moves it, and builds a program against it in four ways: by the CMake package
# and by pkg-config, each with the shared and the static library.
#     tests/consumer/run.sh BUILD_FOLDER CC
set -eu

build=$1
cc=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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
        -DTUMBLE_TARGET=tumble::$kind >"$work/$kind.log" || { cat "$work/$kind.log"; exit 1; }
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
test -s "$prefix/share/man/man1/tumble.1"
