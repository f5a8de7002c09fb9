import os
import sys
import time
from pathlib import Path

import pytest

os.environ["TZ"] = "UTC"
time.tzset()
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))
from driver import SILT, Project  # noqa: E402


def pytest_configure(config):
    if not Path(SILT).exists():
        pytest.exit(f"no {SILT}: build first, or set SILT", 2)


def pytest_collection_modifyitems(items):
    """Tests that start Spark themselves come first, before the session of the others is there."""
    items.sort(key=lambda item: "without_spark" not in item.fixturenames)


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """One small Spark for all tests."""
    import spark as peer
    session = peer.session("silt peers", tmp_path_factory.mktemp("spark") / "warehouse")
    yield session
    session.stop()


@pytest.fixture
def without_spark():
    """For a test that starts a Spark of its own: two at once are too much for a small machine."""


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path / "project")
    yield made
    made.stop_all()
