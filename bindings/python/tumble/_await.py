"""Awaiting a job: its pipe wakes the event loop, so no thread waits for it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._tumble import Job


def wait(job: Job) -> Generator[Any, None, Any]:
    """What `await job` runs."""
    if not job.done():
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        descriptor = job._wake()

        def wake() -> None:
            if not done.done():
                done.set_result(None)

        loop.add_reader(descriptor, wake)
        try:
            yield from done
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)
    return job.result()
