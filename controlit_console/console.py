"""Console: finds a controller, shows it on every page, and takes their wishes to it."""

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from viser import ClientHandle

from controlit_console.bag import Bag
from controlit_console.control_desk import ControlDesk
from controlit_console.feed import Feed
from controlit_console.framing import Framing
from controlit_console.gated_server import GatedServer
from controlit_console.goal_handles import Board, GoalHandles, HandleBoard, tasks_of
from controlit_console.latching import latch
from controlit_console.marker_nodes import MarkerNodes
from controlit_console.moments import Moments
from controlit_console.page import Action, Page
from controlit_console.pages import PERIOD, Pages
from controlit_console.panels.page_panels import add_panels
from controlit_console.robot_figure import RobotFigure
from controlit_console.search import Search
from controlit_console.seen import NOTHING
from controlit_console.seen_marker import read_markers
from controlit_console.step_board import StepBoard
from controlit_console.trails import Trails
from controlit_console.tried import Tried
from controlit_ros.client import ControllerLostError, Robot, Step
from controlit_ros.errors import ControlItError
from controlit_ros.running_thread import running_thread

_Found = TypeVar("_Found")

GROUND: dict[str, Any] = {
    "cell_color": (178, 182, 188),
    "section_color": (140, 145, 152),
    "cell_thickness": 0.6,
    "section_thickness": 0.8,
    "shadow_opacity": 0.0,
    "infinite_grid": True,
    "fade_distance": 20.0,
}
"""Lines that are seen on either look, draw no eye from the robot, and end nowhere that it walks."""
PICTURE_PERIOD = 1.0 / 30.0  # [s]
GONE = "The controller is gone."
ENDED = "The console has ended."


