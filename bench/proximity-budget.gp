# Budgets: how many questions are decided, how far the bounds are apart, by how much budgets of time are exceeded.
height = 760
load folder."/style.gp"
file = out."/proximity.csv"
chosen(scene, question, unit) = strcol("experiment") eq "budget" && strcol("scene") eq scene && \
    strcol("variant") eq "default" && strcol("question") eq question && strcol("x_name") eq unit && column("x") > 0
array scenes[2] = ["demo", "nested"]
array names[2] = ["part in its housing", "nested spheres"]
set output out."/proximity-budget.svg"
set multiplot layout 2,2 title "What is known when the budget is spent" font ",15"
set logscale x
set format x "%g"
set xlabel "budget (box tests)"
set key left top
set title "questions that are decided: touching?" font ",13"
set ylabel "share (%)"
set yrange [0:125]
plot for [i=1:2] file using (chosen(scenes[i], "touching", "box tests") ? column("x") : NaN):\
    (100 * (column("yes") + column("no")) / column("queries")) with linespoints ls i title names[i]
set title "bounds of the distance, medians" font ",13"
set ylabel "share of the distance"
set yrange [0:3]
plot for [i=1:2] file using (chosen(scenes[i], "distance", "box tests") ? column("x") : NaN):"upper_share" \
    with linespoints ls i title names[i].", upper", \
    for [i=1:2] file using (chosen(scenes[i], "distance", "box tests") ? column("x") : NaN):"lower_share" \
    with linespoints ls i dt 2 title names[i].", lower"
set xlabel "budget (µs)"
set title "questions that are decided: touching?" font ",13"
set ylabel "share (%)"
set yrange [0:125]
plot for [i=1:2] file using (chosen(scenes[i], "touching", "microseconds") ? column("x") : NaN):\
    (100 * (column("yes") + column("no")) / column("queries")) with linespoints ls i title ""
set title "budget exceeded by (distance)" font ",13"
set ylabel "time (µs)"
set logscale y
set format y "%g"
set yrange [0.05:5000] # with room for the key
set arrow 1 from graph 0, first 20 to graph 1, first 20 nohead lc rgb "#000000" lw 1
plot for [i=1:2] file using (chosen(scenes[i], "distance", "microseconds") ? column("x") : NaN):"overrun_most_us" \
    with linespoints ls i title names[i].", most", \
    for [i=1:2] file using (chosen(scenes[i], "distance", "microseconds") ? column("x") : NaN):"overrun_median_us" \
    with linespoints ls i dt 2 title names[i].", median"
unset multiplot
