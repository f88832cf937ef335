# Boxtrees and k-DOP trees over sizes and shapes: mean over three distances (Zachmann 2002, figure 8).
height = 760
load folder."/style.gp"
file = out."/papers.csv"
set output out."/papers-figure-8.svg"
set multiplot layout 2,3 title "Time of a check (µs) over triangles per model, mean over three distances" font ",15"
set logscale xy
set format "%g"
set xrange [800:80000]
set xtics (1000, 4000, 16000, 64000)
unset key
array rows[5] = ["boxtree", "boxtree (the paper's build)", "18-dop (a triangle per leaf)", \
    "26-dop (a triangle per leaf)", "18-dop (our defaults)"]
do for [shape in "sphere torus gear pipes terrain"] {
    set title shape font ",13"
    plot for [i=1:5] file using (strcol("experiment") eq "z-figure-8" && strcol("scene") eq shape && \
        strcol("row") eq rows[i] ? column("environment_triangles") : NaN):"mean_us" smooth unique \
        with linespoints ls i
}
# The sixth place has the names.
set key center center
set title ""
unset border
unset tics
unset grid
unset logscale
set xrange [0:1]
set yrange [0:1]
plot for [i=1:5] NaN with linespoints ls i title rows[i]
unset multiplot
