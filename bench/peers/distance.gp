# Over the distance, for each mesh: the time of a question, or how many times longer than Tumble the others take.
#     -e "name='all'; quantity='mean_us' or 'relative'; heading='...'"
height = 820
load folder."/style.gp"
file = out."/".name.".csv"
peers = values(file, "peer")
meshes = values(file, "mesh")
set output out."/".(quantity eq "relative" ? "speedup-" : "distance-").name.".svg"
set multiplot title heading font ",15"
columns = words(meshes) > 6 ? 4 : 3
lines = int(ceil(words(meshes) / (1.0 * columns))); bottom = 0.1
load folder."/key.gp"
set logscale y
set format y "%g"
set xtics 0.2 font ",11"
set xrange [*:1.05]
set xlabel "share of the touching distance" font ",10" offset 0,0.3
if (quantity eq "relative") { set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#000000" lw 2 }
do for [i=1:words(meshes)] {
    load folder."/panel.gp"
    set title word(meshes, i) font ",13" offset 0,-0.5
    set ylabel i % columns == 1 ? (quantity eq "relative" ? "times longer than Tumble" : "time of a question (µs)") : ""
    plot for [k=1:words(peers)] file using (strcol("mesh") eq word(meshes, i) && strcol("peer") eq word(peers, k) ? \
        column("share") : NaN):(column(quantity)) with linespoints ls place(order, word(peers, k)) notitle
}
unset multiplot
