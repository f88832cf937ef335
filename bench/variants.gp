# Times of variants relative to the first, as geometric means over all shapes and distances.
#     -e "name='trees'; heading='...'"
words_of(file) = int(system(sprintf("tail -n +2 '%s' | cut -d, -f1 | sort -u | wc -l", file)))
height = 150 + 26 * words_of(out."/".name."-summary.csv")
load folder."/style.gp"
file = out."/".name."-summary.csv"
variants = values(file, "variant")
count = words(variants)
row(v) = (r = 0, sum [i=1:count] (word(variants, i) eq v ? (r = i, 0) : 0), r)
set output out."/".name."-variants.svg"
set title heading font ",15"
set yrange [count + 0.6 : 0.4]
set logscale x 2
set xtics (0.125, 0.25, 0.5, 0.8, 1, 1.2, 1.5, 2, 3, 4, 6, 8, 12, 16, 32)
set xlabel "time relative to ".word(variants, 1)." (smaller is faster)"
set ytics ()
do for [i=1:count] { set ytics add (word(variants, i) i) }
set ytics font ",12"
set arrow 1 from 1, graph 0 to 1, graph 1 nohead lc rgb "#999999" lw 1.5
set key at screen 0.5, screen 18.0 / height center horizontal samplen 1 width -3
set bmargin at screen 92.0 / height
set grid
relative(q) = strcol("quantity") eq "time ".q ? column("relative") : NaN
array modes[3] = ["all", "first", "test"]
array titles[3] = ["all pairs", "first pair", "yes or no"]
plot for [k=1:3] file using (relative(modes[k])):(row(strcol("variant"))) with points ls k ps 0.9 title titles[k], \
    file using (relative("total")):(row(strcol("variant"))) with points pt 2 ps 1 lw 2 lc rgb "black" title "geometric mean"
