# Time of a query over the distance for the overlap tests (Zachmann 2002, figure 7).
load folder."/style.gp"
set terminal svg size 900,720
file = out."/overlap.csv"
all_shapes = values(file, "shape")
wanted = "sphere gear pipes knot"
tests = "overlap=axes overlap=tables overlap=sat default"
names = "axes tables sat sat-lite"
set output out."/overlap.svg"
set multiplot layout 2,2 title "All intersecting pairs of two tumbling copies, by overlap test" font ",15"
set logscale y
set xlabel "distance of the centres"
set ylabel "time of a query (ms)"
set format y "%g"
do for [shape in wanted] {
    size = int(system(sprintf("awk -F, '$1 == \"%s\" { print $2; exit }' '%s'", shape, file)))
    set title sprintf("%s, %d triangles", shape, size) font ",13"
    if (shape eq "sphere") { set key left bottom } else { unset key }
    plot for [i=1:words(tests)] file using (strcol("shape") eq shape && strcol("mode") eq "all" && strcol("variant") eq word(tests, i) ? column("distance") : NaN):(column("mean_us") / 1000) \
        with linespoints ls i title word(names, i)
}
unset multiplot
