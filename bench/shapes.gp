# Time of a query over the distance, for all shapes, with the defaults.
load folder."/style.gp"
file = out."/overlap.csv"
shapes = values(file, "shape")
set output out."/shapes.svg"
set multiplot layout 1,2 title "Two tumbling copies, default options" font ",15"
set logscale y
set format y "%g"
set xlabel "distance, as a share of that of the first touch"
set key left bottom
set ylabel "time of a query (µs)"
do for [mode in "all test"] {
    set title mode eq "all" ? "all pairs" : "yes or no" font ",13"
    plot for [i=1:words(shapes)] file using (strcol("shape") eq word(shapes, i) && strcol("mode") eq mode && strcol("variant") eq "default" ? column("share") : NaN):"mean_us" \
        with linespoints ls i title mode eq "all" ? word(shapes, i) : ""
}
unset multiplot
