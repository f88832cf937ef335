# Speed of building, and memory, by mesh.
load folder."/style.gp"
file = out."/build.csv"
peers = values(file, "peer")
meshes = values(file, "mesh")
set output out."/build.svg"
set multiplot title "Building on one thread" font ",15"
columns = 2; lines = 1; bottom = 0.12; top = 0.84
load folder."/key.gp"
set logscale y
set format y "%g"
set xtics rotate by -35 font ",11"
set xrange [0.5 : words(meshes) + 0.5]
set xtics ()
do for [i=1:words(meshes)] { set xtics add (word(meshes, i) i) }
array quantities[2] = ["million_triangles_a_second", "bytes_a_triangle"]
array titles[2] = ["million triangles a second", "bytes a triangle, geometry included"]
do for [n=1:2] {
    load folder."/panel.gp"
    set title titles[n] font ",13" offset 0,-0.5
    plot for [k=1:words(peers)] file using (strcol("peer") eq word(peers, k) ? \
        place(meshes, strcol("mesh")) + 0.08 * (k - 4) : NaN):(column(quantities[n])) \
        with points ls place(order, word(peers, k)) ps 1 notitle
}
unset multiplot
