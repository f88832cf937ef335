#!/bin/sh
# Rules of style that no compiler checks. A status is compared with TUMBLE_OK (`if (status != TUMBLE_OK)`): it is never
# taken for a truth value, neither a variable nor what a function returns.
set -eu
cd "$(dirname "$0")/.."

# shellcheck disable=SC2046 # file names have no spaces
awk '
    function name_of(line) {
        sub(/\(.*/, "", line)
        sub(/.* /, "", line)
        return line
    }
    function refuse(what) {
        printf "%s:%d: %s is a tumble_status: compare it with TUMBLE_OK\n", FILENAME, FNR, what
        failures++
    }
    # The function whose result decides on this line: if (name(...)), && name(...), !name(...)
    function decider(line,    name) {
        if (line ~ /[=!]=/ || !match(line, /((if|while) \(!?|&& !?|\|\| !?|[^a-z_]!)[a-zA-Z_0-9]+\(/)) return ""
        name = substr(line, RSTART, RLENGTH - 1)
        sub(/.*[^a-zA-Z_0-9]/, "", name)
        return name
    }
    FNR == 1 { delete own }
    { text = $0; gsub(/"[^"]*"/, "\"\"", text); sub(/\/\*.*/, "", text) }
    # Functions that return a status: those of all files, and the static ones of this file.
    text ~ /^(TUMBLE_API )?tumble_status [a-zA-Z_0-9]+\(/ { all[name_of(text)] = 1 }
    text ~ /^static (inline )?tumble_status [a-zA-Z_0-9]+\(/ { own[name_of(text)] = 1 }
    {
        name = decider(text)
        if (name in all || name in own) refuse("what " name " returns")
        # What is compared is as it should be; of the rest, nothing may stand where a truth value does.
        gsub(/[=!]= (\([a-z0-9_]+\))?([a-z_]+(->|\.))*[a-z_]*status/, "==", text)
        gsub(/status [=!]=/, "==", text)
        if (text ~ /((if|while) \(|&& |\|\| |!)!?([a-z_]+(->|\.))*([a-z]+_)?status( \?| &&| \|\||\)|;)/ ||
            text ~ /[^a-z_.>]([a-z_]+(->|\.))*([a-z]+_)?status (\?|&&|\|\|) /) refuse("this")
    }
    END {
        if (NR < 1000) {
            print "the check of the style looked at nothing"
            exit 1
        }
        exit failures > 0
    }' $(scripts/list_sources.sh h c)
