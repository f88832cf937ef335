# Two animals: time and counts over the distance (Fuenfzig and Fellner 2003, figure 10).
height = 760
load folder."/style.gp"
file = out."/papers.csv"
set output out."/papers-animals.svg"
set multiplot layout 2,2 title "Horse and dinosaur of 20,000 triangles each, 14-dops" font ",15"
set logscale y
set format y "%g"
set xlabel "distance of the centres"
set key left bottom
array rows[4] = ["major axes", "all directions", "table lookup", "wide"]
array quantities[4] = ["mean_us", "volume_tests", "updates", "triangle_tests"]
array titles[4] = ["time of a check (µs)", "volume tests", "updates", "triangle tests"]
do for [n=1:4] {
    set title titles[n] font ",13"
    plot for [i=1:(n == 1 ? 4 : 3)] file using (strcol("experiment") eq "f-figure-10" && strcol("row") eq rows[i] ? \
        column("x") : NaN):(column(quantities[n]) > 0 ? column(quantities[n]) : NaN) with linespoints ls i title n == 1 ? rows[i] : ""
}
unset multiplot
