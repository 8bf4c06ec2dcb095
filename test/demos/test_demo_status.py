"""What a demonstration tells where there is no terminal."""

import pytest

from controlit_demos.running.demo_status import LineStatus, Snapshot

START = Snapshot(0.0, 37.0, "", "starts", (), None, None, "")


@pytest.fixture(name="written")
def make_written(monkeypatch):
    every_line_is_due = ("controlit_demos.running.demo_status.LINE_PERIOD", 0.0)  # [s]
    monkeypatch.setattr(*every_line_is_due)
    return []


def test_a_line_is_not_repeated(written):
    status = LineStatus(written.append)
    for servo in ("starts", "starts", "starts", "soft start", "soft start", "starts"):
        status.show(START._replace(servo=servo))
    assert [line.rpartition(", ")[2] for line in written] == ["starts", "soft start", "starts"]


def test_time_goes_on(written):
    status = LineStatus(written.append)
    for time in (0.0, 5.0, 10.0):
        status.show(START._replace(time=time))
    assert [line.strip().partition(" ")[0] for line in written] == ["0.0", "5.0", "10.0"]