class Console:
    """Serves pages until it is told to end.

    Args:
        server: Of the page.
        search: Finds the controller.
        control: Who may command.
        bag: Records.

    Attributes:
        control: Who may command.
        bag: Records.
    """

    def __init__(
        self,
        server: GatedServer,
        search: Search,
        control: ControlDesk,
        bag: Bag,
    ) -> None:
        self.control = control
        self.bag = bag
        self._server = server
        self._search = search
        self._feed: Feed | None = None
        self._lock = threading.Lock()
        self._pages = Pages()
        self._handles: dict[int, GoalHandles] = {}
        self._steps: dict[int, tuple[StepBoard, GoalHandles]] = {}
        scene = server.scene
        scene.add_grid("/ground", cell_size=0.25, section_size=1.0, **GROUND)
        scene.configure_default_lights(cast_shadow=False)  # tablets draw no shadows in time
        self._markers = MarkerNodes(scene)
        self._trails = Trails(scene)
        self._view = Framing(server)
        server.on_client_connect(self._welcome)
        server.on_client_disconnect(self._farewell)

    def run(self, is_over: Callable[[], bool]) -> None:
        """Show the controller while it is there, and wait for it while it is not."""
        with self._pages:
            while not is_over():
                try:
                    self._find_and_follow(is_over)
                except ControlItError as error:
                    self.control.disarm()
                    self._show_nothing(str(error))
            self._show_nothing(ENDED)
        self.bag.stop()

    def act(self, action: Action) -> None:
        """Do something with the controller.

        Raises:
            ControlItError: It refuses, with its reason, or is not there.
        """
        action(self._robot())

    def with_robot(self, use: Callable[[Robot], _Found]) -> _Found:
        """Return what is made of the controller.

        Raises:
            ControlItError: It refuses, with its reason, or is not there.
        """
        return use(self._robot())

    def stop(self) -> str:
        """Latch every goal to where the robot is, in one cycle, and disarm; return what was done.

        The robot stays under control, so it goes on standing.
        """
        self.control.disarm()
        for page in self._pages.all():
            page.player.halt()  # or it would go on sending goals
        try:
            return self._latch(None)
        except ControlItError as error:
            return f"The stop failed: {error}"

    def look_again(self) -> None:
        """Ask at once what parts there are now."""
        feed = self._feed
        if feed is not None:
            feed.look_at_all()
            feed.look()

    def _latch(self, only: list[str] | None) -> str:
        feed = self._feed
        if feed is None:
            raise ControllerLostError("there is no controller")
        tasks = [task for task in feed.parts.tasks if only is None or task.name in only]
        return latch(feed.robot, tasks)

    def _robot(self) -> Robot:
        feed = self._feed
        if feed is None:
            raise ControllerLostError("there is no controller")
        return feed.robot

    def _find_and_follow(self, is_over: Callable[[], bool]) -> None:
        with self._search.find() as robot, Feed(robot) as feed:
            self._follow(feed, is_over)

    def _follow(self, feed: Feed, is_over: Callable[[], bool]) -> None:
        """Show a controller until it is lost."""
        link = feed.robot.session.link
        board, moments, body = HandleBoard(link), Moments(feed), RobotFigure(self._server.scene)
        tried = Tried(feed)
        try:
            feed.look()
            board.ask()
            self._feed = feed
            self._view.forget()
            feed.note("page", f"{feed.robot.name} is there.")
            while not is_over():
                begin = time.monotonic()
                link.check()
                if begin - self._pages.seen.time > PERIOD:
                    tried(lambda: self._see(moments))
                with self._server.atomic():  # one wake of viser's thread for all that moves
                    tried(lambda: body.draw(feed.description, moments))
                    self._markers.ghosts = frozenset(feed.postures if body.has_ghost else ())
                    tried(lambda: self._draw_shown(feed))
                self._server.flush()
                tried(lambda: self._view.frame(body.places(), self._following()))
                tried(lambda: self._draw_handles(feed, board))
                tried(lambda: self._draw_steps(feed, body))
                time.sleep(max(0.0, begin + PICTURE_PERIOD - time.monotonic()))
        finally:
            self._feed = None
            self._show_nothing(GONE)  # before the scene is empty: to take leave needs its time
            board.close()
            self._clear(body)

    def _show_nothing(self, complaint: str) -> None:
        self._pages.seen = NOTHING._replace(time=time.monotonic(), complaint=complaint)

    def _draw_shown(self, feed: Feed) -> None:
        while feed.markers:
            markers = read_markers(feed.markers.popleft())
            if not feed.markers or any(marker.action for marker in markers):
                self._markers.show(markers)
                self._trails.follow(markers, time.monotonic())

    def _draw_handles(self, feed: Feed, board: HandleBoard) -> None:
        while feed.handles:
            board.follow(feed.handles.popleft())
        for page in self._pages.all():
            wanted = self.control.has(page.number) and self.control.is_armed
            self._handles_of(page, board).show(are_wanted=wanted)

    def _draw_steps(self, feed: Feed, body: RobotFigure) -> None:
        for page in self._pages.all():
            wanted = self.control.has(page.number) and self.control.is_armed
            board, handles = self._steps_of(page)
            if wanted:
                board.look(feed.parts, body.link)
            handles.show(are_wanted=wanted)

    def _steps_of(self, page: Page) -> tuple[StepBoard, GoalHandles]:
        with self._lock:
            known = self._steps.get(page.number)
            if known is None:
                board = StepBoard(lambda walking, step: _ask_for_step(page, walking, step))
                known = board, self._new_handles(page, board)
            if page.number in self._server.get_clients():
                self._steps[page.number] = known
        return known

    def _clear(self, body: RobotFigure) -> None:
        self._markers.clear()
        self._trails.clear()
        body.remove()
        with self._lock:
            handles, self._handles = list(self._handles.values()), {}
            handles += [shown for _, shown in self._steps.values()]
            self._steps = {}
        for shown in handles:
            shown.show(are_wanted=False)

    def _following(self) -> list[int]:
        return [page.number for page in self._pages.all() if page.follows]

    def _see(self, moments: Moments) -> None:
        self._pages.seen = moments.look()

    def _handles_of(self, page: Page, board: HandleBoard) -> GoalHandles:
        with self._lock:
            handles = self._handles.get(page.number) or self._new_handles(page, board)
            if page.number in self._server.get_clients():
                self._handles[page.number] = handles
        return handles

    def _new_handles(self, page: Page, board: Board) -> GoalHandles:
        number = page.number
        return GoalHandles(
            page.client,
            board,
            lambda: self.control.may_move(number),
            lambda: number in self._server.get_clients(),
        )

    def _welcome(self, client: ClientHandle) -> None:
        page = Page(client, self)
        page.set_dark(is_dark=False)
        add_panels(page)
        with self._lock:
            if page.number not in self._server.get_clients():
                return  # it left while it was furnished, and nobody will say so again
            self._pages.add(page)
            self.control.enter(page.number)
        self._view.welcome(client)

    def _farewell(self, client: ClientHandle) -> None:
        """Forget a page; what it held stops where the robot is."""
        number = client.client_id
        for page in self._pages.all():
            if page.number == number:
                page.player.halt()
        with self._lock:
            self._pages.remove(number)
            handles = self._handles.pop(number, None)
            self._steps.pop(number, None)
            self.control.leave(number)
        if handles is not None and handles.dragged:
            threading.Thread(
                target=self._let_go, args=(handles.dragged,), name="let go", daemon=True
            ).start()

    def _let_go(self, handle: str) -> None:
        try:
            text = self._latch(tasks_of(handle))
        except ControlItError as error:
            text = f"The stop failed: {error}"
        if (feed := self._feed) is not None:
            feed.note("page", f"The page that held {handle} is gone. {text}")


def _ask_for_step(page: Page, walking: str, step: Step) -> None:
    """Ask for a step in a thread of its own: the page's own waits for nobody."""

    def make(robot: Robot) -> None:
        robot.make_steps([step], walking)

    told = f"The {step.foot} foot steps to where it was dragged."
    running_thread(lambda: page.act(make, told, moves=True), "step")
