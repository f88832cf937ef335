#!/bin/sh
# .ci/run calls `make test`, then `make check`, and its last line is the sum of both. Here make is a stub.
#     tests/ci_run.sh SOURCE_FOLDER
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/.ci"
cp "$1/.ci/run" "$work/.ci/run"

# Writes "PASSED FAILED" for each step as scripts/test.sh does; "-" ends without numbers, as a failed set-up does.
cat >"$work/bin/make" <<'STUB'
#!/bin/sh
for step in "$@"; do :; done
echo "make $step"
case $step in
test) counts=$TEST_COUNTS ;;
check) counts=$CHECK_COUNTS ;;
*) exit 2 ;;
esac
[ "$counts" != - ] || exit 2
echo "$counts" >>"$TUMBLE_TEST_COUNTS"
[ "${counts#* }" = 0 ]
STUB
chmod +x "$work/bin/make"

# expect STATUS "OUTPUT" TEST_COUNTS CHECK_COUNTS
expect()
{
    status=0
    output=$(PATH="$work/bin:$PATH" TEST_COUNTS=$3 CHECK_COUNTS=$4 "$work/.ci/run") || status=$?
    if [ $status -ne "$1" ] || [ "$output" != "$(printf '%b' "$2")" ]; then
        printf 'test %s, check %s: status %s and\n%s\n' "$3" "$4" $status "$output" >&2
        exit 1
    fi
}

expect 0 'make test\nmake check\n15 passed, 0 failed' '10 0' '5 0'
expect 1 'make test\nmake check\n15 passed, 2 failed' '10 0' '5 2'
expect 1 'make test\n10 passed, 3 failed' '10 3' '5 0'
expect 1 'make test\n0 passed, 1 failed' - '5 0'
expect 1 'make test\nmake check\n10 passed, 1 failed' '10 0' -
