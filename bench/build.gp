# Time to build over the number of triangles, one thread (Zachmann 2002, figure 5).
load folder."/style.gp"
file = out."/build.csv"
shapes = values(file, "shape")
set output out."/build.svg"
set multiplot layout 1,2 title "Building a model, one thread" font ",15"
set logscale x
set format x "10^{%T}"
set xlabel "triangles"
set key left top

set logscale y
set format y "10^{%T}"
set ylabel "processor time (ms)"
plot for [i=1:words(shapes)] file using (strcol("shape") eq word(shapes, i) && column("threads") == 1 && strcol("variant") eq "default" ? column("triangles") : NaN):"processor_ms" \
        with linespoints ls i title word(shapes, i), \
    [1000:1000000] x * 4.5e-4 with lines lc rgb "#aaaaaa" dt 2 lw 1.5 title "450 ns a triangle"

unset logscale y
set format y "%g"
set yrange [0:*]
set ylabel "processor time a triangle (ns)"
set key right bottom
plot for [i=1:words(shapes)] file using (strcol("shape") eq word(shapes, i) && column("threads") == 1 && strcol("variant") eq "default" ? column("triangles") : NaN):"processor_ns_per_triangle" \
        with linespoints ls i title word(shapes, i)
unset multiplot
