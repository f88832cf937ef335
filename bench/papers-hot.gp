# How many times fewer box tests a check takes that starts from the front of the check before (Klosowski et al. 1998,
# section 6).
load folder."/style.gp"
set output out."/papers-hot.svg"
set title "Hot starts: box tests from the roots / from the front" font ",15"
table = sprintf("< awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print \"scene,wide,kdop,boxtree,rtree\"; next } \
    $1 != \"k-hot\" { next } \
    { s = $at[\"scene\"]; if (!(s in seen)) { seen[s] = 1; order[++n] = s } \
      tests[s, $at[\"variant\"], $at[\"row\"]] = $at[\"volume_tests\"] } \
    function ratio(s, v) { return tests[s, v, \"none\"] / tests[s, v, \"front\"] } \
    END { for (i = 1; i <= n; i++) print order[i] \",\" ratio(order[i], \"default\") \",\" ratio(order[i], \"kdop\") \
          \",\" ratio(order[i], \"boxtree\") \",\" ratio(order[i], \"rtree\") }' '%s/papers.csv'", out)
set style data histogram
set style histogram cluster gap 1
set style fill solid 0.9 noborder
set logscale y
set yrange [0.7:*]
set ylabel "times fewer"
set key right top
plot table using 2:xtic(1) lc rgb "#0072b2" title "wide", \
    "" using 3 lc rgb "#d55e00" title "18-DOPs", \
    "" using 4 lc rgb "#009e73" title "boxtree", \
    "" using 5 lc rgb "#cc79a7" title "R-tree", \
    2 with lines lc rgb "#555555" dt 2 title "2"
