import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from driver import SILT, Project  # noqa: E402


def pytest_configure(config):
    if not Path(SILT).exists():
        pytest.exit(f"no {SILT}: build first, or set SILT", 2)


@pytest.fixture
def project(tmp_path):
    """A project in a folder of its own; whatever runs in it ends with the test."""
    made = Project(tmp_path / "project")
    yield made
    made.stop_all()
