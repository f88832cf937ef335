# Two grids that do not touch: time and counts over the distance (Figueiredo, figure 7).
height = 420
load folder."/style.gp"
file = out."/papers.csv"
set output out."/papers-grids.svg"
set multiplot layout 1,2 title "Two grids of 414,720 triangles that do not touch" font ",15"
set logscale y
set format y "%g"
set xlabel "distance (size of a grid: 1)"
set key right top
array rows[5] = ["S-CD in the paper's way", "rtree", "wide", "kdop", "boxtree"]
array quantities[2] = ["mean_us", "volume_tests"]
array titles[2] = ["time of a query (µs)", "box tests"]
do for [n=1:2] {
    set title titles[n] font ",13"
    if (n == 1) { set yrange [0.1:1e6] } else { set yrange [*:*] } # room for the key
    plot for [i=1:5] file using (strcol("experiment") eq "s-figure-7" && strcol("row") eq rows[i] ? column("x") : NaN):\
        (column(quantities[n]) > 0 ? column(quantities[n]) : NaN) with linespoints ls i title n == 1 ? rows[i] : ""
}
unset multiplot
