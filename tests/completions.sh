#!/bin/sh
# The completion scripts of bash, zsh and fish, each in its shell, with the built command.
#     tests/completions.sh FOLDER_OF_SCRIPTS TUMBLE
set -eu

scripts=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$2" "$work/bin/tumble"
PATH=$work/bin:$PATH
export HOME="$work"
cd "$work"
touch "gear one.obj" gear.stl

cat >bash.sh <<'BASH'
. "$scripts/tumble.bash"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_tumble tumble "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
BASH
cat >zsh.sh <<'ZSH'
# What the completion system would do with the answer.
_describe() { printf '%s\n' "${(@P)3%%:*}" }
_files() { print -rl -- ${words[CURRENT]}*(N) }
words=("$@")
CURRENT=$#
. "$scripts/tumble.zsh"
ZSH
export scripts

complete()
{
    shell=$1
    shift
    case $shell in
    bash) bash --norc bash.sh "$@" ;;
    zsh) zsh -f zsh.sh "$@" ;;
    fish)
        # The last word of the line is the one at the cursor.
        fish --no-config -c 'source $scripts/tumble.fish; complete -C "$argv"' -- "$*" | cut -f 1
        ;;
    esac | sort
}

# expect "ANSWER" WORD...
expect()
{
    expected=$(printf '%b' "$1")
    shift
    for shell in bash zsh fish; do
        answer=$(complete $shell "$@")
        if [ "$answer" != "$expected" ]; then
            printf '%s: %s: expected\n%s\nand got\n%s\n' $shell "$*" "$expected" "$answer" >&2
            exit 1
        fi
    done
}

expect 'demo\ndevices\ndistance' tumble d
expect '--teeth' tumble make gear --te
expect 'avx2\navx512' tumble check a.obj b.obj --simd avx
expect '--simd=avx2\n--simd=avx512' tumble check --simd=avx
expect 'gear one.obj\ngear.stl' tumble check g
expect 'gear.stl' tumble check a.obj --poses gear.
