# Within a multiplot: one row with the names of the libraries (`peers`) under its title, then ready for panels.
# `columns` and `lines` say how many panels there are; panel.gp places the next one.
if (!exists("top")) top = 0.86
set lmargin at screen 0.02
set rmargin at screen 0.99
set tmargin at screen top + 0.075
set bmargin at screen top + 0.055
unset border
unset tics
set xrange [0:1]
set yrange [0:1]
set key center center horizontal maxrows 1 font ",11" width -1 samplen 1.5
plot for [k=1:words(peers)] NaN with linespoints ls place(order, word(peers, k)) title word(peers, k)
unset key
set border 3 lc rgb "#666666"
set xtics nomirror tc rgb "#222222"
set ytics nomirror tc rgb "#222222"
set grid lc rgb "#dddddd" lt 1 lw 0.7
set xrange [*:*]
set yrange [*:*]
panel = 0
