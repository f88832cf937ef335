#!/bin/bash
# Runs the documentation: in README.md and docs/*.md,
#   - a ```c block whose first line is a comment `example: NAME` is compiled as NAME.c, with warnings as errors, and run;
#   - a ```sh block whose first line is the comment `run` is run in an empty folder, with the built command on the PATH.
#     Each command must succeed; `tumble check`, `distance`, `separate`, `scene`, `ray` and `nearest` may also exit with 1, which
#     says that something is met, and the first three and `ray` with 3, which says that this is not known.
# A block ```text that follows at once is the expected output, line by line; `...` in it stands for any text.
#     scripts/check_docs.sh "COMPILE AND LINK COMMAND" COMMAND_FOLDER
# In the compile command, {} stands for the source file.
set -euo pipefail

compile=$1
command_folder=$2
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/blocks"

# Each block that is to be run becomes a file NUMBER-LINE-NAME.c or .sh, its expected output the same with .expected.
extract()
{
    awk -v folder="$work/blocks" -v number="$2" '
        function start(ending, name) {
            base = sprintf("%s/%02d-%04d-%s", folder, number, NR, name)
            target = base ending
            printf "" > target
        }
        /^ *```/ && !inside {
            inside = 1
            language = $0; sub(/^ *```/, "", language); sub(/ .*/, "", language)
            first = 1
            target = ""
            if (language == "text" && base != "" && adjacent) {
                target = base ".expected"
                printf "" > target
            } else {
                base = ""
            }
            next
        }
        /^ *```/ && inside {
            inside = 0
            adjacent = 1
            if (target != "") close(target)
            next
        }
        inside && first {
            first = 0
            if (language == "c" && match($0, /^\/\* example: [A-Za-z0-9_-]+ \*\/$/)) {
                start(".c", substr($0, 13, length($0) - 15))
            } else if (language == "sh" && $0 == "# run") {
                start(".sh", "commands")
                next
            }
        }
        inside && target != "" { print > target }
        !inside && !/^[[:space:]]*$/ { adjacent = 0 }
    ' "$1"
}

run_program()
{
    local program=${1%.c}
    # shellcheck disable=SC2086 # a list of words
    (cd "$work/blocks" && ${compile//\{\}/$1} -o "$program")
    "$program"
}

# Stops at the first command that fails, except that 1 and 3 from `tumble check`, `distance`, `ray` and so on are answers.
run_commands()
{
    cat - "$1" >"$1.traced" <<'PROLOGUE'
set -uo pipefail
trap 's=$?; case "$s $BASH_COMMAND" in [13]" tumble check"* | [13]" tumble distance"* | [13]" tumble separate"* | 1" tumble scene"* | 1" tumble clash"* | [13]" tumble ray"* | 1" tumble nearest"*) ;; *) echo "line failed with $s: $BASH_COMMAND" >&2; exit 1 ;; esac' ERR
PROLOGUE
    echo 'exit 0' >>"$1.traced" # the trap has judged every command
    PATH="$command_folder:$PATH" bash "$1.traced"
}

matches()
{
    awk -v expected="$1" '
        function pattern(line) {
            gsub(/[][\\.^$*+?(){}|]/, "\\\\&", line)
            gsub(/\\\.\\\.\\\./, ".*", line)
            return "^" line "$"
        }
        { if ((getline want < expected) <= 0) { print "unexpected line: " $0; bad = 1; exit }
          if ($0 !~ pattern(want)) { print "expected: " want "\ngot:      " $0; bad = 1; exit } }
        END { if (!bad && (getline want < expected) > 0) { print "missing line: " want; bad = 1 }
              exit bad }'
}

number=0
for file in "$root"/README.md "$root"/docs/*.md; do
    [ -f "$file" ] || continue
    number=$((number + 1))
    extract "$file" $number
    echo "$number: ${file#"$root"/}" >>"$work/files"
done

count=0
for block in "$work"/blocks/*.c "$work"/blocks/*.sh; do
    [ -f "$block" ] || continue
    name=$(basename "$block")
    echo "-- block $name (file-line-name; files: $(tr '\n' ' ' <"$work/files"))"
    empty=$work/empty/$name
    mkdir -p "$empty"
    cd "$empty"
    case $block in
    *.c) run_program "$block" ;;
    *.sh) run_commands "$block" ;;
    esac | tee "$work/output"
    if [ -f "${block%.*}.expected" ]; then
        matches "${block%.*}.expected" <"$work/output"
    fi
    count=$((count + 1))
done
echo "$count blocks of the documentation ran"
[ $count -gt 0 ]
