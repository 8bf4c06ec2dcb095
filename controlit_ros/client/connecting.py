"""connect: from the name of a controller to its robot."""

import itertools
import os
from collections.abc import Callable

from controlit_ros.client.beat import Beat, WallBeat
from controlit_ros.client.client_errors import ClientError, ControllerNotFoundError
from controlit_ros.client.link import ControllerLink
from controlit_ros.client.network import HIDDEN, LITTLE_PATIENCE, domain, settled_graph, wait_for
from controlit_ros.client.robot import Robot
from controlit_ros.client.session import Session
from controlit_ros.client.simulated_beat import SimulatedBeat, SteppedController
from controlit_ros.errors import did_you_mean
from controlit_ros.transport import Transport, open_transport

PATIENCE = 10.0  # [s] for a controller that starts at the same time
GOAL_RATE = 100.0  # [Hz] enough for the servo's feed-forward to follow
FASTEST = 1000.0  # [Hz]
MARK = "/diagnostics/getBindings"
"""Service by which a controller is known."""

_numbers = itertools.count()


def connect(
    controller: str | SteppedController | None = None,
    *,
    timeout: float = PATIENCE,
    until: str | None = "active",
    reconnect: bool = False,
    rate: float = GOAL_RATE,
    transport: str | Transport | None = None,
    beat: Beat | None = None,
) -> Robot:
    """Connect to a running controller.

    Args:
        controller: Its name; may be left out if only one runs. Or a `SimulatedController` of this
            process, whose time passes while the program waits.
        timeout: How long to wait for it [s].
        until: State to wait for as well; `None`: any.
        reconnect: Whether to find it again when it was lost; motions under way end in any case.
        rate: Goals per second and task of motions [Hz].
        transport: Name of the transport, by default as `CONTROLIT_TRANSPORT` and what is installed
            say; or an open one, which stays open.
        beat: Time to live in; by default that of the wall.

    Raises:
        ControllerNotFoundError: No such controller runs; the text has the nearest.
        WaitTimeoutError: It is not in that state in time.
        TransportError: There is no such transport, or it cannot be opened.
    """
    if not 0.0 < rate <= FASTEST:
        raise ClientError(f"rate: found {rate:g}, expected more than 0 and up to {FASTEST:g} [Hz]")
    if controller is not None and not isinstance(controller, str):
        transport, beat, controller = controller.transport, SimulatedBeat(controller), None
    time = WallBeat() if beat is None else beat
    if transport is None or isinstance(transport, str):
        name = f"{HIDDEN}controlit_client_{os.getpid()}_{next(_numbers)}"
        network = open_transport(name, name=transport)
        close_network: Callable[[], None] = network.close
    else:
        network, close_network = transport, _nothing

    def open_session() -> Session:
        link = ControllerLink(network, find_controller(network, controller, timeout), time)
        try:
            if until is not None:
                link.wait(lambda: link.watch.state == until, timeout, f"the state {until}")
            return Session(link, rate)
        except BaseException:
            link.close()
            raise

    def close() -> None:
        time.close()
        close_network()

    try:
        return Robot(open_session, close, reconnect=reconnect)
    except BaseException:
        close()
        raise


def find_controller(transport: Transport, name: str | None, timeout: float) -> str:
    """Return the name of a controller that runs.

    Args:
        transport: Where to look.
        name: Of the controller; `None`: of the only one.
        timeout: How long to look [s]; less is enough to know that others run, but not this one.

    Raises:
        ControllerNotFoundError: There is none, or several and none was named.
    """

    def found() -> list[str]:
        served = transport.graph().served
        return [full.removesuffix(MARK).strip("/") for full in served if full.endswith(MARK)]

    wanted = None if name is None else name.strip("/")

    def is_there() -> bool:
        return bool(found()) if wanted is None else wanted in found()

    wait_for(lambda: bool(found()), timeout)
    wait_for(is_there, min(timeout, LITTLE_PATIENCE))
    if wanted is not None and is_there():
        return wanted
    settled_graph(transport)
    known = found()
    if wanted in known:
        return str(wanted)
    if not known:
        raise ControllerNotFoundError(f"no controller runs in {domain()}")
    if wanted is not None:
        raise ControllerNotFoundError(
            f"there is no controller {wanted!r}{did_you_mean(wanted, known)}"
        )
    if len(known) > 1:
        raise ControllerNotFoundError(f"several controllers run, name one: {', '.join(known)}")
    return known[0]


def _nothing() -> None:
    """Leave it open: it belongs to somebody else."""
