# Build, memory and queries over the number of triangles.
height = 760
load folder."/style.gp"
file = out."/growth.csv"
shapes = values(file, "shape")
variant = word(values(file, "variant"), 1)
set output out."/growth.svg"
set multiplot layout 2,2 title "From small models to large ones, one thread" font ",15"
set logscale x
set xrange [700:1.5e7]
set format x "10^{%T}"
set xlabel "triangles of a model"
set key left bottom
array quantities[4] = ["million_triangles_a_second", "first_us", "all_ns_a_pair", "contact_us"]
array titles[4] = ["building", "do they touch?", "all pairs, at one distance", "all pairs of a contact of one size"]
array units[4] = ["million triangles per second", "time of a question (µs)", "time of a pair (ns)", "time of a question (µs)"]
do for [n=1:4] {
    set title titles[n] font ",13"
    set ylabel units[n]
    set yrange [0:*]
    plot for [i=1:words(shapes)] file using (strcol("shape") eq word(shapes, i) && strcol("variant") eq variant ? \
        column("triangles") : NaN):(column(quantities[n])) with linespoints ls i title n == 1 ? word(shapes, i) : ""
}
unset multiplot
