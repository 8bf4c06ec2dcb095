"""Complaints: what tasks, contacts and controller have to say about what they do, as warnings."""

from collections.abc import Sequence

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers import WholeBodyController
from controlit_ros.servo.notice import NoticeBoard, NoticeLevel
from controlit_ros.tasks import DISABLE, Task

PERIOD = 0.1  # [s] often enough to be told before a robot leans


class Complaints:
    """Asks every part that may complain, some times a second; servo thread.

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

    def ask(self, model: ConstrainedModel, now: float) -> None:
        """Post what there is to complain about.

        Args:
            model: Whose contacts are asked that are enabled.
            now: Time on the servo's clock [s]; it may begin anew.
        """
        if 0.0 <= now - self._asked < PERIOD:
            return
        self._asked = now
        for task in self._tasks:
            if _may_complain(task) and _is_at_work(task):
                self._post(task.name, task.complaint(), now)
        for contact in model.constraints.contacts:
            if contact.is_enabled:
                self._post(contact.name, contact.complaint(model.robot_model), now)
        controller = self._controller.chosen
        self._post(controller.name, controller.complaint(), now)

    def _post(self, name: str, text: str, now: float) -> None:
        if text:
            self._notices.post(NoticeLevel.WARNING, f"complaint of {name}", text, now)


def _may_complain(task: Task) -> bool:
    return task.is_led or type(task).complaint is not Task.complaint


def _is_at_work(task: Task) -> bool:
    return bool(task.operational_state.value != DISABLE and task.active.valid)
