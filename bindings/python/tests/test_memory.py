"""Nothing leaks: blocks of Python, bytes of malloc and references to arguments over many calls.

TUMBLE_TEST_CALLS=1000000 makes that many calls of each function.
"""
import ctypes
import gc
import os
import sys

import pytest

import calls

COUNT = int(os.environ.get("TUMBLE_TEST_CALLS", "60"))


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


def repeat(call, count, **changes):
    for _ in range(count):
        try:
            call(**changes)
        except Exception:  # noqa: BLE001
            pass


# What grows by nature: objects of scenes, polygons of models that are edited, jobs under way.
GROWS = {"Scene.add", "Scene.add_many", "EditableModel.insert", "Device.submit"}


def leaks(call, changes):
    """Whether blocks, bytes or references grew with the number of calls."""
    before, (blocks, size) = references(call), used()
    repeat(call, COUNT, **changes)
    more_blocks, more_size = (a - b for a, b in zip(used(), (blocks, size)))
    has_references = any(a - b > COUNT / 3 for a, b in zip(references(call), before))
    return has_references or more_blocks > COUNT / 2 or more_size > 12 * COUNT


@pytest.mark.parametrize("name", [n for n in calls.names() if n not in GROWS])
def test_calls_do_not_leak(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call = calls.Call(name)
    for changes in [{}] + [{p: object()} for p in call.values]:
        repeat(call, 10, **changes)
        # Caches grow as well, but not for ever: a leak is there each time.
        assert not all(leaks(call, changes) for _ in range(5)), changes
