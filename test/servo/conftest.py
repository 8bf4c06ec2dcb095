"""Settings of the tests of the servo."""

import pytest
from patience import GENEROUS

from controlit_ros.servo import servo_thread, shared_receipt, updater


@pytest.fixture(autouse=True)
def threads_may_take_their_time(monkeypatch):
    """Give up no thread or process that a busy machine keeps from coming to its end."""
    monkeypatch.setattr(servo_thread, "STOP_PATIENCE", GENEROUS)
    monkeypatch.setattr(updater, "STOP_PATIENCE", GENEROUS)
    monkeypatch.setattr(shared_receipt, "VERDICT_PATIENCE", GENEROUS)
