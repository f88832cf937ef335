# What an error allowed saves: time and box tests of the default hierarchy over the gap.
height = 760
load folder."/style.gp"
file = out."/proximity.csv"
shapes = system(sprintf("awk -F, '$1 == \"separation\" && !seen[$2]++ { print $2 }' '%s'", file))
array questions[3] = ["exact", "1 % error", "10 % error"]
array hierarchies[2] = ["default", "kdop"]
array titles[2] = ["wide (default)", "18-DOPs"]
set output out."/proximity-error.svg"
set multiplot layout 2,2 title "Box tests of a distance within a relative error" font ",15"
set logscale xy
set format "%g"
set xrange [0.0007:14]
set yrange [3:1e5] # with room for the key
set xlabel "gap between the copies (in sizes of the shape)"
set ylabel "box tests of a query"
do for [n=1:words(shapes)] {
    set title word(shapes, n) font ",13"
    if (n == 1) { set key left bottom maxrows 3 font ",10" } else { unset key }
    plot for [k=1:2] for [i=1:3] file using (strcol("experiment") eq "separation" && \
        strcol("scene") eq word(shapes, n) && strcol("variant") eq hierarchies[k] && \
        strcol("question") eq questions[i] ? column("x") : NaN):"box_tests" \
        with linespoints ls i dt k title titles[k].", ".questions[i]
}
unset multiplot
