"""What the machine gives to a servo without work."""

import pytest

from controlit_ros.processes.idle_loop import measure_idle_loop
from controlit_ros.servo.real_time import NOT_REAL_TIME

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("frequency", [200.0, 500.0])
def test_it_runs_as_often_as_it_is_told(frequency):
    loop = measure_idle_loop(1.0, frequency, NOT_REAL_TIME)
    assert 0.5 * frequency < loop.summary.rate < 1.1 * frequency
    assert loop.summary.cycles <= 1.1 * frequency * 1.5
    assert sum(loop.summary.late) == loop.summary.cycles
    assert 0.0 < loop.processor < 1.0
    assert loop.overruns == loop.summary.overruns / loop.summary.cycles
