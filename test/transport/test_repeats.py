"""What a best-effort subscription leaves out since a reliable one has delivered it."""

from controlit_ros.transport.repeats import KEPT, Repeats


def test_a_message_is_a_repeat_by_its_stamp_and_its_bytes():
    repeats = Repeats()
    repeats.note(7, b"goal")
    assert repeats.has(7, b"goal")
    assert not repeats.has(8, b"goal")  # the same goal, sent once more
    assert not repeats.has(7, b"other")  # of somebody else, at the same time


def test_memory_is_bounded():
    repeats = Repeats()
    for stamp in range(KEPT + 1):
        repeats.note(stamp, b"")
    assert not repeats.has(0, b"")
    assert repeats.has(KEPT, b"")
