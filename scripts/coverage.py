#!/usr/bin/env python3
"""Sums up what gcov counted and compares it with limits.

    scripts/coverage.py BUILD_FOLDER SOURCE_FOLDER LINES% BRANCHES%

A line or a branch counts as run when any object that holds it ran it: kernels are compiled once for each instruction
set, and inline functions once for each file. What never ran is listed in BUILD_FOLDER/missed.txt. A line with
`coverage: REASON` in a comment does not count, and neither do its branches; those are listed as well.
"""
import collections
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def gcov(path):
    """The counts of one object: pairs of a file and its lines."""
    process = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", path], check=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    files = []
    for text in process.stdout.decode().splitlines():
        data = json.loads(text)
        for one in data["files"]:
            name = os.path.normpath(os.path.join(data["current_working_directory"], one["file"]))
            files.append((name, one["lines"]))
    return files


class Line:
    def __init__(self):
        self.count = 0
        self.branches = collections.defaultdict(list)  # by how many there are: some objects have others

    def add(self, line):
        self.count += line["count"]
        found = [branch["count"] for branch in line["branches"]]
        known = self.branches[len(found)]
        self.branches[len(found)] = [a + b for a, b in zip(known, found)] if known else found

    def best(self):
        """The variant that was run most."""
        return max(self.branches.values(), key=lambda counts: (sum(c > 0 for c in counts), -len(counts)), default=[])


def collect(build, source):
    objects = [os.path.join(folder, name) for folder, _, names in os.walk(build) for name in names
               if name.endswith(".gcda")]
    lines = collections.defaultdict(lambda: collections.defaultdict(Line))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for files in pool.map(gcov, objects):
            for name, counted in files:
                if name.startswith(source + os.sep):
                    for line in counted:
                        lines[name][line["line_number"]].add(line)
    return lines


def reasons(path):
    """Lines that need not run, and why."""
    with open(path, encoding="utf-8") as file:
        return {number: text.split("coverage: ")[1].split("*/")[0].strip()
                for number, text in enumerate(file, 1) if "/* coverage: " in text}


class Sum:
    def __init__(self):
        self.all = self.run = 0

    def add(self, count, run):
        self.all += count
        self.run += run

    def share(self):
        return 100.0 * self.run / self.all if self.all else 100.0


def report(lines, out):
    """Writes what was missed and returns the sums of lines and branches."""
    total = Sum(), Sum()
    for name in sorted(lines):
        excused, of_file, missed = reasons(name), (Sum(), Sum()), []
        for number, line in sorted(lines[name].items()):
            branches = line.best()
            taken = sum(count > 0 for count in branches)
            if number in excused:
                missed.append(f"    {number}: excused: {excused[number]}")
                continue
            of_file[0].add(1, line.count > 0)
            of_file[1].add(len(branches), taken)
            if line.count == 0:
                missed.append(f"    {number}: never run")
            elif taken < len(branches):
                missed.append(f"    {number}: {taken} of {len(branches)} branches")
        for whole, part in zip(total, of_file):
            whole.add(part.all, part.run)
        short = os.path.relpath(name)
        out.write(f"{short}: lines {of_file[0].share():.1f} %, branches {of_file[1].share():.1f} %\n")
        out.writelines(text + "\n" for text in missed)
    return total


def main():
    build, source, *limits = sys.argv[1:]
    lines = collect(build, os.path.abspath(source))
    missed = os.path.join(build, "missed.txt")
    with open(missed, "w", encoding="utf-8") as out:
        sums = report(lines, out)
    failed = False
    for word, part, limit in zip(("lines", "branches"), sums, limits):
        print(f"{word}: {part.share():.2f} % ({part.run} of {part.all}), at least {limit} %")
        failed |= part.share() < float(limit)
    print(f"what did not run is listed in {missed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
