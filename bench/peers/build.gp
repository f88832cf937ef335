# Speed of building: a bar a library, the mean over the meshes.
height = 420
load folder."/style.gp"
file = out."/build.csv"
peers = values(file, "peer")
set output out."/build.svg"
set title "Building on one thread, mean over the meshes" font ",15"
set xlabel "million triangles per second"
set xrange [0:*]
set yrange [words(peers) + 0.6 : 0.4]
set ytics ()
do for [k=1:words(peers)] { set ytics add (word(peers, k) k) }
set offsets 0, 0.5, 0, 0
set style fill solid 0.85 noborder
unset key
array speed[words(peers)]
do for [k=1:words(peers)] { speed[k] = mean_of(file, "million_triangles_a_second", word(peers, k)) }
set datafile separator whitespace
set datafile nocolumnheaders
plot speed using (0):1:(0):2:($1 - 0.32):($1 + 0.32):(word(peers, int($1)) eq "tumble" ? 0x0072b2 : 0x999999) \
        with boxxyerror lc rgb variable, \
    speed using 2:1:(sprintf(" %.2f", $2)) with labels left font ",12"
