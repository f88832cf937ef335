"""The tests of a build: running them with limits, and the order in which they are likely to kill a mutant soon."""
import json
import os
import re
import shutil
import signal
import subprocess
import threading
from collections import defaultdict

from build import output_of

MEMORY = 8 << 30
FILE_SIZE = 2 << 30
TORTURE = "--from 1000000 --cases 120 --jobs 1 --no-opencl --shrink-seconds 0 --reports 0 --out torture"
# Words of folders in src/ that tests call otherwise.
OTHER_WORDS = {
    "near": "distance clearance proximity coherence budget", "relate": "relation", "collide": "golden scenes mixed hot",
    "base": "context memory threads", "prim": "triangles triangle", "tree": "model build clusters",
    "io": "files number foreign hostile surfaces components import", "query": "collide pose", "math": "predicates",
    "opencl": "device cli_device", "pool": "device", "rtree": "edit", "wide": "collide deform", "math_lanes": "lanes",
}


running = set()  # process groups of tests


class Test:
    def __init__(self, entry, build):
        properties = {one["name"]: one["value"] for one in entry.get("properties", [])}
        self.name, self.command = entry["name"], entry["command"]
        self.environment = dict(one.split("=", 1) for one in properties.get("ENVIRONMENT", []))
        self.labels = set(properties.get("LABELS", []))
        self.seconds = 1.0
        self.build = build
        self.words = set(re.split("[_ ]", self.name))

    def programs(self):
        """The built programs that it runs."""
        words = self.command + list(self.environment.values())
        return [os.path.relpath(word, self.build) for word in words if word.startswith(self.build + "/")]


def read_tests(build, with_opencl):
    """Those of `make test`, and fixed cases of `make torture`."""
    entries = json.loads(output_of("ctest", "--test-dir", build, "--show-only=json-v1"))["tests"]
    tests = [Test(entry, build) for entry in entries]
    for test in tests:
        if test.name == "torture":
            test.command, test.labels = [test.command[1]] + TORTURE.split(), set()
    left_out = {"packaging"} | (set() if with_opencl else {"opencl-only"})
    return [test for test in tests if not test.labels & left_out]


def run(test, paths, folder, timeout, extra_environment, prefix=None):
    """Runs a test with other programs in the place of some; the reason why it failed, or None. With a prefix, for
    sanitizers, memory is not limited: they take all addresses there are."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    def moved(word):
        return paths.get(word, word)
    environment = dict(os.environ)
    environment.update({name: moved(value) for name, value in test.environment.items()})
    environment.update(extra_environment, TMPDIR=str(folder))
    limits = ["prlimit", f"--fsize={FILE_SIZE}", "--core=0"] + ([f"--data={MEMORY}"] if prefix is None else prefix)
    command = limits + [moved(word) for word in test.command]
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=log, start_new_session=True)
        running.add(process.pid)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        stop_group(process.pid)
        process.wait()
        running.discard(process.pid)
    if status == 0:
        return None
    return "timeout" if status is None else reason(status, folder / "log")


def stop_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def stop_all(number, _):
    for group in list(running):
        stop_group(group)
    os._exit(128 + number)


def reason(status, log):
    text = log.read_text(errors="replace")
    for pattern in (r"[^\n]*assertion failed:[^\n]*", r"\[  ERROR   \] --- ([^\n]*)", r"[^\n]*(?:error|FAILED)[^\n]*"):
        match = re.search(pattern, text)
        if match:
            return f"{status}: {match.group().strip()[:160]}"
    return f"{status}: {(text.strip().splitlines() or [''])[-1][:160]}"


class Order:
    """Which tests to run first: those that have killed mutants of the same file or folder, that have its words in
    their name, and that are quick."""

    def __init__(self, tests):
        self.tests, self.lock = tests, threading.Lock()
        self.kills, self.runs = defaultdict(float), defaultdict(float)

    @staticmethod
    def scopes(file):
        return [file, os.path.dirname(file), file.split("/")[1]]

    def learn(self, file, test, killed):
        with self.lock:
            for scope in self.scopes(file):
                self.runs[scope, test.name] += 1
                self.kills[scope, test.name] += killed

    def likelihood(self, file, test):
        parts = set(re.split(r"[/_.]", file)) - {"src", "c", "h", "cl", "kernel"}
        words = parts | {word for part in parts for word in OTHER_WORDS.get(part, "").split()}
        likely = 0.03 + 0.2 * min(3, len(words & test.words)) + (0.5 if file.endswith(".cl") and "opencl" in
                                                               " ".join(test.labels) else 0)
        for weight, scope in zip((4, 2, 1), self.scopes(file)):
            likely = (likely * 2 + weight * self.kills[scope, test.name]) / (2 + weight * self.runs[scope, test.name])
        return likely

    def of(self, file):
        with self.lock:
            return sorted(self.tests, key=lambda test: -self.likelihood(file, test) / (test.seconds + 0.2))

