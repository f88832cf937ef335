#!/bin/bash
# Runs every command that the tables of docs/papers.md name, in its quick form:
#     scripts/check_papers.sh BENCH_FOLDER COMMAND_FOLDER [PEERS_FOLDER]
# Those of `tumble_bench papers --experiments` run in one process, which makes their scenes once; the tables must name
# all of them, and each must write rows.
# Without PEERS_FOLDER, commands of tumble_peers are only counted, as are those on OpenCL devices where there is none.
# `tumble check` and `tumble distance` may exit with 1, which says that the models intersect. Every table must have
# commands, and every row a verdict.
set -euo pipefail

bench=$(realpath "$1")
command_folder=$(realpath "$2")
peers=${3:+$(realpath "$3")}
page=$(cd "$(dirname "$0")/.." && pwd)/docs/papers.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
    echo "scripts/check_papers.sh: $*" >&2
    exit 1
}

# What stands in the third column, and whether the rows are whole.
awk -F ' *[|] *' '
    /^## / { part = $0 }
    /^[|] What/ { tables++; next }
    /^[|]---/ || !/^[|]/ { next }
    NF != 8 { print "row with " NF - 2 " columns: " $0 > "/dev/stderr"; bad = 1 }
    $2 == "" || $7 == "" { print "row without subject or verdict: " $0 > "/dev/stderr"; bad = 1 }
    $4 != "" {
        if ($4 !~ /^`[^`]+`$/) { print "not a command: " $4 > "/dev/stderr"; bad = 1 }
        gsub(/`/, "", $4); print $4; with[part] = 1
    }
    END { for (p in with) n++; if (n != tables || n != 5) { print n " of " tables " tables have commands" > "/dev/stderr"; bad = 1 }
          exit bad }' "$page" | sort -u >"$work/commands" || fail "the tables of docs/papers.md are not in order"

cd "$work"
export PATH=$bench:$bench/orders:$command_folder:$peers:$PATH
tumble make gear -o gear.obj >/dev/null
tumble make torus -o torus.stl >/dev/null
printf '%s 1 0 0 0 0 1 0 0 0 0 1 0\n' "gear gear.obj" "ring torus.stl" >cell.txt

# The experiments: those of the page and those of the program.
sed -n 's/^tumble_bench papers --experiments \([a-z0-9,-]*\)$/\1/p' commands | tr ',' '\n' | sort -u >named
[ -s named ] || fail "no experiment of the papers is named"
tumble_bench papers --quick --csv papers.csv >output 2>&1 || {
    cat output
    fail "'tumble_bench papers --quick' ended with $?"
}
sed -n 's/^== \([a-z0-9-]*\): .*/\1/p' output | sort -u >ran
diff named ran || fail "the experiments of the page (<) are not those of tumble_bench (>)"
tail -n +2 papers.csv | cut -d, -f1 | sort -u | diff - ran || fail "experiments wrote no rows"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "hits") hits = i; next }
    { total += $hits }
    END { exit total == 0 }' papers.csv || fail "nothing was hit"

left_out=0
while read -r line; do
    case $line in
    "tumble_bench papers --experiments "*) continue ;;
    "tumble "*) quick='' most=1 ;;
    tumble_orders) quick='' most=0 ;;
    "tumble_bench "*) quick=' --quick' most=0 ;;
    "tumble_peers "*)
        quick=' --quick' most=0
        if [ -z "$peers" ]; then
            left_out=$((left_out + 1))
            continue
        fi
        ;;
    *) fail "'$line' starts with no program of ours" ;;
    esac
    status=0
    bash -c "$line$quick" >output 2>&1 </dev/null || status=$?
    if [ $status -gt "$most" ] && grep -q "0 of OpenCL were found" output; then
        left_out=$((left_out + 1))
    elif [ $status -gt "$most" ]; then
        cat output
        fail "'$line$quick' ended with $status"
    fi
done <commands
echo "$(wc -l <commands) commands, $left_out of them left out"
