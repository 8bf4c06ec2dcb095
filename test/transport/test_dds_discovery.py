"""What must not be overlooked when nodes come at the same time."""

import threading
from contextlib import suppress
from uuid import uuid4

import pytest

pytest.importorskip("cyclonedds")

from cyclonedds.pub import DataWriter

from controlit_ros.interfaces import new
from controlit_ros.transport import DEFAULT, LATCHED

pytestmark = pytest.mark.processes

STRING = "std_msgs/msg/String"
MEANWHILE = 0.3  # [s] for another thread to count a subscription, or to wait for its turn


@pytest.fixture
def delayed_first_look(monkeypatch, poll):
    """Let what a function does happen between a publisher's first look for subscriptions and its
    answer, as where the thread that makes the publisher has to wait for the interpreter."""
    look = DataWriter.get_publication_matched_status
    actions = []

    def delayed(writer):
        status = look(writer)
        if actions and threading.current_thread() is threading.main_thread():
            actions.pop()()
            poll(writer.get_matched_subscriptions)
            threading.Event().wait(MEANWHILE)
        return status

    monkeypatch.setattr(DataWriter, "get_publication_matched_status", delayed)
    return actions


def test_a_subscription_discovered_while_a_publisher_is_made_counts(dds, delayed_first_look, poll):
    here, there = dds.open("here"), dds.open("there")
    delayed_first_look.append(lambda: there.subscribe("late", STRING, print, DEFAULT))
    publisher = here.publisher("late", STRING, DEFAULT)
    assert delayed_first_look == []
    assert poll(publisher.subscriber_count) == 1


OUTPUTS, INPUTS, SERVICES = 27, 8, 28  # about what a controller has
ROUNDS = 3


class Crowd:
    """A process that makes a crowded node whenever it is told to."""

    def __init__(self, peer):
        self.namespace = f"/n{uuid4().hex[:8]}"
        self.lines = []
        counts = map(str, (OUTPUTS, INPUTS, SERVICES))
        self._process = peer("crowded.py", self.namespace, *counts)
        threading.Thread(target=self._collect, daemon=True).start()

    def tell(self, text):
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()

    def _collect(self):
        with suppress(ValueError):  # closed at the end of the test
            self.lines.extend(iter(self._process.stdout.readline, ""))

    def is_seen(self, graph):
        node = graph.node(f"{self.namespace}/servo")
        counts = node and (len(node.publishers), len(node.subscriptions), len(node.services))
        return counts == (OUTPUTS, INPUTS, SERVICES)


@pytest.fixture
def crowds(peer, poll):
    """Two processes that are ready to make their nodes at the same time."""
    made = [Crowd(peer), Crowd(peer)]
    poll(lambda: all("ready\n" in crowd.lines for crowd in made))
    return made


def listen(watcher, crowd):
    """Return the outputs that the node of a crowd is heard on from now on."""
    heard = set()
    for number in range(OUTPUTS):
        topic = f"{crowd.namespace}/output_{number}"
        watcher.subscribe(topic, STRING, lambda _, topic=topic: heard.add(topic), LATCHED)
    return heard


def test_nodes_that_start_at_the_same_time_are_seen_whole(dds, crowds, poll):
    watcher = dds.open("watcher")
    goals = {
        (crowd, goal): watcher.publisher(f"{crowd.namespace}/goal_{goal}", STRING, DEFAULT)
        for crowd in crowds
        for goal in range(INPUTS)
    }

    def are_seen():
        graph = watcher.graph()
        return graph.is_complete and all(crowd.is_seen(graph) for crowd in crowds)

    def send(number):
        for (_, goal), publisher in goals.items():
            publisher.publish(new(STRING, data=f"{number} {goal}"))
        wanted = {f"{number} {goal}\n" for goal in range(INPUTS)}
        return all(wanted <= set(crowd.lines) for crowd in crowds)

    for number in range(ROUNDS):
        heard = [listen(watcher, crowd) for crowd in crowds]
        for crowd in crowds:
            crowd.tell("go")
        poll(are_seen)
        poll(lambda heard=heard: all(len(topics) == OUTPUTS for topics in heard))
        poll(lambda number=number: send(number))
        for crowd in crowds:
            crowd.tell("close")
        poll(lambda: not any(crowd.is_seen(watcher.graph()) for crowd in crowds))


def test_a_graph_with_gaps_says_so(dds, poll):
    """An announcement that names an endpoint nobody has seen yet."""
    watcher, other = dds.open("watcher"), dds.open("other")
    poll(lambda: watcher.graph().node("/other") and watcher.graph().is_complete)
    promised = bytes(range(16))
    other._discovery.add({promised: True})
    poll(lambda: not watcher.graph().is_complete)
    assert watcher.graph() == watcher.graph()
    other._discovery.remove(promised)
    poll(lambda: watcher.graph().is_complete)
