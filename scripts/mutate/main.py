"""Breaks the library in one place at a time and tells which mutants the tests let live. See scripts/mutate.sh."""
import argparse
import difflib
import hashlib
import itertools
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

import mutants as mutations
import tests as testing
from laboratory import OUT, ROOT, WORK, Laboratory

NOT_BROKEN = ("src/base/assert.h",)
COUNTED = ("killed", "lived")


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="scripts/mutate.sh", description=__doc__.split(". See")[0] + ".")
    parser.add_argument("--count", type=int, default=200, help="mutants that count: others are drawn for those that "
                        "do not compile or compile to the same code (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time (all processors)")
    parser.add_argument("--file", default="", metavar="PATTERN", help="only files whose path has this regular "
                        "expression")
    parser.add_argument("--one", metavar="FILE:LINE:OPERATOR", help="this mutant alone, with all tests that fail")
    parser.add_argument("--again", action="store_true", help="test those again that lived, after tests were added")
    parser.add_argument("--sanitizers", action="store_true", help="test those that lived with the address and the "
                        "thread sanitizer, as make check does")
    parser.add_argument("--measured", action="store_true", help="take the tests' times and coverage of an earlier run, "
                        "though the code has changed")
    parser.add_argument("--list", action="store_true", help="list the mutants that would be drawn; test nothing")
    return parser.parse_args(arguments)


def source_files(pattern):
    listed = subprocess.run([ROOT / "scripts" / "list_sources.sh", "c", "h", "cl", "inc"], check=True, text=True,
                            stdout=subprocess.PIPE).stdout.split()
    return [file for file in listed if file.startswith("src/") and file not in NOT_BROKEN and re.search(pattern, file)]


class Results:
    """out/mutants/results.tsv: a row for each mutant that was tested, with a hash of its text and place, so that a run
    goes on where it was cut off, and mutants of changed sources are tested anew."""

    def __init__(self, forget_lived):
        OUT.mkdir(parents=True, exist_ok=True)
        self.path, self.lock, self.rows = OUT / "results.tsv", threading.Lock(), {}
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        for line in lines:
            key, *row = line.split("\t")
            if len(row) == 5:
                self.rows[key] = row
        if forget_lived:
            self.rows = {key: row for key, row in self.rows.items() if row[0] != "lived"}

    def add(self, key, verdict, name, test, seconds, detail):
        row = [verdict, name, test, f"{seconds:.1f}", re.sub(r"\s+", " ", detail)]
        with self.lock:
            self.rows[key] = row
            with open(self.path, "a", encoding="utf-8") as file:
                file.write("\t".join([key] + row) + "\n")


def read_harmless():
    """Mutants that may live, from harmless.txt: {(file, operator, line of code): reason}."""
    entries = {}
    for block in (ROOT / "scripts" / "mutate" / "harmless.txt").read_text().split("\n\n"):
        lines = [line.strip() for line in block.splitlines() if line and not line.startswith("# ")]
        if lines:
            file, operator = lines[0].split()
            entries[file, operator, lines[1]] = " ".join(lines[2:])
    return entries


def difference(mutant, text):
    lines = difflib.unified_diff(text.split("\n"), mutations.broken(mutant, text).split("\n"), n=1, lineterm="")
    return "\n".join("    " + line for line in itertools.islice(lines, 3, None))


def key_of(mutant, text):
    line_start = text.rfind("\n", 0, mutant.start) + 1
    around = text[max(0, line_start - 200):mutant.end + 200]
    return hashlib.sha256(f"{mutations.name_of(mutant)}\0{around}\0{mutant.text}".encode()).hexdigest()[:12]


