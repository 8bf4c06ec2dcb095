"""What a program tells of itself."""

import pytest

from controlit_demos.programs.demo_course import STATE_TOPIC, TEXT, DemoCourse
from controlit_ros.transport import LATCHED
from controlit_ros.transport.local import LocalTransport


@pytest.fixture
def nodes(request):
    """Return the node of a course, and one that hears it."""
    domain = request.node.nodeid
    with (
        LocalTransport("demo", "/arm", domain=domain) as transport,
        LocalTransport("peer", "/arm", domain=domain) as peer,
    ):
        yield transport, peer


def test_time_counts_from_the_first_phase(nodes):
    now = [7.0]
    course = DemoCourse(nodes[0], lambda: now[0])
    assert (course.origin, course.elapsed, course.phase) == (None, 0.0, "")
    now[0] = 9.0
    course.enter("reach")
    now[0] = 9.5
    course.enter("rest")
    assert (course.origin, course.elapsed, course.phase) == (9.0, 0.5, "rest")
    assert course.phases == [(0.0, "reach"), (0.5, "rest")]


def test_the_state_is_told_as_it_changes(nodes, poll):
    transport, peer = nodes
    heard, late = [], []
    course = DemoCourse(transport, lambda: 0.0)
    peer.subscribe(STATE_TOPIC, TEXT, lambda message: heard.append(message.data), LATCHED)
    course.enter("reach")
    poll(lambda: heard == ["reach"])
    for phase in ("reach", "rest", "rest"):
        course.enter(phase)
    poll(lambda: heard == ["reach", "rest"])
    peer.subscribe(STATE_TOPIC, TEXT, lambda message: late.append(message.data), LATCHED)
    poll(lambda: late == ["rest"])
