# Spheres: counts for each k and each way of tumbling (Fuenfzig and Fellner 2003, figures 11 and 12).
#     -e "experiment='f-figure-11'" or 'f-figure-12'
height = 760
load folder."/style.gp"
file = out."/papers.csv"
nested = experiment eq "f-figure-11"
set output out.(nested ? "/papers-nested.svg" : "/papers-beside.svg")
set multiplot layout 2,2 title (nested ? "A rough sphere in a sphere, radii 1 and 0.98" : "Two spheres side by side, by their overlap") font ",15"
set logscale y
set format y "%g"
if (nested) { set key right top } else { set key right bottom }
array quantities[4] = ["mean_us", "volume_tests", "updates", "triangle_tests"]
array titles[4] = ["time of a check (µs)", "volume tests", "updates", "triangle tests"]
array ways[3] = ["major axes", "all directions", "table lookup"]
array ks[5] = ["6", "12", "14", "18", "26"]
positive(name) = column(name) > 0 ? column(name) : NaN
do for [n=1:4] {
    set title titles[n] font ",13"
    if (nested) {
        set xlabel "k"
        set xtics (6, 12, 14, 18, 26)
        plot for [i=1:3] file using (strcol("experiment") eq experiment && column("x") == 0.02 && \
            strstrt(strcol("row"), ways[i]) > 0 ? column("k") : NaN):(positive(quantities[n])) with linespoints ls i \
            title n == 1 ? ways[i] : ""
    } else {
        set xlabel "overlap (radius 1)"
        plot for [i=1:5] file using (strcol("experiment") eq experiment && strcol("row") eq ks[i]."-dop by table lookup" ? \
            column("x") : NaN):(positive(quantities[n])) with linespoints ls i title n == 1 ? "k = ".ks[i].", table lookup" : "", \
            file using (strcol("experiment") eq experiment && strcol("row") eq "wide" ? column("x") : NaN):(n == 3 ? NaN : positive(quantities[n])) \
            with lines ls 7 title n == 1 ? "wide" : ""
    }
}
unset multiplot
