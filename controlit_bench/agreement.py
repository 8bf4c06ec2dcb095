"""Efforts of quadratic programs beside those of another solver, which is told the whole problem."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from controlit_bench.interior_point import optimum
from controlit_bench.peers import BAXTER, HANDS, POSTURE, without_meshes
from controlit_bench.problems import dreamer_content, example_robot, robot_content, stack_of
from controlit_bench.programs import TALOS, talos_content
from controlit_bench.section import Section
from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.whole_body_qp import WholeBodyQP
from controlit_ros.errors import ControlItError
from controlit_ros.model import RobotState
from controlit_ros.optimisation import (
    Formulation,
    contact_limits,
    effort_limits,
    formulated,
    level_objectives,
)
from controlit_ros.optimisation.control_problem import QuadraticProgram
from controlit_ros.optimisation.variables import Variables
from controlit_ros.solvers import QPError

PROBLEMS, QUICK = 1000, 12  # [#] of all robots and each prioritisation
REACHES = (0.02, 0.1, 1.0)  # [m] of goals; the last asks for more than limits leave
TURN = 0.2  # [rad] by which joints are off their posture
SPEED = 0.2  # [rad/s]
WEIGHT, REGULARISATION = 100.0, 1e-3
SIDES, MARGIN = 8, 0.05
DEPENDENT = 1e-8  # [-] of rows of length 1
NOTHING = 1e-9  # [-] of a row's length
ROOMS = (0.03, 0.2, 1.0)  # [-] of a joint's largest effort, beyond what holds the robot
ANY_EFFORT = 1e3  # [N m] of a joint without a limit
PRIORITISATIONS = ("Weighted", "Hierarchical")
PANDA = "panda_description/urdf/panda.urdf"
ICUB = "icub_description/robots/icub.urdf"
SOLO = "solo_description/robots/solo12.urdf"
ELBOWS = {
    "panda_joint2": 0.3, "panda_joint4": -2.0, "panda_joint6": 2.3, "panda_joint7": 0.8,
}  # fmt: skip
KNEES = {
    f"{side}_{joint}": angle
    for side in ("l", "r")
    for joint, angle in (("hip_pitch", 0.4), ("knee", -0.8), ("ankle_pitch", -0.4), ("elbow", 1.0))
}
CROUCH = {
    f"{leg}_{joint}": angle
    for leg, sign in (("FL", 1.0), ("FR", 1.0), ("HL", -1.0), ("HR", -1.0))
    for joint, angle in (("HFE", 0.8 * sign), ("KFE", -1.6 * sign))
}


class Judged(NamedTuple):
    """What became of a problem.

    Attributes:
        difference: Of the efforts from those of the other solver, in parts of 1 and the largest.
        residual: Of the equations of motion [N m].
        met: How many limits hold the efforts back.
    """

    difference: float
    residual: float
    met: int


def measure_agreement(*, quick: bool) -> Section:
    """Compare random problems over six robots with what clarabel finds for the whole problem."""
    columns = (
        "robot", "prioritisation", "problems [-]", "passed over [-]", "limits met [-]",
        "largest difference [-]", "beyond 1e-6 [-]", "residual [N m]",
    )  # fmt: skip
    rows: list[tuple[object, ...]] = []
    remarks: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        contents = _contents(Path(name), remarks)
        share = -(-(QUICK if quick else PROBLEMS) // max(len(contents), 1))
        for robot, content in contents.items():
            for prioritisation in PRIORITISATIONS:
                problems = Problems(content, prioritisation, Path(name))
                try:
                    found, passed_over = problems.judged(share)
                except ImportError:
                    remark = ("not measured: clarabel is not installed",)
                    return Section("agreement", _title(), columns, (), remark)
                differences = np.array([each.difference for each in found])
                if not found:
                    remarks.append(
                        f"{robot}, {prioritisation}: {passed_over} problems, none solved"
                    )
                    continue
                rows.append((
                    robot, prioritisation, len(found), passed_over,
                    float(np.mean([each.met for each in found])), float(differences.max()),
                    int((differences > 1e-6).sum()), max(each.residual for each in found),
                ))  # fmt: skip
    return Section("agreement", _title(), columns, tuple(rows), tuple(remarks))


def _title() -> str:
    return "Efforts of random problems beside those that clarabel finds"


class Problems:
    """Random states, goals and limits of a robot, and what its quadratic programs make of them.

    Args:
        content: Configuration of the robot.
        prioritisation: Of the levels.
        folder: For files.
        seed: Of what is random.
    """

    def __init__(
        self, content: Mapping[str, Any], prioritisation: str, folder: Path, seed: int = 0
    ) -> None:
        chosen = {
            "whole_body_controller_type": "WholeBodyQP",
            "prioritisation_type": prioritisation,
        }
        own = {"level_weight": WEIGHT, "regularisation": REGULARISATION}
        parameters = {**content["parameters"], **chosen}
        given = {**content, "parameters": parameters, "whole_body_controller": own}
        self.stack = stack_of(given, folder)
        controller = self.stack.controller.chosen
        assert isinstance(controller, WholeBodyQP)
        self.controller = controller
        self.is_strict = prioritisation == "Hierarchical"
        self._model = self.stack.create_model()
        self._command = self.stack.controller.create_command()
        self._state = RobotState(self.stack.robot.real_joints)
        self.stack.robot_interface.read(self._state)
        self._posture = self._state.position.copy()
        self._most = controller.limits.effort.copy()
        self._rng = np.random.default_rng(seed)

    def judged(self, count: int) -> tuple[list[Judged], int]:
        """Return what became of so many problems, and how many more were passed over.

        Those are what contacts cannot bear whatever the efforts are, which no strict limit allows,
        and what clarabel is not sure of.
        """
        found: list[Judged] = []
        passed_over = 0
        while len(found) < count and passed_over < 20 * count:
            judged = self.judge()
            if judged is None:
                passed_over += 1
            else:
                found.append(judged)
        return found, passed_over

    def judge(self) -> Judged | None:
        """Return what becomes of the next problem; none: it is passed over."""
        limit = self._draw()
        try:
            self.controller.compute_command(self._model, self.stack.tasks, self._command)
        except QPError:
            return None
        levels = self.controller.prioritisation
        if levels.missing or levels.unsolved:
            return None
        expected = self._expected(limit)
        if expected is None:
            return None
        effort, met = self._command.effort, int(np.count_nonzero(levels.multipliers))
        difference = np.abs(effort - expected).max() / (1.0 + np.abs(expected).max())
        return Judged(float(difference), _residual(self._model, effort), met)

    def _draw(self) -> Array:
        """Write another problem; return its limits of effort, `(na,)`."""
        rng, state, tasks = self._rng, self._state, self.stack.tasks
        count = len(self._posture)
        state.position[:] = self._posture + TURN * rng.uniform(-1.0, 1.0, count)
        state.velocity[:] = SPEED * rng.normal(size=count)
        self._model.update(state)
        reach = rng.choice(REACHES)
        for task in tasks.tasks:
            task.update(self._model.robot_model, task.inactive)
            task.swap()
            task.latch_goal()
            goal = np.asarray(task.goal.value, dtype=float)
            aside = goal + reach * rng.normal(size=goal.shape)
            is_direction = abs(np.linalg.norm(goal) - 1.0) < 1e-9 and goal.size in {3, 4}
            task.goal.assign(aside / np.linalg.norm(aside) if is_direction else aside)
        tasks.compute(1e-3)
        most = np.minimum(self._most, ANY_EFFORT)
        limit: Array = np.abs(self._model.bias_effort) + rng.choice(ROOMS) * most
        bounds = self.controller.prioritisation.bounds
        bounds.lower[:], bounds.upper[:] = -limit, limit
        return limit

    def _expected(self, limit: Array) -> Array | None:
        """Return the effort of the whole problem, as it is written, by another solver."""
        if self.is_strict:
            return self._strict(limit)
        count = len(self.stack.tasks.levels)
        x, program = self._program(Formulation.FULL, [WEIGHT**-i for i in range(count)], limit)
        found = optimum(program)
        return None if found is None else x.effort(found)

    def _strict(self, limit: Array) -> Array | None:
        """Return the effort of strict levels, each in what those above leave, one by one.

        What they leave is a null space by singular values: no row stands for a level above, and
        nobody judges which bounds hold it back.
        """
        effort = np.zeros(len(limit))
        kept = np.zeros((0, len(limit)))
        for level, own in zip(
            self.stack.tasks.levels, np.eye(len(self.stack.tasks.levels)), strict=True
        ):
            x, program = self._program(Formulation.CONDENSED, own.tolist(), limit)
            N = _left(kept)
            if not N.shape[1]:
                break
            found = optimum(_within(program, N, effort) if len(kept) else program)
            if found is None:
                return None
            effort = effort + N @ found
            rows = self.stack.tasks.jacobian[level.rows] @ x.acceleration.matrix
            kept = np.vstack((kept, _of_length_one(rows)))
        return effort

    def _program(
        self, formulation: Formulation, weights: Sequence[float], limit: Array
    ) -> tuple[Variables, QuadraticProgram]:
        """Return the problem of weighted levels, put together from its parts."""
        model, tasks = self._model, self.stack.tasks
        problem = formulated(formulation, model, tasks, REGULARISATION)
        x = problem.variables
        problem = problem.also(objectives=level_objectives(tasks, x, weights))
        limits = (effort_limits(x, limit), *contact_limits(model, x, SIDES, MARGIN))
        return x, problem._replace(inequalities=limits).assembled()


def _residual(model: ConstrainedModel, effort: Array) -> float:
    """Return by how much the equations of motion are missed under an effort [N m].

    Accelerations and reactions are those of one linear system with the constraints.
    """
    robot, Jc = model.robot_model, model.Jc
    nv, nc = len(robot.v), len(Jc)
    given = -robot.BG.copy()
    given[robot.description.command_dofs] += effort
    whole = np.block([[robot.A, -Jc.T], [Jc, np.zeros((nc, nc))]])
    solution = np.linalg.lstsq(whole, np.concatenate((given, -model.Jc_bias)), rcond=None)[0]
    projected = model.UNc_bar @ model.Phi @ (effort - model.bias_effort) - model.drift
    reactions = solution[nv:]
    return float(np.abs(robot.A @ projected - Jc.T @ reactions - given).max())


def _of_length_one(rows: Array) -> Array:
    """Return rows of length 1, and less for what is nearly nothing."""
    return np.asarray(rows / (NOTHING + np.linalg.norm(rows, axis=1, keepdims=True)))


def _left(kept: Array) -> Array:
    """Return orthonormal columns that rows of length 1 do not see, `(n, left)`."""
    size, rows = np.linalg.svd(kept)[1:] if len(kept) else (np.zeros(0), np.eye(kept.shape[1]))
    return np.ascontiguousarray(rows[int((size > DEPENDENT).sum()) :].T)


def _within(program: QuadraticProgram, N: Array, start: Array) -> QuadraticProgram:
    """Return the program of y for `x = start + N y`; rounding of the start excludes nothing."""
    reached = program.rows @ start
    return program._replace(
        hessian=N.T @ program.hessian @ N,
        gradient=N.T @ (program.hessian @ start + program.gradient),
        equal=program.equal @ N,
        rows=program.rows @ N,
        lower=np.minimum(program.lower - reached, 0.0),
        upper=np.maximum(program.upper - reached, 0.0),
    )


def _contents(folder: Path, remarks: list[str]) -> dict[str, dict[str, Any]]:
    """Return a configuration for each robot that is installed."""
    found = {"Dreamer": dreamer_content(single_threaded=True)}
    for robot, content in _examples(folder):
        if isinstance(content, str):
            remarks.append(f"{robot}: not installed: {content}")
        else:
            found[robot] = content
    return found


def _examples(folder: Path) -> Iterator[tuple[str, dict[str, Any] | str]]:
    makers: dict[str, tuple[str, Callable[[Path], dict[str, Any]]]] = {
        BAXTER: ("Baxter", lambda urdf: robot_content(urdf, "base", list(HANDS), POSTURE)),
        PANDA: (
            "Panda",
            lambda urdf: robot_content(urdf, "panda_link0", ["panda_hand_tcp"], ELBOWS),
        ),
        TALOS: ("Talos", talos_content),
        ICUB: ("iCub", icub_content),
        SOLO: ("Solo12", solo_content),
    }
    for path, (robot, make) in makers.items():
        try:
            original = example_robot(path)
        except ControlItError as error:
            yield robot, str(error)
            continue
        urdf = folder / original.name
        urdf.write_text(without_meshes(original.read_text(encoding="utf-8")), encoding="utf-8")
        yield robot, make(urdf)


def icub_content(urdf: Path) -> dict[str, Any]:
    """Return a controller of iCub on two feet with friction."""
    content = robot_content(urdf, "root_link", ["r_gripper", "l_gripper"], KNEES)
    content["parameters"]["rotor_inertia"] = 0.01
    content["tasks"] += [
        {"name": "CenterOfMass", "type": "CenterOfMass", "kp": 25, "kd": 8},
        {"name": "Pelvis", "type": "Orientation3D", "body": "root_link", "kp": 64, "kd": 16},
    ]
    content["compound_task"] += [
        {"name": "CenterOfMass", "priority": 3},
        {"name": "Pelvis", "priority": 2},
    ]
    soles = {
        "body": ("r_sole", "l_sole"),
        "half_size": [0.078, 0.03],
        "contact_point": [0.03, 0, 0],
    }
    return _on(content, "FlatContact", soles)


def solo_content(urdf: Path) -> dict[str, Any]:
    """Return a controller of a quadruped on four points with friction."""
    content = robot_content(urdf, "base_link", [], CROUCH)
    content["tasks"] += [
        {"name": "Trunk", "type": "CartesianPosition", "body": "base_link", "kp": 64, "kd": 16},
        {"name": "Upright", "type": "Orientation3D", "body": "base_link", "kp": 64, "kd": 16},
    ]
    content["compound_task"] += [
        {"name": "Upright", "priority": 2},
        {"name": "Trunk", "priority": 1},
    ]
    feet = tuple(f"{leg}_FOOT" for leg in ("FL", "FR", "HL", "HR"))
    return _on(content, "PointContact", {"body": feet})


def _on(content: dict[str, Any], kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration whose robot stands on bodies, in place of its bolted base."""
    shape = {name: value for name, value in given.items() if name != "body"}
    contacts = [
        {"name": body, "type": kind, "body": body, "friction": 0.6, **shape}
        for body in given["body"]
    ]
    names = [{"name": body} for body in given["body"]]
    return {**content, "constraints": contacts, "constraint_set": names}
