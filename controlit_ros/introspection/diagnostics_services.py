"""Services below `diagnostics/`: the controller's inside, on request."""

from collections.abc import Sequence
from io import StringIO
from typing import Any

from ruamel.yaml import YAML

from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import Message, new
from controlit_ros.model import RobotDescription
from controlit_ros.parameters import Access, Parameter
from controlit_ros.tasks import Task
from controlit_ros.transport import Transport

JOINT_INDICES = "controlit/srv/GetJointIndices"
TASK_PARAMETERS = "controlit/srv/GetTaskParameters"
CONFIGURATION = "controlit/srv/GetControllerConfiguration"


class DiagnosticsServices:
    """Answers questions about a controller (paper, appendix C).

    Args:
        robot: Structure of the robot.
        tasks: The controller's tasks.
        configuration: The controller's configuration as YAML.
        transport: Services are relative to its namespace.
    """

    def __init__(
        self,
        robot: RobotDescription,
        tasks: Sequence[Task],
        configuration: str,
        transport: Transport,
    ) -> None:
        self._robot = robot
        self._tasks = {task.name: task for task in tasks}
        self._configuration = configuration
        orders = {
            "getRealJointIndices": robot.real_joints,
            "getActuableJointIndices": robot.actuable_joints,
            "getCmdJointIndices": robot.command_joints,
        }
        for name, joints in orders.items():
            self._serve_joints(transport, name, joints)
        transport.serve("diagnostics/getTaskParameters", TASK_PARAMETERS, self._task_parameters)
        transport.serve(
            "diagnostics/getControllerConfiguration", CONFIGURATION, self._controller_configuration
        )

    def _serve_joints(self, transport: Transport, name: str, joints: tuple[str, ...]) -> None:
        indices = self._robot.indices(joints)

        def handle(_request: Message) -> Message:
            return new(f"{JOINT_INDICES}_Response", names=list(joints), indices=indices)

        transport.serve(f"diagnostics/{name}", JOINT_INDICES, handle)

    def _task_parameters(self, request: Message) -> Message:
        type_name = f"{TASK_PARAMETERS}_Response"
        if request.task and request.task not in self._tasks:
            hint = did_you_mean(request.task, self._tasks)
            return new(type_name, success=False, message=f"unknown task {request.task!r}{hint}")
        tasks = [self._tasks[request.task]] if request.task else list(self._tasks.values())
        return new(
            type_name,
            success=True,
            parameters=[parameter_info(p) for task in tasks for p in task.parameters.values()],
            tasks=[task.name for task in tasks],
            types=[type(task).__name__ for task in tasks],
            states=[task.operational_state.value for task in tasks],
            priorities=[task.priority.value for task in tasks],
        )

    def _controller_configuration(self, _request: Message) -> Message:
        return new(f"{CONFIGURATION}_Response", configuration=self._configuration)


def parameter_info(parameter: Parameter) -> Message:
    """Return a parameter as controlit/msg/ParameterInfo."""
    return new(
        "controlit/msg/ParameterInfo",
        owner=parameter.owner,
        name=parameter.name,
        type=parameter.kind.value,
        shape=[-1 if n is None else n for n in parameter.shape],
        unit=parameter.unit,
        description=parameter.description,
        read_only=parameter.access is not Access.RUN_TIME,
        value=flow_text(parameter.snapshot()),
    )


def flow_text(value: Any) -> str:
    """Return a plain value as one line of YAML."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = True
    yaml.width = 1_000_000
    stream = StringIO()
    yaml.dump(value, stream)
    return stream.getvalue().removesuffix("...\n").strip()
