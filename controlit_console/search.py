"""Search: finds the controller, the first time while the console is still being loaded."""

from concurrent.futures import Future

from controlit_ros.client.connecting import connect
from controlit_ros.client.robot import Robot
from controlit_ros.running_thread import running_thread
from controlit_ros.transport import Transport

PATIENCE = 2.0  # [s] for one attempt


class Search:
    """Begins to look at once: who else is there is known after half a second.

    Args:
        transport: Where to look.
        name: Of the controller; `None`: the only one there is.
    """

    def __init__(self, transport: Transport, name: str | None) -> None:
        self._transport = transport
        self._name = name
        begun: Future[Robot] = Future()
        self._begun: Future[Robot] | None = begun
        running_thread(self._begin, "search", begun)  # which a process that ends does not wait for

    def find(self) -> Robot:
        """Return the controller.

        Raises:
            ControllerNotFoundError: No such controller runs now.
        """
        begun, self._begun = self._begun, None
        return self._look() if begun is None else begun.result()

    def _begin(self, begun: "Future[Robot]") -> None:
        try:
            begun.set_result(self._look())
        except Exception as error:  # noqa: BLE001 - who asks is told
            begun.set_exception(error)

    def _look(self) -> Robot:
        return connect(self._name, timeout=PATIENCE, until=None, transport=self._transport)
