# Time of a query over the distance for the overlap tests (Zachmann 2002, figure 7).
height = 720
load folder."/style.gp"
file = out."/overlap.csv"
tests = "overlap=axes overlap=tables overlap=sat boxtree"
names = "axes tables sat sat-lite"
triangles(shape) = int(system(sprintf("awk -F, '$1 == \"%s\" { print $2; exit }' '%s'", shape, file)))
chosen(shape, size, test) = strcol("shape") eq shape && column("triangles") == size && strcol("mode") eq "all" && strcol("variant") eq test
set output out."/overlap.svg"
set multiplot layout 2,2 title "All intersecting pairs of two tumbling copies, by overlap test" font ",15"
set xlabel "distance of the centres"
set format y "%g"

set logscale y
set ylabel "time of a query (ms)"
do for [shape in "gear pipes"] {
    size = triangles(shape)
    set title sprintf("%s, %d triangles", shape, size) font ",13"
    set key left bottom
    plot for [i=1:words(tests)] file using (chosen(shape, size, word(tests, i)) ? column("distance") : NaN):(column("mean_us") / 1000) \
        with linespoints ls i title word(names, i)
}

unset logscale y
unset title
unset key
set yrange [0.6:4]
set ylabel "time relative to sat-lite"
do for [shape in "gear pipes"] {
    size = triangles(shape)
    plot for [i=1:words(tests)] file using (chosen(shape, size, word(tests, i)) ? column("distance") : NaN):"relative" \
        with linespoints ls i title word(names, i)
}
unset multiplot
