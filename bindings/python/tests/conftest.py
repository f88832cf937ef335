"""The same cases in every run, unless TUMBLE_TEST_EFFORT asks for more of them: then they are new each time."""
import os
import sys
from pathlib import Path

import hypothesis
import pytest

sys.path.insert(0, str(Path(__file__).parent))

EFFORT = float(os.environ.get("TUMBLE_TEST_EFFORT", "1"))

hypothesis.settings.register_profile(
    "tumble",
    max_examples=max(5, int(60 * EFFORT)),
    deadline=None,
    database=None,
    derandomize=EFFORT <= 1,
    print_blob=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)
hypothesis.settings.load_profile("tumble")


@pytest.fixture
def effort():
    return EFFORT
