#!/bin/sh
# The man page and --help tell the same: every command has its section, every option of a command is in the page, and the
# page has no option that no command knows.
#     scripts/check_man.sh TUMBLE MAN_PAGE
set -eu

tumble=$1
page=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

say()
{
    echo "$*" >&2
    failed=1
}

# Words that look like a long option.
options()
{
    grep -oE '(^|[^[:alnum:]-])--[a-z][a-z-]*' | grep -oE -e '--[a-z-]*[a-z]' | sort -u
}

sed 's/\\-/-/g' "$page" >"$work/page"
options <"$work/page" >"$work/in_page"
"$tumble" --help >"$work/help"
sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$work/help" >"$work/commands"
[ -s "$work/commands" ] || say "tumble --help lists no commands"
while read -r command; do
    "$tumble" "$command" --help all >>"$work/help" # a topic that every command takes, or passes over
    if [ "$command" != help ] && ! grep -q "^\.SS tumble $command\$" "$work/page"; then
        say "the man page has no section .SS tumble $command"
    fi
done <"$work/commands"
# What the lists of options name; an example may name an option of a shape.
grep -E '^ +(-[a-zA-Z], )? *--[a-z]' "$work/help" | sed -E 's/^( *(-[a-zA-Z], )? *--[a-z-]+).*/\1/' | options >"$work/in_help"
# So are those of the demonstrations.
for demo in $("$tumble" demo --help | sed -n 's/^ *tumble demo \([a-z]*\) \[.*/\1/p'); do
    "$tumble" demo "$demo" --help | options >>"$work/in_help"
done
sort -u -o "$work/in_help" "$work/in_help"
# The shapes' own options are told by `tumble make SHAPE --help`; the page may name some of them.
"$tumble" make --help | sed -n 's/^  *\([a-z][a-z-]*\)  .*/\1/p' | sort -u | while read -r shape; do
    "$tumble" make "$shape" --help 2>/dev/null || true
done | options | sort -u - "$work/in_help" >"$work/known"

comm -23 "$work/in_help" "$work/in_page" >"$work/difference"
[ ! -s "$work/difference" ] || say "not in the man page: $(tr '\n' ' ' <"$work/difference")"
comm -13 "$work/known" "$work/in_page" >"$work/difference"
[ ! -s "$work/difference" ] || say "in the man page, but no command knows it: $(tr '\n' ' ' <"$work/difference")"
if command -v man >/dev/null; then
    man --warnings -E UTF-8 -l "$page" 2>"$work/warnings" >/dev/null || say "man cannot format the page"
    [ ! -s "$work/warnings" ] || say "$(cat "$work/warnings")"
fi
echo "$(wc -l <"$work/commands") commands, $(wc -l <"$work/in_help") options"
exit $failed
