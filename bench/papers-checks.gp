# Every single check of a flight (Klosowski et al. 1998, figure 3).
load folder."/style.gp"
file = out."/papers.csv"
set output out."/papers-checks.svg"
set title "Pipes among pipes, every check of the flight" font ",15"
set logscale y
set format y "%g"
set xlabel "step"
set ylabel "time of a check (µs)"
set key left top
chosen(row) = strcol("experiment") eq "k-figure-3" && strcol("row") eq row
plot file using (chosen("18-dop") ? column("x") : NaN):"mean_us" with lines lw 1 lc rgb "#0072b2" title "18-dop, as in the paper", \
    file using (chosen("wide") ? column("x") : NaN):"mean_us" with lines lw 1 lc rgb "#d55e00" title "wide"
