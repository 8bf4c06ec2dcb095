"""`benchmarks/clients.py`: programs come, change tasks and go; a moving Talos stays as it was."""

from pathlib import Path

import pytest
from dds_isolation import ISOLATION
from robots_for_tests import needs_example_robots

from controlit_bench.clients import measure_clients

pytestmark = pytest.mark.processes

PATIENT = Path(__file__).parents[1] / "cli" / "patient_console.py"


@needs_example_robots
def test_programs_in_turn_and_at_once_leave_nothing_behind(monkeypatch):
    pytest.importorskip("cyclonedds")
    monkeypatch.setenv("CYCLONEDDS_URI", ISOLATION)
    monkeypatch.setattr("controlit_ros.processes.child_process.COMMANDS", (str(PATIENT),))
    clients, windows = measure_clients(quick=True, frequency=100.0)
    rows = clients.as_dict()["rows"]
    assert [row["additions and removals [-]"] for row in rows] == [3, 10]
    for row in rows:
        assert row["errors [-]"] == 0
        assert row["tasks as before"] == "yes"
        assert row["endpoints more [-]"] == 0
        assert row["base moved [mm]"] < 100.0  # it stands
    assert [row["windows [-]"] for row in windows.as_dict()["rows"]] == [2, 2, 2]
