# Places the next panel of a multiplot, row by row; see key.gp.
width = 0.98 / columns
tall = top / lines
across = panel % columns
down = panel / columns
set lmargin at screen 0.01 + across * width + 0.065
set rmargin at screen 0.01 + (across + 1) * width - 0.01
set tmargin at screen top - down * tall - 0.01
set bmargin at screen top - (down + 1) * tall + bottom
panel = panel + 1
