# Closer than d? Beside yes or no and the distance.
height = 760
load folder."/style.gp"
file = out."/proximity.csv"
shapes = system(sprintf("awk -F, '$1 == \"clearance\" && !seen[$2]++ { print $2 }' '%s'", file))
array questions[6] = ["clearance missed", "within missed", "distance missed", "clearance met", "within met", "distance met"]
array titles[6] = ["clearance d, just missed", "distance within d, just missed", "distance, just missed", \
    "clearance d, just met", "distance within d, just met", "distance, just met"]
set output out."/proximity-clearance.svg"
set multiplot layout 2,2 title "Are two copies closer than d? (d = 0.0001 stands for yes or no, d = 0)" font ",15"
set logscale xy
set format "%g"
set xrange [0.00007:1.4]
set yrange [0.5:1e5] # with room for the key
set xlabel "d (size of a shape: 2)"
set ylabel "time of a query (µs)"
do for [n=1:words(shapes)] {
    set title word(shapes, n) font ",13"
    if (n == 1) { set key left top maxrows 6 font ",10" } else { unset key }
    plot for [k=1:2] for [i=1:3] file using (strcol("experiment") eq "clearance" && \
        strcol("scene") eq word(shapes, n) && strcol("variant") eq "default" && \
        strcol("question") eq questions[3 * k + i - 3] ? (column("x") > 0 ? column("x") : 0.0001) : NaN):"mean_us" \
        with linespoints ls i dt k title titles[3 * k + i - 3]
}
unset multiplot
