# The part on its way out of its housing: distance, box tests and time of each step, from scratch and with coherence.
height = 860
load folder."/style.gp"
file = out."/proximity.csv"
array questions[4] = ["distance", "distance coherent", "touching", "touching coherent"]
array titles[4] = ["distance, from scratch", "distance, coherent", "touching?, from scratch", "touching?, coherent"]
array styles[4] = [1, 6, 2, 5]
chosen(name) = strcol("experiment") eq "coherence-steps" && strcol("scene") eq "demo" && \
    strcol("variant") eq "default" && strcol("question") eq name
set output out."/proximity-coherence.svg"
set multiplot layout 3,1 title "A part is pulled out of its housing, step by step" font ",15"
set xlabel "step"
set lmargin 10
set rmargin 28
unset key
set title "distance (mm)" font ",13"
plot file using (chosen("distance") ? column("x") : NaN):"distance" with lines ls 7
set logscale y
set format y "%g"
set key at graph 1.02, graph 0.7 left font ",11"
set title "box tests of a step" font ",13"
plot for [i=1:4] file using (chosen(questions[i]) ? column("x") : NaN):(column("box_tests") > 0 ? column("box_tests") : 1) \
    with lines ls styles[i] title titles[i]
set title "time of a step (µs)" font ",13"
plot for [i=1:4] file using (chosen(questions[i]) ? column("x") : NaN):"mean_us" with lines ls styles[i] title titles[i]
unset multiplot
