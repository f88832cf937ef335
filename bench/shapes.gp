# Time of a query over the distance, for all shapes, with the defaults.
load folder."/style.gp"
file = out."/hierarchies.csv"
shapes = values(file, "shape")
smallest(shape) = int(system(sprintf("awk -F, '$1 == \"%s\" { print $2; exit }' '%s'", shape, file)))
set output out."/shapes.svg"
set multiplot layout 1,2 title sprintf("Two tumbling copies of about %d triangles each, default options", smallest("sphere")) font ",15"
set logscale y
set format y "%g"
set xlabel "distance, as a share of that of the first touch"
set key left bottom
set xrange [*:1.03]
set ylabel "time of a query (µs)"
do for [mode in "all test"] {
    set title mode eq "all" ? "all pairs" : "yes or no" font ",13"
    plot for [i=1:words(shapes)] size = smallest(word(shapes, i)) file using (strcol("shape") eq word(shapes, i) && column("triangles") == size && strcol("mode") eq mode && strcol("variant") eq "default" ? column("share") : NaN):"mean_us" \
        with linespoints ls i title mode eq "all" ? word(shapes, i) : ""
}
unset multiplot
