#!/bin/sh
# The layer rule: base < math < prim < tree < query < collide < near, relate < motion, self, ray, point < separate, region < device, io
# < scene < assembly < clash < cli. No include goes upward, and none goes sideways between folders of one rank. models/ sees the public
# headers only.
set -eu
cd "$(dirname "$0")/.."

scripts/list_sources.sh c h cl | grep -E '^(src|cli|models|include)/' | while read -r file; do
    grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file" /dev/null || true
done | awk '
    BEGIN {
        count = split("base math prim tree query collide near ray separate device scene assembly clash cli", order)
        for (i = 1; i <= count; i++) rank[order[i]] = i
        rank["relate"] = rank["near"]
        rank["self"] = rank["ray"]
        rank["point"] = rank["ray"]
        rank["motion"] = rank["ray"]
        rank["region"] = rank["separate"]
    rank["io"] = rank["device"]
    }
    function folder_of(path,    part, count) {
        count = split(path, part, "/")
        return part[1] == "src" ? part[2] : part[1]
    }
    function refuse(why) {
        printf "%s:%s: %s\n", file, line, why
        failures++
    }
    {
        file = $0; sub(/:.*/, "", file)
        line = $0; sub(/^[^:]*:/, "", line); sub(/:.*/, "", line)
        name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
        includes++
        from = folder_of(file)
        slash = index(name, "/")
        to = slash ? substr(name, 1, slash - 1) : from
        if (name ~ /\.\.\//)
            refuse("\"" name "\": no .. in an include; start at src/")
        else if (to == "tumble" || to == from)
            next
        else if (from == "include")
            refuse("a public header includes \"" name "\"")
        else if (from == "models")
            refuse("models/ sees the public headers only, not \"" name "\"")
        else if (!(from in rank))
            refuse("the folder " from " has no rank in scripts/check_layers.sh")
        else if (!(to in rank))
            refuse("\"" name "\" is in no layer below " from)
        else if (rank[to] >= rank[from])
            refuse(from " includes \"" name "\": an include may only go downward")
    }
    END {
        if (!includes) {
            print "no include was found: the check looked at nothing"
            exit 1
        }
        exit failures > 0
    }'
