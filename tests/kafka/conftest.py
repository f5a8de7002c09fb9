import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))
from broker import Broker  # noqa: E402
from driver import SILT, Project  # noqa: E402


def pytest_configure(config):
    if not Path(SILT).exists():
        pytest.exit(f"no {SILT}: build first, or set SILT", 2)
    if not os.environ.get("SILT_KAFKA_JARS"):
        pytest.exit("SILT_KAFKA_JARS names no folder: tools/run-tests kafka fetches the broker's jars", 2)


@pytest.fixture(scope="session")
def broker(tmp_path_factory):
    """One broker for all tests."""
    made = Broker(tmp_path_factory.mktemp("kafka") / "broker", os.environ["SILT_KAFKA_JARS"])
    made.start()
    yield made
    made.stop()


@pytest.fixture
def own_broker(tmp_path):
    """A broker for a test that stops it."""
    made = Broker(tmp_path / "broker", os.environ["SILT_KAFKA_JARS"])
    made.start()
    yield made
    made.stop()


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path / "project")
    yield made
    made.stop_all()
