"""Quality of service by parameters, and pairs that never hear of each other."""

import pytest

from controlit_ros.interfaces import new
from controlit_ros.transport import (
    COMMAND,
    GOAL,
    DeferredTransport,
    Durability,
    Qos,
)
from controlit_ros.transport.local import LocalTransport
from controlit_ros.transport.qos_overrides import QosOverrideError, QosOverrides

STRING = "std_msgs/msg/String"
BEST_EFFORT = Qos(reliable=False)


def test_what_is_chosen_replaces_what_the_program_asks_for():
    overrides = QosOverrides({
        "qos_overrides./arm/goal.subscription.reliability": "best_effort",
        "qos_overrides./arm/goal.subscription.depth": 7,
        "qos_overrides./arm/goal.publisher.durability": "transient_local",
    })  # fmt: skip
    assert overrides.of("/arm/goal", "subscription", COMMAND) == Qos(reliable=False, depth=7)
    latched = overrides.of("/arm/goal", "publisher", COMMAND)
    assert latched == Qos(depth=1, durability=Durability.TRANSIENT_LOCAL)
    assert overrides.of("/arm/other", "subscription", COMMAND) == COMMAND
    assert overrides.unused == ()


def test_who_states_a_reliability_gets_exactly_that():
    overrides = QosOverrides({
        "qos_overrides./arm/goal.subscription.reliability": "reliable",
        "qos_overrides./arm/other.subscription.depth": 3,
    })  # fmt: skip
    assert overrides.of("/arm/goal", "subscription", GOAL) == COMMAND
    assert overrides.of("/arm/other", "subscription", GOAL) == Qos(depth=3, adapts=True)


def test_what_no_topic_is_used_for_is_told_with_the_nearest():
    overrides = QosOverrides({
        "qos_overrides./arm/gaol.subscription.depth": 1,
        "qos_overrides./arm/goal.publisher.depth": 1,
    })  # fmt: skip
    overrides.of("/arm/goal", "subscription", COMMAND)
    misspelt, unused = sorted(overrides.unused)
    assert misspelt == (
        "qos_overrides./arm/gaol.subscription: this node has no subscription of /arm/gaol "
        "(did you mean '/arm/goal'?)"
    )
    assert unused == "qos_overrides./arm/goal.publisher: this node has no publisher of /arm/goal"


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("/goal.subscription.reliability", "besteffort", "(did you mean 'best_effort'?)"),
        ("/goal.subscription.reliability", True, "found true (valid names: best_effort, reliable)"),
        ("/goal.subscription.durability", "volatil", "(did you mean 'volatile'?)"),
        ("/goal.subscription.reliabilty", "reliable", "(did you mean 'reliability' or"),
        ("/goal.subscriber.depth", 1, "unknown 'subscriber'"),
        ("/goal.publisher.depth", 0, "found 0, expected an integer >= 1"),
        ("/goal.publisher.depth", True, "found true, expected an integer >= 1"),
        ("goal.publisher.depth", 1, "expected qos_overrides./TOPIC.subscription.reliability"),
        ("/goal", 1, "expected qos_overrides./TOPIC.subscription.reliability"),
    ],
)
def test_what_is_no_quality_is_named(name, value, text):
    with pytest.raises(QosOverrideError) as raised:
        QosOverrides({f"qos_overrides.{name}": value})
    assert text in str(raised.value)


def test_a_node_that_is_put_together_first_uses_it(request):
    chosen = {"qos_overrides./arm/goal.subscription.reliability": "best_effort"}
    heard = []
    with DeferredTransport("servo", "/arm", qos=QosOverrides(chosen)) as node:
        node.subscribe("goal", STRING, lambda message: heard.append(message.data))
        node.subscribe("other", STRING, lambda message: heard.append(message.data))
        opened = LocalTransport("servo", "/arm", domain=request.node.nodeid)
        node.open(opened)
        with LocalTransport("peer", domain=request.node.nodeid) as peer:
            for topic in ("goal", "other"):
                publisher = peer.publisher(f"/arm/{topic}", STRING, BEST_EFFORT)
                publisher.publish(new(STRING, data=topic))
            opened.settle()
    assert heard == ["goal"]
