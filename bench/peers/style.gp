# What the plots of the comparison share. `folder` is bench/peers, `out` where the tables are; both are set by -e.
load folder."/../style.gp"
set style line 1 lc rgb "#000000" lw 3 pt 7 ps 0.8
set style line 2 lc rgb "#0072b2" lw 2 pt 5 ps 0.7
set style line 3 lc rgb "#56b4e9" lw 2 pt 4 ps 0.7
set style line 4 lc rgb "#d55e00" lw 2 pt 9 ps 0.8
set style line 5 lc rgb "#e69f00" lw 2 pt 11 ps 0.8
set style line 6 lc rgb "#009e73" lw 2 pt 13 ps 0.9
set style line 7 lc rgb "#009e73" lw 1.5 dt 2 pt 12 ps 0.9
set style line 8 lc rgb "#cc79a7" lw 2 pt 6 ps 0.8
# The place of a word in a list, from 1; 0 when it is not there.
place(list, w) = (r = 0, sum [i=1:words(list)] (word(list, i) eq w ? (r = i, 0) : 0), r)
set style line 9 lc rgb "#555555" lw 2 pt 10 ps 0.8
# The rows of one table of the summary, as words.
rows(file, name) = system(sprintf("awk -F, '$1 == \"%s\" && !seen[$2]++ { print $2 }' '%s'", name, file))
# A library has the same colour in all plots.
order = "tumble fcl-obb fcl-obbrss ode bullet embree embree-collide cgal boxtree"
# The libraries that have a value in one table of the summary.
peers_in(file, name) = system(sprintf("awk -F, '$1 == \"%s\" && $5 != \"nan\" && $3 != \"tumble\" && !seen[$3]++ { print $3 }' '%s'", name, file))
# The mean of a column over all meshes, for one library; without those that are no number.
mean_of(file, name, peer) = real(system(sprintf("awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == \"%s\") c = i; if ($i == \"peer\") p = i } next } $p == \"%s\" && $c != \"nan\" { s += $c; n++ } END { print n ? s / n : 0 }' '%s'", name, peer, file)))
