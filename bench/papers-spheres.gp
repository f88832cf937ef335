# Spheres: counts for each k and each way of tumbling (Fuenfzig and Fellner 2003, figures 11 and 12).
#     -e "experiment='f-figure-11'" or 'f-figure-12'
height = 760
load folder."/style.gp"
file = out."/papers.csv"
nested = experiment eq "f-figure-11"
set output out.(nested ? "/papers-nested.svg" : "/papers-beside.svg")
set multiplot layout 2,2 title (nested ? "A rough sphere in a sphere, radii 1 and 0.98" : "Two spheres side by side, by their overlap") font ",15"
array quantities[4] = ["mean_us", "volume_tests", "updates", "triangle_tests"]
array titles[4] = ["time of a check (µs)", "volume tests", "updates", "triangle tests"]
array ways[3] = ["major axes", "all directions", "table lookup"]
array ks[5] = ["6", "12", "14", "18", "26"]
is(row) = strcol("experiment") eq experiment && strcol("row") eq row
is_way(way) = strcol("experiment") eq experiment && column("x") == 0.02 && strstrt(strcol("row"), way) > 0
positive(name) = column(name) > 0 ? column(name) : NaN
set format y "%g"
if (nested) {
    set xlabel "k"
    set xtics (6, 12, 14, 18, 26)
    set yrange [0:*]
    set key left bottom
    do for [n=1:4] {
        set title titles[n] font ",13"
        plot for [i=1:3] file using (is_way(ways[i]) ? column("k") : NaN):(column(quantities[n])) with linespoints ls i \
            title n == 3 ? ways[i] : ""
    }
} else {
    set xlabel "overlap (radius 1)"
    set logscale y
    do for [n=1:4] {
        set title titles[n] font ",13"
        if (n == 3) { set yrange [0.1:*]; set key right bottom } else { set yrange [*:*]; set key left top }
        plot for [i=1:5] file using (is(ks[i]."-dop by table lookup") ? column("x") : NaN):(positive(quantities[n])) \
            with linespoints ls i title n == 3 ? "k = ".ks[i].", table lookup" : "", \
            file using (is("26-dop by all directions") ? column("x") : NaN):(positive(quantities[n])) \
            with linespoints ls 6 title n == 3 ? "k = 26, all directions" : "", \
            for [i=1:(n == 3 ? 0 : 1)] file using (is("wide") ? column("x") : NaN):(positive(quantities[n])) \
            with lines ls 7 title "wide"
    }
}
unset multiplot
