# Scenes: time per object over their number, drift, and steps of few movers.
height = 420
load folder."/style.gp"
file = out."/scene.csv"
set output out."/scene-broad.svg"
set multiplot layout 1,2 title "Candidates of scenes, one thread" font ",15"
set logscale x
set logscale y
set format x "10^{%T}"
set title "all objects move" font ",13"
set xlabel "objects"
set ylabel "time per object (ns)"
set key left top
methods = "tree sweep all"
plot for [i=1:3] file using (strcol("experiment") eq "broad" && strcol("law") eq "uniform" && \
    strcol("method") eq word(methods, i) && column("threads") == 1 ? column("objects") : NaN):(column("ns_per_object")) \
    with linespoints ls i title word(methods, i), \
    file using (strcol("experiment") eq "broad" && strcol("law") eq "wild" && strcol("method") eq "tree" && \
    column("threads") == 1 ? column("objects") : NaN):(column("ns_per_object")) with linespoints ls 4 title "tree, wild sizes"
set title "few objects move" font ",13"
set format x "%g"
set xlabel "objects that move (%)"
set ylabel "time of a step, of all (%)"
set xrange [0.05:150]
laws = "uniform wild turned"
plot for [i=1:3] file using (strcol("experiment") eq "movers" && strcol("law") eq word(laws, i) && \
    column("speed") < 0.5 ? column("movers") : NaN):(100 * column("relative")) with linespoints ls i title word(laws, i)
unset multiplot
