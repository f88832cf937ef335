"""Builds: the unbroken one, made by CMake and read from what Ninja knows of it, and those of mutants.

A mutant's build has the objects that depend on the broken file; everything else is taken from the unbroken build. It
sees a copy of the sources in which that one file is another.
"""
import filecmp
import json
import os
import re
import shlex
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path


class Stillborn(Exception):
    """The mutant does not compile."""


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


class Baseline:
    """The unbroken build: which objects depend on which file, and how everything is compiled and linked."""

    def __init__(self, root, build):
        self.root, self.build = str(root), str(build)
        self.dependents = defaultdict(set)  # of a file, relative to the root
        self.edges = {}  # outputs of the linker and the archiver: [input]
        self.made = {}  # generated source: [input], relative to the root
        self.link_commands = {}
        self.read_dependencies()
        self.read_edges()
        self.read_compile_commands()
        self.library = "libtumble.a"

    def relative(self, path):
        return os.path.relpath(os.path.normpath(os.path.join(self.build, path)), self.root)

    def read_dependencies(self):
        target = None
        for line in output_of("ninja", "-C", self.build, "-t", "deps").splitlines():
            if line.startswith(" "):
                self.dependents[self.relative(line.strip())].add(target)
            elif ": #deps" in line:
                target = line.split(": #deps")[0]

    def read_edges(self):
        text = (Path(self.build) / "build.ninja").read_text().replace("$\n", "")
        for match in re.finditer(r"^build (\S+)(?: \|[^:]*)?: (\S+) ([^\n]*)", text, re.M):
            output, rule, inputs = match.groups()
            explicit, implicit = (re.split(r" \|\|? ", inputs) + [""])[:2]
            if "_LINKER__" in rule:
                archives = [name for name in implicit.split() if name.endswith(".a")]
                self.edges[output] = explicit.split() + archives
            elif rule == "CUSTOM_COMMAND" and output.endswith(".c"):
                self.made[output] = [self.relative(name) for name in explicit.split()]

    def read_compile_commands(self):
        self.compile_commands, self.sources = {}, {}
        for entry in json.loads((Path(self.build) / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            output = words[words.index("-o") + 1]
            self.compile_commands[output], self.sources[output] = words, self.relative(entry["file"])
        for made, inputs in self.made.items():
            for output, source in self.sources.items():
                if source == self.relative(made):
                    for name in inputs:
                        self.dependents[name].add(output)

    def is_program(self, path):
        return path in self.edges and not path.endswith((".a", ".so"))

    def link_command(self, program):
        if program not in self.link_commands:
            text = output_of("ninja", "-C", self.build, "-t", "commands", "-s", program)
            words = shlex.split(text)
            self.link_commands[program] = words[2:-2]  # : && gcc ... && :
        return self.link_commands[program]

    def library_objects(self, file):
        return [name for name in self.edges[self.library] if name in self.dependents[file]]


def copy_sources(root, copy):
    """A folder that looks like the root and stays as it is while sources are edited. Builds are linked."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for entry in Path(root).iterdir():
        if entry.is_dir() and entry.name[0] != "." and entry.name not in ("build", "out", "docs"):
            shutil.copytree(entry, copy / entry.name)
    (copy / "build").symlink_to(Path(root) / "build")


class MutantBuild:
    """The objects and programs of one mutant, made when they are asked for. A context: the file is broken within."""

    def __init__(self, baseline, copy, folder, file, text):
        self.baseline, self.copy, self.folder, self.file, self.text = baseline, copy, folder, file, text
        self.dependents = baseline.dependents[file]
        self.paths = {}

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.whole = (self.copy / self.file).read_text()
        (self.copy / self.file).write_text(self.text)
        return self

    def __exit__(self, *_):
        (self.copy / self.file).write_text(self.whole)
        shutil.rmtree(self.folder, ignore_errors=True)

    def changes_library(self):
        """Whether any object of the library differs from that of the unbroken build."""
        objects = self.baseline.library_objects(self.file)
        return any([self.path_of(name) != self.unbroken(name) for name in objects])

    def changes_kernels(self):
        """Whether the text of the OpenCL kernels differs."""
        return any(self.file in inputs for inputs in self.baseline.made.values())

    def unbroken(self, name):
        return os.path.join(self.baseline.build, name)

    def path_of(self, name):
        """Where an object, archive or program is: the unbroken one's path if it would be the same."""
        if name not in self.paths:
            if name in self.baseline.compile_commands:
                self.paths[name] = self.compiled(name)
            elif name in self.baseline.edges:
                self.paths[name] = self.linked(name)
            else:
                self.paths[name] = name
        return self.paths[name]

    def compiled(self, name):
        if name not in self.dependents:
            return self.unbroken(name)
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        words = [self.word(word) for word in self.baseline.compile_commands[name]]
        source = self.baseline.sources[name]
        made = os.path.relpath(os.path.join(self.baseline.root, source), self.baseline.build)
        if made in self.baseline.made:
            words[-1] = self.generated(made)
        words[words.index("-o") + 1] = str(path)
        words += ["-w", "-Wno-error", f"-ffile-prefix-map={self.copy}={self.baseline.root}"]
        self.call(words)
        return self.unbroken(name) if filecmp.cmp(path, self.unbroken(name), shallow=False) else str(path)

    def word(self, word):
        return word if word.startswith("-D") else word.replace(self.baseline.root, str(self.copy))

    def generated(self, made):
        path = self.folder / made
        path.parent.mkdir(parents=True, exist_ok=True)
        text = output_of("ninja", "-C", self.baseline.build, "-t", "commands", "-s", made)
        words = shlex.split(text.split("&&", 1)[1])
        for i, word in enumerate(words):
            if word.startswith("-DOUTPUT="):
                words[i] = f"-DOUTPUT={path}"
            elif word.startswith("-DFILES="):
                words[i] = word.replace(self.baseline.root, str(self.copy))
        self.call(words)
        return str(path)

    def paths_for(self, test):
        """The programs of a test that are other ones here: {unbroken: broken}."""
        return {self.unbroken(name): self.path_of(name) for name in test.programs() if self.baseline.is_program(name)}

    def linked(self, name):
        inputs = self.baseline.edges[name]
        changed = {one: self.path_of(one) for one in inputs if self.path_of(one) != self.unbroken(one)}
        if not changed:
            return self.unbroken(name)
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".a"):
            self.call(["ar", "qcsT", str(path)] + [self.path_of(one) for one in inputs])
        else:
            words = [changed.get(word, word) for word in self.baseline.link_command(name)]
            words[words.index("-o") + 1] = str(path)
            self.call(words)
        return str(path)

    def call(self, words):
        done = subprocess.run(words, cwd=self.baseline.build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False)
        if done.returncode != 0:
            raise Stillborn(done.stdout.strip().splitlines()[:1])
