"""What readers of topics keep is bounded, however long they are starved."""

import numpy as np
import pytest

from controlit_ros.cli.arrival_times import ArrivalTimes
from controlit_ros.cli.message_stream import MessageStream, SilenceError


class Transport:
    """Hands messages on at once."""

    def subscribe(self, topic, type_name, callback, qos):
        self.send = callback

    def subscribe_raw(self, topic, type_name, callback, qos):
        self.send = callback


@pytest.mark.parametrize("sent", [3, 10, 11, 1000])
def test_the_oldest_messages_give_way_are_counted_and_told(capsys, sent):
    transport = Transport()
    stream = MessageStream(transport, capacity=10)
    stream.subscribe("/a", "std_msgs/msg/String", None)
    for number in range(sent):
        transport.send(number)
    kept = min(sent, 10)
    taken = [arrival.message for arrival in stream.messages(kept, timeout=5.0)]
    assert taken == list(range(sent))[-kept:]
    assert stream.dropped == sent - kept
    told = capsys.readouterr().err
    assert (f"{sent - kept} messages were too many" in told) == (sent > kept)
    with pytest.raises(SilenceError):
        stream.next(0.0)


def test_hz_keeps_instants_only_and_no_more_than_its_window():
    transport, times = Transport(), ArrivalTimes(window=100)
    assert times.last is None
    times.subscribe(transport, "/a", "std_msgs/msg/String", None)
    for _ in range(5000):
        transport.send(b"x" * 1000, 0.0)
    assert len(times.instants) == 100
    assert (np.diff(times.instants) >= 0.0).all()
    assert times.last == times.instants[-1]
