"""Who stood still does not take the command that lay there meanwhile for a new one."""

from types import SimpleNamespace

import numpy as np
import pytest
from robots_for_tests import REPOSITORY

from controlit_ros.nodes import robot_topics
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.robot_topics import TopicRelay
from controlit_ros.robots import simulation_server
from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.layout import command_layout, state_layout
from controlit_ros.robots.simulation_server import SimulationServer
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

STILL = REPOSITORY / "test" / "cli" / "controllers" / "still.yaml"
PERIOD = 0.001  # [s]


class Played:
    """A link and a clock that follow a script, step by step: what comes, and how long it takes."""

    def __init__(self, script, server):
        self.script = script
        self.server = server
        self.steps = 0
        self.now = 100.0
        self.waiting = False
        self.taken = []

    def monotonic(self):
        return self.now

    def sleep(self, duration):
        self.now += duration

    def open(self):
        pass

    def close(self):
        pass

    def tend(self):
        return True

    def receive(self, _vector):
        waiting, self.waiting = self.waiting, False
        return waiting

    def send(self, _vector):
        self.steps += 1
        comes, took = self.script.get(self.steps, (False, 0.0))
        self.waiting |= comes
        self.now += took
        self.server().stopped = self.steps == max(self.script) + 5


@pytest.mark.parametrize(("took", "applied"), [(0.0, 1), (0.09, 1), (0.2, 0), (20.0, 0)])
def test_a_simulator(monkeypatch, took, applied):
    frames = []
    state = SimpleNamespace(vector=np.zeros(3), stamp=0.0)
    simulation = SimpleNamespace(
        setup=SimpleNamespace(
            servo_frequency=1000.0,
            command_names=("a",),
            create_state=lambda: SimpleNamespace(vector=np.zeros(3), stamp=0.0),
        ),
        options=SimpleNamespace(timestep=PERIOD, command_timeout=0.1),
        apply_frame=frames.append,
        step=lambda: None,
        latest=lambda: state,
        time=0.0,
    )
    played = Played({10: (True, took), 20: (True, 0.0)}, lambda: server)
    monkeypatch.setattr(simulation_server, "time", played)
    server = SimulationServer(simulation, played)
    server.run()
    assert len(frames) == applied + 1


@pytest.mark.parametrize("age", [0.0, 1.0])
def test_a_relay(channel_name, monkeypatch, request, poll, age):
    stack = load_stack(
        STILL, {"robot_interface_type": "Topic", "robot_interface.channel": channel_name}
    )
    interface = stack.robot_interface
    servo = ChannelLink(
        channel_name, state_layout(interface.setup), command_layout(interface.setup)
    )
    servo.open()
    frame = CommandFrame(len(interface.setup.command_names))
    frame.vector[0] = 1.0
    came = []
    with LocalTransport("relay", "/stale", domain=request.node.nodeid) as transport:
        topics = interface.topics
        transport.subscribe(topics.command_topic, topics.command_type, came.append)
        relay = TopicRelay(topics, transport, lambda _text: None, 0.0)
        looked = ChannelLink.receive

        def receive(link, vector):
            """Find what came so long ago, however long the relay really stood still."""
            found = looked(link, vector)
            if found and link is relay._link:
                monkeypatch.setattr(ChannelLink, "silence", property(lambda _link: age))
            return found

        monkeypatch.setattr(ChannelLink, "receive", receive)
        relay.start()
        try:
            poll(lambda: relay._link._reader.attached)
            seen = relay._link.counts
            servo.send(frame.vector)
            poll(lambda: seen.received > 0)
        finally:
            relay.stop()
            servo.close()
        if age > robot_topics.COMMAND_AGE:
            transport.settle()
            assert not came
        else:
            poll(lambda: len(came) == 1)
