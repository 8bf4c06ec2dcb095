"""What the machine gives to a servo without work."""

import os
import sys

import pytest

from controlit_ros.errors import ControlItError
from controlit_ros.processes import idle_loop
from controlit_ros.processes.idle_loop import measure_idle_loop
from controlit_ros.servo.real_time import NOT_REAL_TIME

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("frequency", [200.0, 500.0])
def test_it_runs_as_often_as_it_is_told(frequency):
    loop = measure_idle_loop(1.0, frequency, NOT_REAL_TIME)
    assert 0.5 * frequency < loop.summary.rate < 1.1 * frequency
    assert loop.summary.cycles <= 1.1 * frequency * 1.5
    assert sum(loop.summary.late) == loop.summary.cycles - loop.summary.cycles // 2
    assert 0.0 < loop.processor < 1.0
    assert loop.overruns == loop.summary.overruns / loop.summary.cycles


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (("-c", "import os; os.kill(os.getpid(), 9)"), "SIGKILL"),
        (("-c", "raise OSError('no thread')"), "OSError: no thread"),
        (("-c", "print('nonsense')"), "Expecting value"),
        (("-c", "import time; time.sleep(60)"), "timed out"),
    ],
)
def test_what_went_wrong_is_told(program, told, monkeypatch):
    monkeypatch.setattr(idle_loop, "PROGRAM", program)
    monkeypatch.setattr(idle_loop, "PATIENCE", 0.5)
    with pytest.raises(ControlItError, match=told):
        measure_idle_loop(0.5)


def test_who_asks_is_not_run_again(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "from controlit_ros.processes.idle_loop import measure_idle_loop\n"
        "print('ran', measure_idle_loop(0.2).summary.cycles > 0)\n"
    )
    out = os.popen(f"{sys.executable} {program}").read()
    assert out == "ran True\n"
