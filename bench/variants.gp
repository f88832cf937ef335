# Times of variants relative to the default, as geometric means over all shapes and distances.
#     -e "name='trees'; heading='...'"
load folder."/style.gp"
file = out."/".name."-summary.csv"
variants = values(file, "variant")
count = words(variants)
row(v) = (r = 0, sum [i=1:count] (word(variants, i) eq v ? (r = i, 0) : 0), r)
set terminal svg size 900,120 + 26 * count
set output out."/".name.".svg"
set title heading font ",15"
set yrange [count + 0.6 : 0.4]
set logscale x 2
set xrange [*:*]
set xtics (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 4, 6, 8, 12, 16, 32)
set xlabel "time relative to the default (smaller is faster)"
set ytics ()
do for [i=1:count] { set ytics add (word(variants, i) i) }
set ytics font ",11"
set arrow 1 from 1, graph 0 to 1, graph 1 nohead lc rgb "#999999" lw 1.5
set key right bottom box lc rgb "#dddddd" opaque
set grid
plot for [k=1:3] file using (strcol("quantity") eq word("all first test", k) || strcol("quantity") eq "time ".word("all first test", k) ? column("relative") : NaN):(row(strcol("variant"))) \
        with points pt word("7 5 9", k) + 0 ps 0.8 lc rgb word("#0072b2 #d55e00 #009e73", k) title word("all\\_pairs first\\_pair yes\\_or\\_no", k), \
    file using (strcol("quantity") eq "time total" ? column("relative") : NaN):(row(strcol("variant"))) with points pt "|" font ",18" tc rgb "black" title "geometric mean"
