"""Ctrl-C interrupts whatever takes long."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import tumble as tb
from conftest import shift, torus

LATEST = 0.1  # seconds
SLACK = 0.4  # of a machine that does other things as well


@pytest.fixture(scope="module")
def large():
    return torus(rings=1200, sides=600)


@pytest.fixture(scope="module")
def heavy(large):
    model = tb.Model(*large)
    tb.inside(model, [0, 0, 0])  # what is made once is not interrupted
    return model


def interrupted(function, after=0.15):
    """The seconds from a signal to its exception; fails if the function was done before."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            function()
            timer.join()
            raise AssertionError("done before it could be interrupted")
    finally:
        timer.cancel()
        timer.join()
    return time.monotonic() - sent[0]


def questions(model):
    """Each takes seconds: a model in itself, where every triangle meets its neighbours."""
    many = np.repeat(shift(1e-7)[None], 100, axis=0)
    points = np.random.default_rng(1).uniform(-1, 1, (4000000 if model else 1, 3))
    return {
        "count": lambda: tb.count(model, model, None, shift(1e-9)),
        "pairs": lambda: tb.pairs(model, model, None, shift(1e-9)),
        "contacts": lambda: tb.contacts(model, model, None, shift(1e-9)),
        "clearance": lambda: tb.count(model, model, None, shift(0, 0, 1e-3), 0.05),
        "query": lambda: tb.Query().count(model, model, None, shift(1e-9)),
        "collide_many": lambda: tb.collide_many(model, model, poses_b=many, mode="count"),
        "threads": lambda: tb.collide_many(model, model, poses_b=many, mode="count", threads=2),
        "lists": lambda: tb.collide_many(model, model, poses_b=many, mode="pairs"),
        "distance": lambda: tb.distance(model, model, None, tb.pose((0, 0, 0), scale=1.01), pairs=True, absolute_error=0.02),
        "self": lambda: tb.self_count(model, clearance=0.05),
        "self, threads": lambda: tb.self_count(model, clearance=0.05, threads=2),
        "rays": lambda: tb.rays(model, points, points[::-1], mode="all"),
        "inside": lambda: tb.inside(model, points),
        "closest": lambda: tb.closest(model, points, threads=2),
        "closest, many": lambda: tb.closest(model, points, count=20),
    }


@pytest.mark.parametrize("name", sorted(questions(None)))
def test_questions(heavy, name):
    assert interrupted(questions(heavy)[name]) < LATEST + SLACK
    assert tb.collide(heavy, heavy, None, shift(9)) is False


def test_builds():
    points, faces = torus(rings=600, sides=300)
    assert interrupted(lambda: [tb.Model(points, faces, threads=1) for _ in range(1000)]) < LATEST + SLACK


@pytest.mark.parametrize("threads", [0, 1])
def test_clashes(heavy, threads):
    """Two parts are one question, which takes seconds."""
    assembly = tb.Assembly()
    assembly.add(heavy)
    assembly.add(tb.Model.box((1, 0, 0), (2, 1, 1)))
    assert len(assembly.clashes()) == 1  # what is made once is not interrupted
    assembly.add(heavy, shift(1e-9))
    assert interrupted(lambda: assembly.clashes(threads=threads)) < LATEST + SLACK
    assembly.add(heavy, shift(9))
    assert len(assembly) == 4


def test_jobs(heavy):
    many = np.repeat(shift(1e-7)[None], 100, axis=0)
    with tb.Device() as device:
        job = device.submit(heavy, heavy, poses_b=many, mode="count")
        assert interrupted(job.result) < LATEST + SLACK
        assert job.cancel()


def test_a_handler_that_returns_does_not_interrupt(heavy):
    seen = []
    old = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
        found = tb.count(heavy, heavy, None, shift(0.01))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert seen and found == tb.count(heavy, heavy, None, shift(0.01))
