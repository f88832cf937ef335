# How many times longer than Tumble the others take, by mesh.
height = 860
load folder."/style.gp"
file = out."/summary.csv"
set output out."/speedup.svg"
set multiplot title "How many times longer than Tumble the others take" font ",15"
columns = 2; lines = 2; bottom = 0.1
peers = words(peers_in(file, "first")) ? peers_in(file, "first") : peers_in(file, word(values(file, "table"), 1))
load folder."/key.gp"
set logscale y
set format y "%g"
set xtics rotate by -40 font ",10"
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#000000" lw 2
array names[4] = ["first", "all", "just-missing", "just-touching"]
array titles[4] = ["yes or no, touching", "all pairs", "just missing, yes or no", "just touching, yes or no"]
do for [n=1:4] {
    list = rows(file, names[n])
    peers = peers_in(file, names[n])
    if (words(list) == 0) { continue }
    load folder."/panel.gp"
    set title titles[n] font ",13" offset 0,-0.5
    set xtics ()
    do for [i=1:words(list)] { set xtics add (word(list, i) eq "geometric-mean" ? "mean" : word(list, i) i) }
    set xrange [0.5 : words(list) + 0.5]
    plot for [k=1:words(peers)] file using (strcol("table") eq names[n] && strcol("peer") eq word(peers, k) ? \
        place(list, strcol("row")) + 0.08 * (place(order, word(peers, k)) - 5) : NaN):"relative" \
        with points ls place(order, word(peers, k)) ps 1 notitle
}
unset multiplot