class Run:
    def __init__(self, options, laboratory, lines, texts):
        self.options, self.laboratory, self.texts = options, laboratory, texts
        self.results, self.harmless = Results(options.again), read_harmless()
        self.drawn = mutations.draw(lines, options.seed)
        self.chosen, self.start, self.lock = [], time.monotonic(), threading.Lock()

    def verdict(self, mutant):
        return self.results.rows[key_of(mutant, self.texts[mutant.file])]

    def place_of(self, mutant):
        line = self.texts[mutant.file].split("\n")[mutant.line - 1]
        return mutant.file, mutant.operator, line.strip()

    def counts(self, mutant):
        return self.verdict(mutant)[0] in COUNTED

    # As many as are asked for; then one more for each that turned out not to count. Those that many objects depend on
    # take longest, and come first.
    def all(self):
        waiting = list(itertools.islice(self.drawn, self.options.count))
        waiting.sort(key=lambda mutant: -len(self.laboratory.baseline.library_objects(mutant.file)))
        with ThreadPoolExecutor(self.options.jobs) as pool:
            running = {pool.submit(self.one, mutant): mutant for mutant in waiting}
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
                    mutant = running.pop(future)
                    self.chosen.append(mutant)
                    another = None if self.counts(mutant) else next(self.drawn, None)
                    if another:
                        running[pool.submit(self.one, another)] = another

    def one(self, mutant):
        text = self.texts[mutant.file]
        key = key_of(mutant, text)
        if key in self.results.rows:
            return
        start = time.monotonic()
        verdict, test, detail = self.laboratory.try_mutant(mutant, text)
        self.results.add(key, verdict, mutations.name_of(mutant), test, time.monotonic() - start, detail)
        print(f"{time.monotonic() - self.start:6.0f} s  {verdict:9} {mutations.name_of(mutant)}  {test}", flush=True)

    def report(self):
        verdicts = Counter(self.verdict(mutant)[0] for mutant in self.chosen)
        lived = [mutant for mutant in self.chosen if self.verdict(mutant)[0] == "lived"]
        reasons = {mutant: self.harmless.get(self.place_of(mutant)) for mutant in lived}
        for mutant in lived:
            verdict = f"harmless ({reasons[mutant]})" if reasons[mutant] else "lived"
            print(f"\n{verdict}: {mutations.name_of(mutant)}\n{difference(mutant, self.texts[mutant.file])}")
        for file, operator, line in self.harmless:
            if line not in map(str.strip, self.texts.get(file, line).split("\n")):
                print(f"\nharmless.txt: there is no such line any more: {file} {operator}: {line}")
        count, harmless = verdicts["killed"] + verdicts["lived"], sum(map(bool, reasons.values()))
        print(f"\n{count} mutants: {verdicts['killed']} killed, {verdicts['lived']} lived "
              f"({100 * verdicts['lived'] / max(1, count):.1f} %), {harmless} of these known to be harmless; "
              f"{verdicts['same']} more compiled to the same code, {verdicts['stillborn']} did not compile")


def try_one(laboratory, lines, texts, name):
    found = [mutant for mutants in lines.values() for mutant in mutants if mutations.name_of(mutant) == name]
    if not found:
        sys.exit(f"mutate: there is no mutant {name}; --list --file {name.split(':')[0]} lists some")
    print(difference(found[0], texts[found[0].file]))
    verdict, killers, detail = laboratory.try_mutant(found[0], texts[found[0].file], stop=False)
    print(f"{verdict} {killers}\n{detail}")


def main():
    options = options_of(sys.argv[1:])
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, testing.stop_all)
    files = source_files(options.file)
    if not files:
        sys.exit(f"mutate: no file of src/ matches {options.file}")
    if options.list:
        lines = mutations.read_all(ROOT, files)
        for mutant in itertools.islice(mutations.draw(lines, options.seed), options.count):
            print(f"{mutations.name_of(mutant)}\n{difference(mutant, (ROOT / mutant.file).read_text())}")
        return
    laboratory = Laboratory(options.jobs, ("asan", "tsan") if options.sanitizers else ())
    texts = {file: (WORK / "source-0" / file).read_text() for file in files}
    files = [file for file in files if laboratory.baseline.library_objects(file)]
    if not laboratory.with_opencl:
        print("mutate: no OpenCL device was found: its code is left alone", flush=True)
        files = [file for file in files if not file.startswith("src/device/opencl/")]
    lines = mutations.read_all(WORK / "source-0", files)
    laboratory.measure(options.jobs, options.measured)
    if options.one:
        try_one(laboratory, lines, texts, options.one)
        return
    run = Run(options, laboratory, lines, texts)
    run.all()
    run.report()


if __name__ == "__main__":
    main()
