#!/bin/sh
# Everything in Debian's package assimp-testmodels is read, or refused with a message: a crash, a hang or a blow-up of
# assimp is never ours. In the environment TUMBLE is the path of the command.
#     tests/corpus.sh [FOLDER]
set -eu

folder=${1:-/usr/share/assimp/models}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -d "$folder" ]; then
    echo "$folder is missing: install the package assimp-testmodels (scripts/setup.sh check does)" >&2
    exit 1
fi

failed=0
say()
{
    echo "$*" >&2
    failed=1
}

# Of a file that was read: one JSON object, and at most warnings.
check_read()
{
    grep -q '^{.*"polygons": [1-9]' "$work/out" || say "$1: no JSON of a model: $(head -c 200 "$work/out")"
    grep -v '^tumble: warning: ' "$work/err" >"$work/rest" && say "$1: $(cat "$work/rest")"
    return 0
}

# Of one that was refused: one line that names the file, what is wrong and what to do, and no output.
check_refused()
{
    [ -s "$work/out" ] && say "$1: refused, but wrote $(head -c 200 "$work/out")"
    [ "$(wc -l <"$work/err")" -eq 1 ] || say "$1: not one line: $(cat "$work/err")"
    grep -qF "tumble: error: $1" "$work/err" || say "$1: the message does not start with its name: $(cat "$work/err")"
    sed "s|^tumble: error: ||" "$work/err" | grep -q ': .*: ' || say "$1: no advice: $(cat "$work/err")"
}

cd "$folder"
find . -type f | sort >"$work/files"
read=0 refused=0
while IFS= read -r file; do
    status=0
    timeout -s KILL 100 "$TUMBLE" info "$file" --json --import-seconds 60 --import-memory 4096 \
        >"$work/out" 2>"$work/err" </dev/null || status=$?
    case $status in
    0) check_read "$file" && read=$((read + 1)) ;;
    2) check_refused "$file" && refused=$((refused + 1)) ;;
    *) say "$file: exit status $status: $(cat "$work/err")" ;;
    esac
done <"$work/files"
echo "$read files were read, $refused were refused"

# What once crashed, and what most of the package is, must be among those that are read.
for file in RAW/WithColor.raw RAW/WithTexture.raw PLY/Wuson.ply NFF/NFF/hexahedron.nff IFC/AC14-FZK-Haus.ifc; do
    "$TUMBLE" info "$file" >/dev/null 2>&1 || say "$file: it must be read"
done
# The units and up axes that files of these formats state.
expect()
{
    "$TUMBLE" info "$1" --json >"$work/out" 2>/dev/null || say "$1: it must be read"
    grep -qF "$2" "$work/out" || say "$1: no $2 in $(cut -c 1-300 "$work/out")"
}
expect Collada/duck.dae '"unit": "cm", "unit_metres": 0.01, "up": "y"'
expect Collada/cube_with_2UVs.DAE '"unit": "in", "unit_metres": 0.0254, "up": "z"'
expect 3MF/box.3mf '"unit": "mm", "unit_metres": 0.001, "up": "z"'
expect FBX/spider.fbx '"unit": "cm", "unit_metres": 0.01, "up": "y"'
expect IFC/AC14-FZK-Haus.ifc '"unit": "m", "unit_metres": 1, "up": "z"'
expect glTF2/BoxTextured-glTF/BoxTextured.gltf '"unit": "m", "unit_metres": 1, "up": "y"'
"$TUMBLE" info IFC/AC14-FZK-Haus.ifc --surfaces | grep -q ' IfcDoor/Haustuer/2jTRqchjf7oB0yhQ6462T0$' ||
    say "the front door has lost its name"

[ "$read" -ge 250 ] && [ "$refused" -ge 100 ] || say "the package has changed, or nothing is read any more"
exit $failed
