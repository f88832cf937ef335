# Memory: a bar a library, the mean over the meshes; Tumble's is told apart into geometry and hierarchy.
height = 420
load folder."/style.gp"
file = out."/build.csv"
peers = values(file, "peer")
set output out."/memory.svg"
set title "Memory of a model with its geometry, mean over the meshes" font ",15"
set xlabel "bytes per triangle"
set xrange [0:*]
set yrange [words(peers) + 0.6 : 0.4]
set ytics ()
do for [k=1:words(peers)] { set ytics add (word(peers, k) k) }
set offsets 0, 40, 0, 0
set style fill solid 0.85 noborder
set key right bottom
array bytes[words(peers)]
array tree[words(peers)]
do for [k=1:words(peers)] {
    bytes[k] = mean_of(file, "bytes_a_triangle", word(peers, k))
    tree[k] = mean_of(file, "hierarchy_bytes_a_triangle", word(peers, k))
}
set datafile separator whitespace
set datafile nocolumnheaders
plot bytes using (0):1:(0):2:($1 - 0.32):($1 + 0.32) with boxxyerror lc rgb "#999999" title "all", \
    bytes using (tree[$1] > 0 ? 0 : NaN):1:(0):2:($1 - 0.32):($1 + 0.32) with boxxyerror lc rgb "#56b4e9" \
        title "geometry", \
    bytes using (tree[$1] > 0 ? 0 : NaN):1:(0):(tree[$1]):($1 - 0.32):($1 + 0.32) with boxxyerror lc rgb "#0072b2" \
        title "hierarchy", \
    bytes using 2:1:(sprintf(" %.1f", $2)) with labels left font ",12" notitle
