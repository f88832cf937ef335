# Time of a query over the number of triangles, averaged over the distances (Zachmann 2002, figure 8).
load folder."/style.gp"
file = out."/sizes.csv"
shapes = values(file, "shape")
set output out."/sizes.svg"
set multiplot layout 1,2 title "Two tumbling copies, mean over the distances, default options" font ",15"
set logscale xy
set xrange [700:1.5e6]
set format x "10^{%T}"
set format y "10^{%T}"
set xlabel "triangles of each copy"
set ylabel "time of a query (µs)"
do for [mode in "all test"] {
    set title mode eq "all" ? "all pairs" : "yes or no" font ",13"
    if (mode eq "all") { set key left top } else { unset key }
    plot for [i=1:words(shapes)] file using (strcol("shape") eq word(shapes, i) && strcol("mode") eq mode && strcol("variant") eq "default" ? column("triangles") : NaN):"mean_us" \
        smooth unique with linespoints ls i title word(shapes, i)
}
unset multiplot
