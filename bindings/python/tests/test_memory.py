"""Nothing leaks: blocks of Python, bytes of malloc and references to arguments over many calls.

TUMBLE_TEST_CALLS=1000000 makes that many calls of each function.
"""
import ctypes
import gc
import os
import subprocess
import sys
import time

import pytest

import calls
import children

COUNT = int(os.environ.get("TUMBLE_TEST_CALLS", "300"))


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd u f uordblks fordblks keep".split()]


MALLINFO = ctypes.CDLL(None).mallinfo2
MALLINFO.restype = Mallinfo


def used():
    gc.collect()
    info = MALLINFO()
    return sys.getallocatedblocks(), info.uordblks + info.hblkhd


def references(call):
    plain = (type(None), bool, int, float, str, tuple)  # shared by everything
    return [sys.getrefcount(value) for value in call.values.values() if not isinstance(value, plain)]


def repeat(call, count, /, **changes):
    for _ in range(count):
        try:
            call(**changes)
        except Exception:  # noqa: BLE001
            pass


# What grows by nature: objects of scenes, parts of assemblies, polygons of models that are edited, jobs under way.
GROWS = {"Scene.add", "Scene.add_many", "Assembly.add", "Assembly.read", "EditableModel.insert", "Device.submit"}


def leaks(call, changes):
    """Whether blocks, bytes or references grew with the number of calls."""
    before, (blocks, size) = references(call), used()
    repeat(call, COUNT, **changes)
    more_blocks, more_size = (a - b for a, b in zip(used(), (blocks, size)))
    has_references = any(a - b > COUNT / 3 for a, b in zip(references(call), before))
    return has_references or more_blocks > COUNT / 2 or more_size > 12 * COUNT


@pytest.fixture(scope="module", autouse=True)
def frozen():
    """What exists already is not looked at by each collection of garbage, which would take most of the time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", [n for n in calls.names() if n not in GROWS])
def test_calls_do_not_leak(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call = calls.Call(name)
    for changes in [{}] + [{p: object()} for p in call.values]:
        repeat(call, 10, **changes)
        # Caches grow as well, and threads of other tests end, but not for ever: a leak is there each time.
        for i in range(10):
            if not leaks(call, changes):
                break
            time.sleep(0.02 * i)
        else:
            pytest.fail(f"{name} leaks with {changes}")


class Leaking:
    """Like calls.Call, but each call keeps what it makes, or an argument."""

    def __init__(self, make):
        self.values = {"a": calls.cube()}
        self.kept = []
        self.make = make

    def __call__(self):
        self.kept.append(self.make(self.values["a"]))


@pytest.mark.parametrize("make", [lambda a: a, lambda a: [], lambda a: bytes(9999)], ids=["reference", "block", "bytes"])
def test_leaks_are_seen(make):
    assert leaks(Leaking(make), {})


def test_every_allocation_fails(tmp_path):
    """malloc fails once, at the n-th time, in the thread that calls: MemoryError or an answer, and all goes on.

    Scenes are left out: their Python part calls functions of numpy that crash when malloc fails."""
    library = tmp_path / "failing.so"
    source = os.path.join(children.HERE, "failing_malloc.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", source, "-o", library], check=True)
    children.run(
        """
        import ctypes, os, calls, shapes, tumble as tb
        os.chdir(os.environ["FOLDER"])
        library = ctypes.CDLL(None)
        fail_after, fail_end = library.tumble_test_fail_after, library.tumble_test_fail_end
        tried = 0
        for name in ("Model", "collide", "pairs", "contacts", "distance", "relation", "surfaces", "Model.deformed",
                     "EditableModel.insert", "Query.pairs", "collide_many", "distance_many", "Assembly.model"):
            for n in range(150):
                call = calls.Call(name)
                fail_after(n, 1)
                try:
                    call()
                except MemoryError:
                    pass
                finally:
                    failed = fail_end()
                tried += failed
                if not failed:
                    break
            calls.Call(name)()
        assert tried > 50, tried
        """,
        LD_PRELOAD=str(library),
        FOLDER=str(tmp_path),
    )
