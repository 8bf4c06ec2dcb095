"""Services below `diagnostics/`: the controller's inside, on request."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.configuration import ControllerParameters
from controlit_ros.constraints import Constraint
from controlit_ros.controllers import WholeBodyController
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import by_name, find_or_all, serve
from controlit_ros.introspection.parameter_info import (
    CONTROLLER,
    controller_infos,
    parameter_infos,
)
from controlit_ros.introspection.probe import Probe
from controlit_ros.introspection.robot_mirror import RobotMirror
from controlit_ros.model import RobotDescription, RobotModel, RobotState
from controlit_ros.parameters import ParameterReflection
from controlit_ros.servo import Outbox
from controlit_ros.tasks import Task
from controlit_ros.transport import Handler, Transport

PACKAGE = "controlit/srv"
JOINT_INDICES = f"{PACKAGE}/GetJointIndices"
BASE_VELOCITIES = (
    *(f"base_linear_{axis}" for axis in "xyz"),
    *(f"base_angular_{axis}" for axis in "xyz"),
)


class Inspected(NamedTuple):
    """What the services tell of.

    Attributes:
        robot: Structure of the robot.
        tasks: Those there are, in the order of the configuration.
        constraints: Likewise.
        controller: The whole-body controller, or what chooses from several.
        parts: Others with parameters: inequalities, robot interface, servo clock.
        parameters: What holds for the controller as a whole.
        configuration: Returns the configuration as YAML, defaults filled in.
    """

    robot: RobotDescription
    tasks: Sequence[Task]
    constraints: Sequence[Constraint]
    controller: WholeBodyController
    parts: Sequence[ParameterReflection]
    parameters: ControllerParameters
    configuration: Callable[[], str]


class DiagnosticsServices:
    """Answers questions about a controller (paper, appendix C).

    Args:
        inspected: The controller.
        state: The servo's robot state.
        lock: Held while a part comes or goes.
        outbox: Brings that state where it is asked for.
        clock_offset: Seconds from the servo's clock to ROS time.
        transport: Services are relative to its namespace.

    Attributes:
        probe: Brings the state.
    """

    def __init__(
        self,
        inspected: Inspected,
        state: RobotState,
        lock: AbstractContextManager[bool],
        outbox: Outbox,
        clock_offset: float,
        transport: Transport,
    ) -> None:
        robot = inspected.robot
        self._clock_offset = clock_offset
        self._robot = robot
        self._tasks = inspected.tasks
        self._constraints = inspected.constraints
        self._lock = lock
        self._controller = inspected.controller
        self._parts = (*inspected.controller.parts, *inspected.parts)
        self._parameters = inspected.parameters
        self._configuration = inspected.configuration
        self.probe = Probe(RobotMirror(robot, state, inspected.constraints), outbox)
        orders = {
            "getRealJointIndices": robot.real_joints,
            "getActuableJointIndices": robot.actuable_joints,
            "getCmdJointIndices": robot.command_joints,
        }
        for name, joints in orders.items():
            self._serve_joints(transport, name, joints)
        handlers: dict[str, Handler] = {
            "TaskParameters": self._task_parameters,
            "ConstraintParameters": self._constraint_parameters,
            "ConstraintJacobianMatrices": self._constraint_jacobians,
            "ControlItParameters": self._controlit_parameters,
            "WholeBodyControllers": self._whole_body_controllers,
            "ControllerConfiguration": self._controller_configuration,
        }
        for name, handler in handlers.items():
            serve(transport, f"diagnostics/get{name}", f"{PACKAGE}/Get{name}", handler)

    def _serve_joints(self, transport: Transport, name: str, joints: tuple[str, ...]) -> None:
        indices = self._robot.indices(joints)

        def handle(_request: Message) -> Message:
            return new(f"{JOINT_INDICES}_Response", names=list(joints), indices=indices)

        transport.serve(f"diagnostics/{name}", JOINT_INDICES, handle)

    def _task_parameters(self, request: Message) -> Message:
        tasks = find_or_all(request.task, by_name(self._tasks), "task")
        return new(
            f"{PACKAGE}/GetTaskParameters_Response",
            success=True,
            parameters=parameter_infos(tasks),
            tasks=[task.name for task in tasks],
            types=[type(task).__name__ for task in tasks],
            states=[task.operational_state.value for task in tasks],
            priorities=[task.priority.value for task in tasks],
        )

    def _constraint_parameters(self, request: Message) -> Message:
        constraints = find_or_all(request.constraint, by_name(self._constraints), "constraint")
        return new(
            f"{PACKAGE}/GetConstraintParameters_Response",
            success=True,
            parameters=parameter_infos(constraints),
            constraints=[constraint.name for constraint in constraints],
            types=[type(constraint).__name__ for constraint in constraints],
            states=[constraint.state for constraint in constraints],
        )

    def _constraint_jacobians(self, request: Message) -> Message:
        with self._lock:
            wanted = find_or_all(request.constraint, by_name(self._constraints), "constraint")
            names = {constraint.name for constraint in wanted}
            sample, mirror = self.probe.sample(), self.probe.row
        mirror.take(sample.values)
        mirror.model.update_dynamics(mirror.state)
        return new(
            f"{PACKAGE}/GetConstraintJacobianMatrices_Response",
            success=True,
            stamp=time_fields(mirror.state.stamp + self._clock_offset),
            velocities=[*BASE_VELOCITIES, *self._robot.real_joints],
            constraints=[
                _jacobian(c, mirror.model.robot_model)
                for c in mirror.constraints
                if c.name in names
            ],
        )

    def _controlit_parameters(self, request: Message) -> Message:
        infos: dict[str, Callable[[], list[Message]]] = {
            CONTROLLER: lambda: controller_infos(self._parameters),
            **{part.name: partial(parameter_infos, (part,)) for part in self._parts},
        }
        chosen = find_or_all(request.owner, infos, "owner")
        return new(
            f"{PACKAGE}/GetControlItParameters_Response",
            success=True,
            parameters=[info for owner in chosen for info in owner()],
        )

    def _whole_body_controllers(self, request: Message) -> Message:
        known = by_name(self._controller.alternatives)
        chosen = find_or_all(request.whole_body_controller, known, "whole-body controller")
        return new(
            f"{PACKAGE}/GetWholeBodyControllers_Response",
            success=True,
            parameters=parameter_infos(chosen),
            whole_body_controllers=[controller.name for controller in chosen],
            types=[type(controller).__name__ for controller in chosen],
            active=self._controller.chosen.name,
        )

    def _controller_configuration(self, _request: Message) -> Message:
        return new(
            f"{PACKAGE}/GetControllerConfiguration_Response", configuration=self._configuration()
        )


def _jacobian(constraint: Constraint, model: RobotModel) -> dict[str, Any]:
    rows, columns = constraint.dimension, model.description.nv
    jacobian, bias = np.zeros((rows, columns)), np.zeros(rows)
    constraint.update(model, jacobian, bias)
    return {
        "name": constraint.name,
        "type": type(constraint).__name__,
        "enabled": constraint.is_enabled,
        "rows": rows,
        "columns": columns,
        "jacobian": jacobian.reshape(-1),
        "bias": bias,
    }
