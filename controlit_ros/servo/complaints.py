"""Complaints: what tasks, contacts and controller have to say about what they do, as warnings."""

from collections.abc import Sequence

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.controllers import WholeBodyController
from controlit_ros.servo.notice import NoticeBoard, NoticeLevel
from controlit_ros.tasks import DISABLE, Task

PERIOD = 0.1  # [s] often enough to be told before a robot leans
LASTING = 5  # cycles in a row in which a contact has to complain: a sole that rocks by micrometres
# bears all on its edge in one cycle, and nothing in the next


class Complaints:
    """Asks every part that may complain, some times a second; servo thread.

    A contact that complains is asked in the next cycles as well, and told if it does so in each.

    Args:
        tasks: Those that are disabled are not asked.
        controller: The one that is chosen is asked.
        notices: Takes the warnings.
    """

    def __init__(
        self, tasks: Sequence[Task], controller: WholeBodyController, notices: NoticeBoard
    ) -> None:
        self._tasks = tasks
        self._controller = controller
        self._notices = notices
        self._asked = 0.0
        self._doubtful: list[ContactConstraint] = []
        self._looks = 0

    def ask(self, model: ConstrainedModel, now: float) -> None:
        """Post what there is to complain about.

        Args:
            model: Whose contacts are asked that are enabled.
            now: Time on the servo's clock [s]; it may begin anew.
        """
        if not (self._doubtful or 0.0 <= now - self._asked < PERIOD):
            self._asked = now
            self._ask_parts(now)
            self._doubtful, self._looks = list(model.constraints.contacts), 0
        if self._doubtful:
            self._ask_contacts(model, now)

    def _ask_parts(self, now: float) -> None:
        for task in self._tasks:
            if _may_complain(task) and _is_at_work(task):
                self._post(task.name, task.complaint(), now)
        controller = self._controller.chosen
        self._post(controller.name, controller.complaint(), now)

    def _ask_contacts(self, model: ConstrainedModel, now: float) -> None:
        """Ask those that have complained ever since they were asked at first."""
        self._looks += 1
        doubtful, self._doubtful = self._doubtful, []
        for contact in doubtful:
            text = contact.complaint(model.robot_model) if contact.is_enabled else ""
            if not text:
                continue
            if self._looks < LASTING:
                self._doubtful.append(contact)
            else:
                self._post(contact.name, text, now)

    def _post(self, name: str, text: str, now: float) -> None:
        if text:
            self._notices.post(NoticeLevel.WARNING, f"complaint of {name}", text, now)


def _may_complain(task: Task) -> bool:
    return task.is_led or type(task).complaint is not Task.complaint


def _is_at_work(task: Task) -> bool:
    return bool(task.operational_state.value != DISABLE and task.active.valid)
