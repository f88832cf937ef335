"""No argument can crash the interpreter: every function and method, every argument, every hostile value."""
import gc
import random
import threading

import numpy as np
import pytest

import calls
import hostile
import shapes
import tumble as tb

# SystemError is not among them: it is how Python reports that an extension broke the rules.
EXCEPTIONS = (ArithmeticError, AttributeError, BufferError, ImportError, LookupError, MemoryError, OSError, RuntimeError,
              StopIteration, tb.Error, TypeError, ValueError)  # fmt: skip


@pytest.fixture(autouse=True)
def away(tmp_path, monkeypatch):
    """Hostile file names must not hit anything."""
    monkeypatch.chdir(tmp_path)


def attempt(call, **changes):
    try:
        call(**changes)
    except EXCEPTIONS:
        pass


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", calls.names())
def test_every_value_of_every_argument(name):
    calls.Call(name)()  # works
    call = calls.Call(name)
    for parameter in call.values:
        for value in hostile.values():
            attempt(call, **{parameter: value})
    attempt(calls.Call(name), unknown=1)


@pytest.mark.filterwarnings("ignore")
def test_random_values(effort):
    generator = random.Random(1)
    names = list(calls.names())
    for _ in range(int(60 * effort)):
        call = calls.Call(generator.choice(names))
        for _ in range(10):
            values = hostile.values()
            changes = {p: generator.choice(values) for p in call.values if generator.random() < 0.4}
            attempt(call, **changes)
