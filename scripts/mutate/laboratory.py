"""Where mutants are tested: the builds with their tests, and a place for each mutant that is being tested."""
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
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
QUICK = 0.2  # seconds
KERNEL_SECONDS = 120  # to compile other OpenCL kernels
SANITIZER_SECONDS = 60
SANITIZERS = {  # as in scripts/test.sh
    "asan": {"TUMBLE_TEST_EFFORT": "0.1", "UBSAN_OPTIONS": "print_stacktrace=1",
             "ASAN_OPTIONS": "allocator_may_return_null=1:detect_stack_use_after_return=1:strict_string_checks=1:"
                             "hard_rss_limit_mb=8000"},
    "tsan": {"TUMBLE_TEST_EFFORT": "0.03", "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1"},
}


class Sanitizer:
    """A build with a sanitizer. OpenCL devices are left out."""

    def __init__(self, name):
        self.name, build = name, f"{BUILD}-{name}"
        self.baseline = Baseline(ROOT, build)
        self.environment = dict(SANITIZERS[name], TUMBLE_TEST_OPENCL="none")
        self.tests = [test for test in testing.read_tests(build, False) if
                      ("threads" in test.labels if name == "tsan" else test.name not in ("golden", "torture"))]
        self.good, self.lock = {}, threading.Lock()

    def run_tests(self, build, names, folder):
        """As of the laboratory; a test that fails must pass unbroken to count."""
        wanted = {name: place for place, name in enumerate(names)}
        for test in sorted((test for test in self.tests if test.name in wanted), key=lambda test: wanted[test.name]):
            failure = self.run(test, build.paths_for(test), folder)
            if failure is not None and self.is_good(test, folder):
                return "killed", f"{self.name}:{test.name}", failure
        return "lived", "", ""

    def run(self, test, paths, folder):
        return testing.run(test, paths, folder, 10 * test.seconds + SANITIZER_SECONDS, self.environment, self.prefix())

    def prefix(self):
        return ["setarch", "-R"] if self.name == "tsan" else []

    def is_good(self, test, folder):
        with self.lock:
            if test.name not in self.good:
                self.good[test.name] = self.run(test, {}, folder) is None
            return self.good[test.name]


class Laboratory:
    """The unbroken build with its tests, and a place for each mutant that is being tested."""

    def __init__(self, jobs, sanitizers):
        self.baseline = Baseline(ROOT, BUILD)
        self.with_opencl = self.has_opencl()
        self.tests = testing.read_tests(str(BUILD), self.with_opencl)
        self.environment = {} if self.with_opencl else {"TUMBLE_TEST_OPENCL": "none"}
        self.places, self.places_lock = list(range(jobs)), threading.Lock()
        self.order = testing.Order(self.tests)
        self.good, self.good_lock = {}, threading.Lock()
        self.sanitizers = [Sanitizer(name) for name in sanitizers]
        shutil.rmtree(WORK, ignore_errors=True)
        for place in self.places:
            copy_sources(ROOT, WORK / f"source-{place}")

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
        self.good = {test.name: True for test in self.tests} if known["key"] == key else {}
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
        ran = [names for first, last, names in self.covered[mutant.file] if first <= mutant.line <= last]
        names = set().union(*ran)
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

    # With times of an earlier run, a test that fails is looked at unbroken first, and run again.
    def failure_of(self, test, paths, folder, more_seconds, environment):
        failure = testing.run(test, paths, folder, 10 * test.seconds + more_seconds, environment)
        if failure is None or self.good.get(test.name):
            return failure
        with self.good_lock:
            if test.name not in self.good:
                start = time.monotonic()
                self.good[test.name] = testing.run(test, {}, folder, 600, self.environment) is None
                test.seconds = max(test.seconds, time.monotonic() - start)
        if not self.good[test.name]:
            print(f"mutate: {test.name} does not count, for it fails unbroken", flush=True)
            return None
        return testing.run(test, paths, folder, 10 * test.seconds + more_seconds, environment)

    def place(self):
        return Place(self)

    def build(self, baseline, place, mutant, text):
        return MutantBuild(baseline, WORK / f"source-{place}", WORK / f"objects-{place}", mutant.file,
                           mutations.broken(mutant, text))

    def try_mutant(self, mutant, text, stop=True):
        """The verdict, the tests that killed it, and what they said."""
        with self.place() as place:
            try:
                with self.build(self.baseline, place, mutant, text) as build:
                    if not build.changes_library():
                        return "same", "", ""
                    result = self.run_tests(build, mutant, WORK / f"run-{place}", stop)
                for sanitizer in self.sanitizers:
                    if result[0] == "lived":
                        with self.build(sanitizer.baseline, place, mutant, text) as build:
                            names = [test.name for test in self.tests_for(mutant)]
                            result = sanitizer.run_tests(build, names, WORK / f"run-{place}")
                return result
            except Stillborn as error:
                return "stillborn", "", str(error)

    def run_tests(self, build, mutant, folder, stop):
        killers = []
        for test in self.tests_for(mutant):
            paths = build.paths_for(test)
            environment, seconds = dict(self.environment), 5
            if self.with_opencl and build.changes_kernels():
                (build.folder / "pocl").mkdir(exist_ok=True)
                environment["POCL_CACHE_DIR"] = str(build.folder / "pocl")
                seconds += KERNEL_SECONDS
            failure = self.failure_of(test, paths, folder, seconds, environment)
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
