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
from build import Baseline, MutantBuild, Stillborn, copy_sources
from cover import Coverage

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mutants"
COVERED = ROOT / "build" / "mutants-coverage"
WORK = ROOT / "build" / "mutants-work"
OUT = ROOT / "out" / "mutants"
NOT_BROKEN = ("src/base/assert.h",)
COUNTED = ("killed", "lived")
QUICK = 0.2  # seconds
KERNEL_SECONDS = 120  # to compile other OpenCL kernels


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="scripts/mutate.sh", description=__doc__.split(". See")[0] + ".")
    parser.add_argument("--count", type=int, default=200, help="mutants that count: others are drawn for those that "
                        "do not compile or compile to the same code (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time (all processors)")
    parser.add_argument("--file", default="", metavar="PATTERN", help="only files whose path has this regular expression")
    parser.add_argument("--one", metavar="FILE:LINE:OPERATOR", help="this mutant alone, with all tests that fail")
    parser.add_argument("--again", action="store_true", help="test those again that lived, after tests were added")
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


class Laboratory:
    """The unbroken build with its tests, and a place for each mutant that is being tested."""

    def __init__(self, jobs):
        self.baseline = Baseline(ROOT, BUILD)
        self.with_opencl = self.has_opencl()
        self.tests = testing.read_tests(str(BUILD), self.with_opencl)
        self.environment = {} if self.with_opencl else {"TUMBLE_TEST_OPENCL": "none"}
        self.places, self.places_lock = list(range(jobs)), threading.Lock()
        self.order = testing.Order(self.tests)
        shutil.rmtree(WORK, ignore_errors=True)
        for place in self.places:
            copy_sources(ROOT, BUILD, WORK / f"source-{place}")

    @staticmethod
    def has_opencl():
        if os.environ.get("TUMBLE_TEST_OPENCL") == "none":
            return False
        listed = subprocess.run([BUILD / "tumble", "devices"], stdout=subprocess.PIPE, text=True, check=False).stdout
        return re.search("^opencl:", listed, re.M) is not None

    # Its times are kept: a run that goes on need not measure them again.
    def measure(self, jobs, measured):
        file, key = OUT / "times.json", self.fingerprint(jobs)
        known = json.loads(file.read_text()) if file.exists() else {}
        if known.get("key") != key and not (known and measured):
            print(f"mutate: running {len(self.tests)} tests unbroken", flush=True)
            with ThreadPoolExecutor(jobs) as pool:
                failures = list(pool.map(self.measure_one, self.tests))
            known = {"key": key, "times": {test.name: None if failure else test.seconds
                                           for test, failure in zip(self.tests, failures)},
                     "failures": [f"{test.name} ({failure})" for test, failure in zip(self.tests, failures) if failure]}
            known["functions"] = self.functions_or_none(jobs)
            file.write_text(json.dumps(known))
        self.covered = defaultdict(list)
        for source, first, last, names in known["functions"]:
            self.covered[source].append((first, last, set(names)))
        if known["failures"]:
            print("mutate: left out, for they fail unbroken:", ", ".join(known["failures"]), flush=True)
        for test in self.tests:
            test.seconds = known["times"].get(test.name, 1.0)
        self.tests[:] = sorted((test for test in self.tests if test.seconds), key=lambda test: test.seconds)
        print(f"mutate: {len(self.tests)} tests take {sum(test.seconds for test in self.tests):.0f} s", flush=True)

    def functions_or_none(self, jobs):
        try:
            return self.functions(jobs)
        except (ValueError, KeyError, IndexError, struct.error) as error:
            print(f"mutate: gcc's counters cannot be read ({error!r}): all tests are run for each mutant", flush=True)
            return []

    # With little effort: it is enough to run each function once.
    def functions(self, jobs):
        print("mutate: looking which tests run which functions", flush=True)
        coverage, lock = Coverage(ROOT, COVERED), threading.Lock()
        def look(test):
            with self.place() as place:
                folder = WORK / f"counters-{place}"
                shutil.rmtree(folder, ignore_errors=True)
                paths = {str(BUILD / name): str(COVERED / name) for name in test.programs()}
                testing.run(test, paths, WORK / f"run-{place}", 600,
                            dict(self.environment, GCOV_PREFIX=str(folder), TUMBLE_TEST_EFFORT="0.1"))
                with lock:
                    coverage.add(test.name, folder)
                shutil.rmtree(folder, ignore_errors=True)
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(look, self.tests))
        return coverage.as_list()

    # Those that run the broken function, and all that take no time; all if it is in no function that ran.
    def tests_for(self, mutant):
        order = self.order.of(mutant.file)
        if mutant.file.endswith(".cl"):
            return [test for test in order if test.labels & {"opencl", "opencl-only"}]
        names = set().union(*(names for first, last, names in self.covered[mutant.file] if first <= mutant.line <= last))
        return [test for test in order if test.name in names or test.seconds < QUICK] if names else order

    def fingerprint(self, jobs):
        digest = hashlib.sha256(str((jobs, self.with_opencl)).encode())
        for name in sorted({name for test in self.tests for name in test.programs()}):
            path = BUILD / name
            digest.update(name.encode() + (path.read_bytes() if path.is_file() else b""))
        return digest.hexdigest()

    def measure_one(self, test):
        with self.place() as place:
            start = time.monotonic()
            failure = testing.run(test, {}, WORK / f"run-{place}", 600, self.environment)
            test.seconds = time.monotonic() - start
            return failure

    def place(self):
        return Place(self)

    def try_mutant(self, mutant, text, stop=True):
        """The verdict, the tests that killed it, and what they said."""
        with self.place() as place, MutantBuild(self.baseline, WORK / f"source-{place}", WORK / f"objects-{place}",
                                                mutant.file, mutations.broken(mutant, text)) as build:
            try:
                if not build.changes_library():
                    return "same", "", ""
                return self.run_tests(build, mutant, WORK / f"run-{place}", stop)
            except Stillborn as error:
                return "stillborn", "", str(error)

    def run_tests(self, build, mutant, folder, stop):
        killers = []
        for test in self.tests_for(mutant):
            paths = {build.unbroken(name): build.path_of(name) for name in test.programs()
                     if self.baseline.is_program(name)}
            if all(path == changed for path, changed in paths.items()):
                continue
            environment, limit = dict(self.environment), 10 * test.seconds + 5
            if self.with_opencl and build.changes_kernels():
                (build.folder / "pocl").mkdir(exist_ok=True)
                environment["POCL_CACHE_DIR"] = str(build.folder / "pocl")
                limit += KERNEL_SECONDS
            failure = testing.run(test, paths, folder, limit, environment)
            self.order.learn(mutant.file, test, failure is not None)
            if failure is not None:
                killers.append((test.name, failure))
                if stop:
                    break
        if not killers:
            return "lived", "", ""
        return "killed", " ".join(name for name, _ in killers), " | ".join(failure for _, failure in killers)


class Place:
    """One of as many places as mutants are tested at a time."""

    def __init__(self, laboratory):
        self.laboratory = laboratory

    def __enter__(self):
        with self.laboratory.places_lock:
            self.number = self.laboratory.places.pop()
        return self.number

    def __exit__(self, *_):
        with self.laboratory.places_lock:
            self.laboratory.places.append(self.number)


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
        self.results = Results(options.again)
        self.drawn = mutations.draw(lines, options.seed)
        self.chosen, self.start, self.lock = [], time.monotonic(), threading.Lock()

    def verdict(self, mutant):
        return self.results.rows[key_of(mutant, self.texts[mutant.file])]

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
        for mutant in lived:
            print(f"\nlived: {mutations.name_of(mutant)}\n{difference(mutant, self.texts[mutant.file])}")
        count = verdicts["killed"] + verdicts["lived"]
        print(f"\n{count} mutants: {verdicts['killed']} killed, {verdicts['lived']} lived "
              f"({100 * verdicts['lived'] / max(1, count):.1f} %); {verdicts['same']} more compiled to the same code, "
              f"{verdicts['stillborn']} did not compile")


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
    laboratory = Laboratory(options.jobs)
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
