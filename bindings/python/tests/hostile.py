"""Values that no function expects."""
import array
import ctypes
import gc
import sys

import numpy as np


class Raises:
    """Fails whatever it is asked."""

    def _fail(self, *arguments, **keywords):
        raise ZeroDivisionError("hostile")

    __array__ = __array_interface__ = __index__ = __float__ = __len__ = __getitem__ = __iter__ = _fail
    __bool__ = __hash__ = __eq__ = __fspath__ = __buffer__ = __await__ = __call__ = __int__ = __repr__ = _fail


class Lies:
    """Answers with something else than what was asked for."""

    def _lie(self, *arguments, **keywords):
        return "lie"

    __array__ = __index__ = __float__ = __iter__ = __fspath__ = __buffer__ = __await__ = __int__ = _lie

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self


class Endless:
    """A sequence that says it is short."""

    def __len__(self):
        return 2

    def __getitem__(self, index):
        if index > 300:
            raise IndexError
        return [0, 1, 2]


class Shrinks(list):
    """A polygon that changes its length each time it is read."""

    def __len__(self):
        if list.__len__(self):
            self.pop()
        return list.__len__(self)

    def __iter__(self):
        self.extend([0] * 50)
        return list.__iter__(self)


class Collects:
    """Lets the garbage collector run at the worst moment, and calls what it is given."""

    def __init__(self, value, callback=None):
        self.value = value
        self.callback = callback

    def _run(self):
        gc.collect(0)
        if self.callback:
            self.callback()
        return self.value

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._run(), dtype)

    def __index__(self):
        return int(self._run())

    def __float__(self):
        return float(self._run())

    def __iter__(self):
        return iter(self._run())

    def __len__(self):
        return len(self._run())

    def __getitem__(self, index):
        return self._run()[index]


def released():
    view = memoryview(bytearray(96))
    view.release()
    return view


def read_only(values):
    result = np.array(values)
    result.flags.writeable = False
    return result


def misaligned():
    raw = np.zeros(97, np.uint8)
    return raw[1:].view(np.float64).reshape(3, 4)


def numbers():
    return [0, 1, -1, 3, 2**31, 2**32, 2**63 - 1, 2**64, 2**200, -(2**200), True, 0.0, -0.5, 1e308, 1e-320]


def not_finite():
    return [float("nan"), float("inf"), -float("inf"), np.float64("nan"), 1j, np.complex128(1)]


def plain():
    return [None, ..., NotImplemented, object(), type, int, sys, "", "x", "\udcff", "\0", b"", b"x", b"\0" * 96]


def containers():
    recursive = []
    recursive.append(recursive)
    return [
        [], (), {}, set(), [[]], [[], []], [[0, 1]], [[0, 1, 2], [0]], [[0, 1, 2], None], [0, 1, 2], ([], []), (0, 0),
        {0: 1}, {"x": None}, {1: 2, "kdop.k": "x"}, "abc", range(3), recursive, iter([1]), (x for x in [1, 2]),
        [[0, 1, 2**32]], [[0, 1, -1]], [["a", "b", "c"]], [[0.5, 1, 2]], [Shrinks([0, 1, 2, 3])], [Endless()],
        [[Raises(), 1, 2]], [Raises()], [Lies()], Shrinks([[0, 1, 2]] * 3),
    ]  # fmt: skip


def arrays():
    base = np.arange(24.0).reshape(2, 3, 4)
    plain_types = ["f2", "f4", "f8", "g", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?", ">f8", ">i4", "c16"]
    odd_types = ["O", "S3", "U2", "M8[s]", "m8[s]", "V8", "V0", [("x", "f8"), ("y", "i4")]]
    result = [np.zeros((3, 4), t) for t in plain_types] + [np.empty((2, 3), t) for t in odd_types]
    result += [np.zeros(s) for s in [(), (0,), (1,), (12,), (0, 3), (3, 0), (0, 3, 4), (1, 4, 4), (2, 2, 2, 2), (0, 0)]]
    result += [np.full((3, 4), v) for v in (np.nan, np.inf, 1e308, -1.0)]
    result += [base[::-1], base[:, ::-1, ::-1], base.T, base[..., ::2], np.asfortranarray(base), read_only(base)]
    result += [np.broadcast_to(np.uint8(1), (2**61, 3)), np.broadcast_to(np.float64(1), (2**56, 3, 4)), misaligned()]
    result += [np.broadcast_to(np.int8(0), (2**62,)), np.broadcast_to(np.uint32(0), (2**58, 4))]
    return result + [np.ma.masked_array(base[0], base[0] > 3), np.matrix("1 2 3"), base[0, 0, 0]]


def buffers():
    return [
        released(), memoryview(b"x" * 96), memoryview(bytearray(96)).cast("d"), memoryview(bytearray(96)).cast("d", (3, 4)),
        memoryview(np.zeros((3, 4)))[::2], bytearray(12), array.array("d", [1, 2, 3]), array.array("u", "abc"),
        array.array("i"), (ctypes.c_double * 4 * 3)(), (ctypes.c_uint32 * 3 * 2)(), (ctypes.c_char_p * 2)(),
        (ctypes.c_longdouble * 3)(), ctypes.c_double(3), np.zeros(3).data, memoryview(np.float64(1)),
    ]  # fmt: skip


def values():
    """All of them, made anew: some change when they are used."""
    odd = [Raises(), Lies(), Endless(), Collects([[0, 1, 2]]), Collects(1), Raises, Lies]
    return numbers() + not_finite() + plain() + containers() + arrays() + buffers() + odd
