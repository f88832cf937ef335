# The minimum distance over the gap, for each mesh, and spheres within each other.
height = 820
load folder."/style.gp"
file = out."/distance.csv"
peers = values(file, "peer")
meshes = ""
do for [mesh in values(file, "mesh")] { if (mesh ne "housing-part") { meshes = meshes." ".mesh } } # which has no gap
set output out."/separation.svg"
set multiplot title "Minimum distance of two copies, one thread" font ",15"
columns = words(meshes) > 6 ? 4 : 3
lines = int(ceil(words(meshes) / (1.0 * columns))); bottom = 0.1
load folder."/key.gp"
set logscale xy
set format "%g"
set xtics font ",11"
set xlabel "gap (sizes of the mesh)" font ",10" offset 0,0.3
do for [i=1:words(meshes)] {
    load folder."/panel.gp"
    set title word(meshes, i) font ",13" offset 0,-0.5
    set ylabel i % columns == 1 ? "time of a question (µs)" : ""
    plot for [k=1:words(peers)] file using (strcol("mesh") eq word(meshes, i) && strcol("peer") eq word(peers, k) ? \
        column("gap") : NaN):"mean_us" with linespoints ls place(order, word(peers, k)) notitle
}
unset multiplot
