# Nested spheres: time over the gap.
load folder."/style.gp"
file = out."/nested.csv"
peers = values(file, "peer")
set output out."/nested.svg"
set title "Nested spheres that never touch, yes or no" font ",15"
set logscale xy
set xrange [0.0008 : 0.13]
set format "%g"
set xlabel "gap between the spheres (their radius is 1)"
set ylabel "time of a question (µs)"
set key outside right
plot for [k=1:words(peers)] file using (strcol("peer") eq word(peers, k) ? column("gap") : NaN):"mean_us" \
    with linespoints ls place(order, word(peers, k)) title word(peers, k)
