"""The tables that the Delta library alone writes, value by value, by delta-rs and by the bare log: see tests/delta/check_written.py."""
import subprocess
import sys
from pathlib import Path

import pytest
from driver import ROOT, SILT

SAMPLE = Path(SILT).parent / "src/delta/delta_sample"


def test_what_the_library_writes_is_read_by_others():
    if not SAMPLE.exists():
        pytest.skip(f"no {SAMPLE}: SILT is not in a build folder")
    done = subprocess.run([sys.executable, ROOT / "tests/delta/check_written.py", SAMPLE], text=True, capture_output=True, timeout=300)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["all values are right"]), done.stdout + done.stderr
