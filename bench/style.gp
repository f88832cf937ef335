# What all plots share. `folder` is where the scripts are, `out` where the tables are and the plots go; both are set by
# -e. A script that needs another height than usual sets `height` before it loads this.
set datafile separator ","
set datafile columnheaders
set datafile missing NaN
if (!exists("height")) height = 560
set terminal svg size 900,height dynamic background rgb "white" font "DejaVu Sans,13" enhanced
set style line 1 lc rgb "#0072b2" lw 2 pt 7 ps 0.6
set style line 2 lc rgb "#d55e00" lw 2 pt 5 ps 0.6
set style line 3 lc rgb "#009e73" lw 2 pt 9 ps 0.7
set style line 4 lc rgb "#cc79a7" lw 2 pt 11 ps 0.7
set style line 5 lc rgb "#e69f00" lw 2 pt 13 ps 0.8
set style line 6 lc rgb "#56b4e9" lw 2 pt 4 ps 0.7
set style line 7 lc rgb "#555555" lw 2 pt 6 ps 0.7
set border 3 lc rgb "#666666"
set tics nomirror tc rgb "#222222"
set grid lc rgb "#dddddd" lt 1 lw 0.7
set key tc rgb "#222222" spacing 1.2 samplen 2 Left reverse

# The different values of a column, in order of appearance, as words.
values(file, name) = system(sprintf("awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == \"%s\") c = i; next } !seen[$c]++ { print $c }' '%s'", name, file))
