"""Tests the mutants themselves: python3 check.py COMPILER. Those of a small program are the expected ones, all compile,
and the program tells which of them change its answers."""
import subprocess
import sys
import tempfile
from pathlib import Path

import mutants

SOURCE = """\
/* if (a < b) in a comment */
#include <string.h>
#define LIMIT 10 /* 1 */
#define WIDER(x) ((x) + 1)
#if LIMIT < 5
#endif
static const int table[3] = {3, 5, 7};
static int sum_below(const int *values, int count, int limit)
{
    int sum = 0, rest[2] = {0};
    memset(rest, 0, sizeof rest);
    for (int i = 0; i < count; i++) {
        if (values[i] == 7 && limit > 6) {
            continue;
        }
        sum += values[i] * 2 - rest[0];
    }
    return !sum ? -1 : sum;
}
int main(void)
{
    const char *text = "1 + 1 < 3";
    if (text[0] != '1') {
        return 3;
    }
    if (sum_below(table, 3, LIMIT) != 16 || sum_below(table, 0, 1) != -1 || sum_below(table, 3, 6) != 30) {
        return 1;
    }
    return WIDER(sum_below(table, 1, 7)) - 7;
}
"""
EXPECTED = {
    3: "less-one more-one",
    4: "plus-minus one-zero one-two",
    7: "less-one more-one less-one.2 more-one.2 less-one.3 more-one.3",
    10: "zero-one zero-one.2",
    11: "drop zero-one",
    12: "zero-one lt-le lt-ge increase-decrease",
    13: "if-not if-always if-never eq-ne less-one more-one and-or gt-ge gt-le less-one.2 more-one.2",
    14: "drop-continue",
    16: "drop add-subtract add-set times-over less-one more-one minus-plus zero-one",
    18: "drop-not drop-sign one-zero one-two",
}
LAST_LINE = 18  # then comes the test, which need not be broken
LIVING = {"3:less-one", "3:more-one", "10:zero-one.2", "11:drop", "13:more-one.2", "16:minus-plus", "16:zero-one"}


def passes(compiler, text, folder):
    source, program = Path(folder, "program.c"), Path(folder, "program")
    source.write_text(text)
    subprocess.run([compiler, "-w", "-o", program, source], check=True)
    try:
        return subprocess.run(["prlimit", "--core=0", program], timeout=2, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main():
    found = [one for one in mutants.Source("program.c", SOURCE, set()).mutants() if one.line <= LAST_LINE]
    operators = {}
    for mutant in found:
        operators.setdefault(mutant.line, []).append(mutant.operator)
    expected = {line: names.split() for line, names in EXPECTED.items()}
    if operators != expected:
        sys.exit(f"mutants: {operators}\nexpected: {expected}")
    with tempfile.TemporaryDirectory() as folder:
        if not passes(sys.argv[1], SOURCE, folder):
            sys.exit("the unbroken program fails")
        living = {f"{mutant.line}:{mutant.operator}" for mutant in found
                  if passes(sys.argv[1], mutants.broken(mutant, SOURCE), folder)}
    if living != LIVING:
        sys.exit(f"these mutants live: {living}\nexpected: {LIVING}")


main()
