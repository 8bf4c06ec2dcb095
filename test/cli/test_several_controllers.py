"""Commands that find the services of two controllers say how to choose one."""

import io
import sys
import time

import pytest
from patience import GENEROUS

from controlit_ros.cli import controller_services
from controlit_ros.client.action_call import actions, find_action
from controlit_ros.client.network import NotFoundError, find_service, settled_graph
from controlit_ros.interfaces import new
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

RELOAD = "controlit/srv/ReloadTask"
MOVE = "controlit/action/MoveTask_SendGoal"


@pytest.fixture
def pair(request, monkeypatch):
    """Two controllers as far as a service and an action of each."""
    opened = []

    def join(name, namespace=""):
        opened.append(LocalTransport(name, namespace, domain=request.node.nodeid))
        return opened[-1]

    asked = []
    for name in ("left", "right"):

        def answer(message, name=name):
            asked.append((name, message.task))
            return new(f"{RELOAD}_Response", success=True)

        servo = join("servo", f"/{name}")
        servo.serve("control/reloadTask", RELOAD, answer)
        servo.serve("move_task/_action/send_goal", MOVE, lambda _: new(f"{MOVE}_Response"))
    monkeypatch.setattr(controller_services, "connect", lambda _: join("command"))
    yield join, asked
    for transport in opened:
        transport.close()


def test_a_command_names_the_option(pair, controlit):
    _, asked = pair
    code, _, err = controlit("task", "reload", "Lift")
    assert code == 1
    assert err == "several controllers run; choose with --controller: left, right\n"
    assert not asked
    code, out, err = controlit("task", "reload", "Lift", "--controller", "right")
    assert (code, out, err) == (0, "Lift is reloaded\n", "")
    assert asked == [("right", "Lift")]


class Terminal(io.StringIO):
    """Takes what is written to a terminal."""

    def isatty(self):
        return True


def test_a_terminal_is_told_what_is_waited_for(pair, controlit, monkeypatch):
    """The answer comes once it was shown that it is waited for."""
    join, _ = pair
    terminal, shown = Terminal(), "waiting for the answer of /slow/control/reloadTask ... "

    def answer(_message):
        end = time.monotonic() + GENEROUS
        while shown not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
        return new(f"{RELOAD}_Response", success=True)

    join("servo", "/slow").serve("control/reloadTask", RELOAD, answer)
    monkeypatch.setattr(sys, "stderr", terminal)
    code, out, _ = controlit("task", "reload", "Lift", "--controller", "slow")
    assert (code, out) == (0, "Lift is reloaded\n")
    assert shown in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")  # and taken away


def test_a_short_name_that_fits_two_asks_for_the_whole(pair):
    join, _ = pair
    network = join("look")
    with pytest.raises(NotFoundError) as caught:
        find_service(network, "reloadTask")
    assert str(caught.value) == (
        "the service 'reloadTask' may be /left/control/reloadTask or /right/control/reloadTask; "
        "give the whole name"
    )
    graph = settled_graph(network)
    with pytest.raises(NotFoundError, match="may be /left/move_task or /right/move_task; give the"):
        find_action(graph, "move_task")
    assert find_action(graph, "/left/move_task") in actions(graph)
