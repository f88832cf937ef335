# Time of a question over the distance, for each mesh.
#     -e "name='all'; heading='...'"
height = 820
load folder."/style.gp"
file = out."/".name.".csv"
peers = values(file, "peer")
meshes = values(file, "mesh")
set output out."/distance-".name.".svg"
set multiplot title heading font ",15"
columns = 3; lines = int(ceil(words(meshes) / 3.0)); bottom = 0.1
load folder."/key.gp"
set logscale y
set format y "%g"
set xtics 0.2
set xlabel "share of the touching distance" font ",11" offset 0,0.3
do for [i=1:words(meshes)] {
    load folder."/panel.gp"
    set title word(meshes, i) font ",13" offset 0,-0.5
    set ylabel i % 3 == 1 ? "time of a question (µs)" : ""
    plot for [k=1:words(peers)] file using (strcol("mesh") eq word(meshes, i) && strcol("peer") eq word(peers, k) ? \
        column("share") : NaN):"mean_us" with linespoints ls place(order, word(peers, k)) notitle
}
unset multiplot
