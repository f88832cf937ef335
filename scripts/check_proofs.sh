#!/bin/bash
# Checks the proofs in proofs/ with Gappa, with the constants of src/*/bounds.h filled in, and tells how much of each
# constant its proof needs: the least share with which Gappa still proves the statement, or the largest multiple of a
# limit. A proof that holds whatever its constants are is refused.
#     scripts/check_proofs.sh [SCRIPT...]        all of proofs/*.g if none is given
# Constants that no script is about must be in proofs/without.txt, with the reason. proofs/README.md says more.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/proofs
headers="src/math/bounds.h src/scene/bounds.h"

names_of_headers()
{
    sed -n 's/^#define \(TMB_[A-Z0-9_]*\) .*/\1/p' $headers
}

# The program that fills in the constants.
build_constants()
{
    mkdir -p "$build"
    names_of_headers | sed 's/.*/TMB_PROOF_CONSTANT(&)/' >"$build/constants.inc"
    "${CC:-cc}" -std=c17 -Wall -Wextra -I src -I "$build" -o "$build/constants" proofs/constants.c
}

# field KEY SCRIPT: what the lines "# KEY: ..." of a script say.
field()
{
    sed -n "s/^# $1: *//p" "$2"
}

# prove SCRIPT [NAME FACTOR]: whether Gappa proves it, with the constant times the factor. Gappa believes a hint that it
# cannot see to be true, or that divides by what may be 0, but warns: a warning is a failure.
prove()
{
    local script=$1
    shift
    output=$("$build/constants" "$@" <"$script" | gappa -Eprecision=200 -Eno-auto-dichotomy 2>&1) &&
        [[ $output != *Warning* ]]
}

# Sets power to the largest number for which the constant times 2^-power (2^power for a limit) is proven.
find_power()
{
    local script=$1 name=$2 sign=$3 step=1
    power=0
    while prove "$script" "$name" "0x1p$sign$((power + step))"; do
        power=$((power + step))
        step=$((step * 2))
        [ $step -le 1024 ] || return 1
    done
    while [ $step -gt 1 ]; do
        step=$((step / 2))
        prove "$script" "$name" "0x1p$sign$((power + step))" && power=$((power + step))
    done
    return 0
}

# Sets share to what a constant needs of itself, in thirty-seconds of a power of two.
find_share()
{
    local script=$1 name=$2 least=16 most=32 middle
    while [ $((most - least)) -gt 1 ]; do
        middle=$(((least + most) / 2))
        if prove "$script" "$name" "$(printf "0x%xp-%d" $middle $((power + 5)))"; then most=$middle; else least=$middle; fi
    done
    share=$(awk "BEGIN { s = $most * 2 ^ -($power + 5); if (s < 0.01) print \"2^-$power\"; else printf \"%.2g\", s }")
}

# One line for each constant of a script.
check_script()
{
    local script=$1 name found=0
    if ! prove "$script"; then
        printf '%s: Gappa cannot prove: %s\n%s\n' "$script" "$(field statement "$script")" "$output" >&2
        return 1
    fi
    printf '%s: %s\n' "$(basename "$script" .g)" "$(field statement "$script")"
    for name in $(field constant "$script"); do
        find_power "$script" "$name" - || { echo "$script: holds whatever $name is" >&2; return 1; }
        find_share "$script" "$name"
        printf '    %-32s needs %s of it\n' "$name" "$share"
        found=1
    done
    for name in $(field limit "$script"); do
        find_power "$script" "$name" "" || { echo "$script: holds whatever $name is" >&2; return 1; }
        printf '    %-32s holds up to 2^%s times it\n' "$name" "$power"
        found=1
    done
    [ $found = 1 ] || { echo "$script: has neither '# constant:' nor '# limit:'" >&2; return 1; }
}

# Every constant is the subject of a script or has a reason why not, and not both.
check_complete()
{
    local name failures=0
    names_of_headers | sort >"$build/all"
    cat proofs/*.g | sed -n 's/^# \(constant\|limit\): *//p' | tr -s ' ' '\n' | sort -u >"$build/proven"
    sed -n 's/^\(TMB_[A-Z0-9_]*\): .*/\1/p' proofs/without.txt | sort >"$build/without"
    for name in $(sort "$build/proven" "$build/without" | comm -23 "$build/all" -); do
        echo "$name: no script in proofs/ is about it, and proofs/without.txt does not say why" >&2
        failures=1
    done
    for name in $(comm -12 "$build/proven" "$build/without"); do
        echo "$name: has a script in proofs/ and is in proofs/without.txt" >&2
        failures=1
    done
    for name in $(sort -u "$build/proven" "$build/without" | comm -13 "$build/all" -); do
        echo "$name: is not in $headers" >&2
        failures=1
    done
    return $failures
}

if [ "${1:-}" = --one ]; then
    check_script "$2"
    exit
fi
build_constants
if [ $# -gt 0 ]; then
    scripts=("$@")
else
    scripts=(proofs/*.g)
    check_complete
fi
# shellcheck disable=SC2016 # $0 and $1 are the folder and the script
printf '%s\n' "${scripts[@]}" | xargs -P "$(nproc)" -I {} \
    sh -c 'scripts/check_proofs.sh --one "$1" >"$0/$(basename "$1").log"' "$build" {}
for script in "${scripts[@]}"; do
    cat "$build/$(basename "$script").log"
done
echo "${#scripts[@]} statements proven"
