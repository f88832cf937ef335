"""Which tests run which functions, from the counters of a build with gcc's --coverage.

Reads the files of gcc 12 and newer itself: .gcno tells a function's file and lines, .gcda whether it ran. gcov would
take a second for each object and test.
"""
import os
import struct
from collections import defaultdict
from pathlib import Path

FUNCTION, COUNTERS = 0x01000000, 0x01a10000


class Reader:
    def __init__(self, path):
        self.bytes, self.at = Path(path).read_bytes(), 0
        self.word()
        version = self.bytes[self.at:self.at + 4][::-1].decode("latin-1")  # B22* is 12.2
        self.word()
        if (ord(version[0]) - ord("A")) * 10 + int(version[1]) < 12:
            raise ValueError(f"{path} was not written by gcc 12 or newer")

    def word(self):
        self.at += 4
        return struct.unpack_from("<I", self.bytes, self.at - 4)[0]

    def string(self):
        length = self.word()
        self.at += length
        return self.bytes[self.at - length:self.at].rstrip(b"\0").decode()

    def records(self):
        """The tags, with the length of each; self.at is its content then."""
        while self.at + 8 <= len(self.bytes):
            tag, length = struct.unpack_from("<Ii", self.bytes, self.at)
            if tag == 0:
                break
            self.at += 8
            following = self.at + max(0, length)
            yield tag, length
            self.at = following


def functions_of(path):
    """{ident: (file, first line, last line)} of a .gcno."""
    reader, functions = Reader(path), {}
    reader.word(), reader.word()  # stamp and checksum
    reader.string(), reader.word()  # folder, and whether it tells of blocks that did not run
    for tag, _ in reader.records():
        if tag == FUNCTION:
            ident, _, _ = reader.word(), reader.word(), reader.word()
            reader.string(), reader.word()  # name, and whether the compiler made it up
            file, first, _, last = reader.string(), reader.word(), reader.word(), reader.word()
            functions[ident] = (file, first, last)
    return functions


def counted(path):
    """The idents of the functions in a .gcda that ran."""
    reader, ran, ident = Reader(path), set(), None
    reader.word(), reader.word()
    for tag, length in reader.records():
        if tag == FUNCTION and length > 0:
            ident = reader.word()
        elif tag == COUNTERS and length > 0 and any(reader.bytes[reader.at:reader.at + length]):
            ran.add(ident)
    return ran


class Coverage:
    """Functions by file, with the tests that run each."""

    def __init__(self, root, build):
        self.root, self.build = str(root), str(build)
        self.objects = {}
        self.tests = defaultdict(set)
        for path in Path(build).rglob("*.gcno"):
            self.objects[str(path.relative_to(build))[:-len(".gcno")]] = functions_of(path)

    def add(self, test, folder):
        """Takes the counters that a run with GCOV_PREFIX left in a folder."""
        for path in Path(str(folder) + self.build).rglob("*.gcda"):
            functions = self.objects[os.path.relpath(path, str(folder) + self.build)[:-len(".gcda")]]
            for ident in counted(path):
                file, first, last = functions[ident]
                self.tests[os.path.relpath(os.path.join(self.build, file), self.root), first, last].add(test)

    def as_list(self):
        known = {(os.path.relpath(os.path.join(self.build, file), self.root), first, last)
                 for functions in self.objects.values() for file, first, last in functions.values()}
        return [[file, first, last, sorted(self.tests[file, first, last])]
                for file, first, last in sorted(known) if file.startswith("src/")]
