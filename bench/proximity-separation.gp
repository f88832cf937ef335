# The minimum distance over the gap between two copies, by hierarchy.
height = 760
load folder."/style.gp"
file = out."/proximity.csv"
set style line 8 lc rgb "#000000" lw 3 pt 7 ps 0.7
shapes = system(sprintf("awk -F, '$1 == \"separation\" && !seen[$2]++ { print $2 }' '%s'", file))
array variants[8] = ["default", "boxtree", "rtree", "k=6", "k=12", "k=14", "kdop", "k=26"]
array titles[8] = ["wide (default)", "boxtree", "R-tree", "6-DOPs", "12-DOPs", "14-DOPs", "18-DOPs", "26-DOPs"]
array styles[8] = [8, 1, 2, 3, 4, 5, 6, 7]
set output out."/proximity-separation.svg"
set multiplot layout 2,2 title "Minimum distance of two copies, exactly" font ",15"
set logscale xy
set format "%g"
set xrange [0.0007:14]
set yrange [10:1e6] # with room for the key
set xlabel "gap between the copies (in sizes of the shape)"
set ylabel "time of a query (µs)"
do for [n=1:words(shapes)] {
    set title word(shapes, n) font ",13"
    if (n == 1) { set key left top maxrows 4 font ",10" } else { unset key }
    plot for [i=1:8] file using (strcol("experiment") eq "separation" && strcol("scene") eq word(shapes, n) && \
        strcol("variant") eq variants[i] && strcol("question") eq "exact" ? column("x") : NaN):"mean_us" \
        with linespoints ls styles[i] title titles[i]
}
unset multiplot
