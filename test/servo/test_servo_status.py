"""Who looks at a servo from another process sees what it wrote, and nothing else."""

import pytest
from forked import forked

from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.servo_status import I_REFUSED, ServoStatus
from controlit_ros.servo.shared_memory import shared_memory

pytestmark = pytest.mark.processes

LOOKS = 1_000_000
WRITTEN = (CoordinatorState.ACTIVE, *range(1, I_REFUSED + 1))


def test_a_number_is_whole_whenever_it_is_read():
    status, is_over = ServoStatus(shared_memory), shared_memory(1)
    status.write(*WRITTEN)

    def write():
        while not is_over[0]:
            status.write(*WRITTEN)

    numbers = status.numbers
    with forked(write):
        first = {numbers[0] for _ in range(LOOKS)}
        last = {numbers[I_REFUSED] for _ in range(LOOKS)}
        is_over[0] = 1
    assert (first, last) == ({1.0}, {float(I_REFUSED)})
    assert status.state is CoordinatorState.ACTIVE
