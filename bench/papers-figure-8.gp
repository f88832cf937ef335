# Boxtrees and k-DOP trees over sizes and shapes: mean over three distances (Zachmann 2002, figure 8).
height = 760
load folder."/style.gp"
file = out."/papers.csv"
set output out."/papers-figure-8.svg"
set multiplot layout 2,3 title "Time of a check (µs) over triangles per model, mean over three distances" font ",15"
set logscale xy
set format "%g"
set key left top
array rows[5] = ["boxtree", "boxtree (the paper's build)", "18-dop (a triangle per leaf)", \
    "26-dop (a triangle per leaf)", "18-dop (our defaults)"]
do for [shape in "sphere torus gear pipes terrain"] {
    set title shape font ",13"
    plot for [i=1:5] file using (strcol("experiment") eq "z-figure-8" && strcol("scene") eq shape && \
        strcol("row") eq rows[i] ? column("environment_triangles") : NaN):"mean_us" smooth unique \
        with linespoints ls i title shape eq "sphere" ? rows[i] : ""
}
unset multiplot
