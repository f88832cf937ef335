# Time of a question over the distance, for each mesh.
#     -e "name='all'; heading='...'"
height = 800
load folder."/style.gp"
file = out."/".name.".csv"
peers = values(file, "peer")
meshes = values(file, "mesh")
set output out."/distance-".name.".svg"
set multiplot layout ceil(words(meshes) / 3.0),3 title heading font ",15"
set logscale y
set format y "%g"
set xlabel "share of the touching distance" font ",11"
do for [i=1:words(meshes)] {
    set title word(meshes, i) font ",13"
    set ylabel i % 3 == 1 ? "time of a question (µs)" : ""
    if (i == 1) { set key left bottom font ",9" spacing 0.9 } else { unset key }
    plot for [k=1:words(peers)] file using (strcol("mesh") eq word(meshes, i) && strcol("peer") eq word(peers, k) ? \
        column("share") : NaN):"mean_us" with linespoints ls place(order, word(peers, k)) title word(peers, k)
}
unset multiplot
