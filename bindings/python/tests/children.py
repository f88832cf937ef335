"""Other processes that run Python: for signals, crashes, sanitizers, other interpreters."""
import os
import signal
import subprocess
import sys
import textwrap
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def environment(**more):
    path = os.pathsep.join([HERE] + [p for p in sys.path if p])
    return {**os.environ, "PYTHONPATH": path, "PYTHONFAULTHANDLER": "1", **more}


def start(code, python=sys.executable, **more):
    arguments = [python, "-c", textwrap.dedent(code)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(**more))


def finish(process, timeout=120):
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
        raise AssertionError(f"still running after {timeout} s:\n{output}") from None
    return output


def run(code, timeout=120, **more):
    """Runs code to its end; its output. A crash or an uncaught exception fails."""
    process = start(code, **more)
    output = finish(process, timeout)
    assert process.returncode == 0, f"exit status {process.returncode}:\n{output}"
    return output


def interrupt(code, pause=0.15, timeout=120):
    """Runs code that prints "ready" before its long work, sends SIGINT, and tells how long the process then lived and
    what it printed."""
    process = start(code)
    line = process.stdout.readline()
    assert line.strip() == "ready", line + process.stdout.read()
    time.sleep(pause)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    output = finish(process, timeout)
    return time.monotonic() - begin, process.returncode, output
