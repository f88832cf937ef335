# Time to build over the number of triangles, one thread (Zachmann 2002, figure 5).
load folder."/style.gp"
file = out."/build.csv"
shapes = values(file, "shape")
set output out."/build.svg"
one_thread(shape) = strcol("shape") eq shape && column("threads") == 1 && strcol("variant") eq "default"
set multiplot layout 1,2 title "Building a model, one thread" font ",15"
set yrange [0:*]
set xlabel "triangles (millions)"
set ylabel "processor time (ms)"
set key left top
plot for [i=1:words(shapes)] file using (one_thread(word(shapes, i)) ? column("triangles") / 1e6 : NaN):"processor_ms" \
    with linespoints ls i title word(shapes, i)

set logscale x
set xrange [800:1.3e6]
set format x "10^{%T}"
set xlabel "triangles"
set ylabel "processor time per triangle (ns)"
unset key
plot for [i=1:words(shapes)] file using (one_thread(word(shapes, i)) ? column("triangles") : NaN):"processor_ns_per_triangle" \
    with linespoints ls i title word(shapes, i)
unset multiplot
