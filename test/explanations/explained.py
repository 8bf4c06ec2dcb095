"""Controllers of a planar arm, explained without a servo."""

import json

from controlit_ros.explanations.explanation import CauseKind
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.explaining import explain_cycle
from controlit_ros.nodes.offline import Latch, start_of, state_from_mapping

LINK = 0.4  # [m] each of three, along x; they turn about y
JOINTS = ("shoulder", "elbow", "wrist")
BENT = {"shoulder": 0.5, "elbow": -1.2, "wrist": 0.6}  # [rad]

HAND = {"name": "Hand", "type": "CartesianPosition", "body": "hand", "axes": ["x", "z"]}
HAND |= {"kp": 64, "kd": 16}
POSTURE = {"name": "Posture", "type": "JointPosition", "kp": 64, "kd": 16}


def urdf(*, effort=200.0, velocity=10.0, lower=-2.5, upper=2.5, **own):
    """Write the arm; `own` maps joints to other limits."""
    parts = ['<robot name="arm">', _link("base")]
    for i, name in enumerate(JOINTS):
        limits = {"effort": effort, "velocity": velocity, "lower": lower, "upper": upper}
        limits |= own.get(name, {})
        stated = " ".join(f'{key}="{value}"' for key, value in limits.items())
        parent = ("base", "upper_arm", "forearm")[i]
        child = ("upper_arm", "forearm", "hand_link")[i]
        parts.append(_link(child))
        parts.append(
            f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="{LINK if i else 0} 0 0"/><axis xyz="0 1 0"/><limit {stated}/></joint>'
        )
    parts.append(_link("hand"))
    parts.append(
        '<joint name="tip" type="fixed"><parent link="hand_link"/><child link="hand"/>'
        f'<origin xyz="{LINK} 0 0"/></joint></robot>'
    )
    return "\n".join(parts)


def _link(name):
    return (
        f'<link name="{name}"><inertial><origin xyz="{LINK / 2} 0 0"/><mass value="1"/>'
        '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>'
    )


class Arm:
    """Makes files of controllers in a folder and explains them.

    Args:
        folder: Where.
    """

    def __init__(self, folder):
        self.folder = folder

    def write(
        self,
        tasks,
        *,
        constraints=(),
        inequalities=(),
        limits=None,
        controller=None,
        **parameters,
    ):
        """Write a controller; tasks are maps with `priority` and `operational_state` among them."""
        (self.folder / "arm.urdf").write_text(urdf(**(limits or {})))
        places = ("priority", "operational_state")
        bolt = {"name": "Bolt", "type": "FlatContact", "body": "base"}
        held = [bolt, *constraints]
        content = {
            "name": "arm",
            "robot_description": "arm.urdf",
            "parameters": {
                "robot_interface_type": "Benchmark",
                "realtime_priority": 0,
                "servo_frequency": 1000,
                **parameters,
            },
            "tasks": [{k: v for k, v in task.items() if k not in places} for task in tasks],
            "constraints": held,
            "inequalities": list(inequalities),
            "compound_task": [
                {"name": task["name"], "priority": 0} | {k: task[k] for k in places if k in task}
                for task in tasks
            ],
            "constraint_set": [{"name": constraint["name"]} for constraint in held],
        }
        if controller:
            content["whole_body_controller"] = controller
        path = self.folder / "arm.yaml"
        path.write_text(json.dumps(content))
        return path

    def explain(self, tasks, *, at=None, moving=None, **content):
        """Return the explanation of one cycle at positions and velocities of joints."""
        stack = load_stack(self.write(tasks, **content))
        where = {"positions": BENT if at is None else at, "velocities": moving or {}}
        state = state_from_mapping(where, start_of(stack), stack.constraints.couplings)
        return explain_cycle(stack, state, Latch.START)


def quadratic(horizon=0.05, **more):
    """Return what makes a controller one of quadratic programs."""
    return {
        "whole_body_controller_type": "WholeBodyQP",
        "controller": {"limit_horizon": horizon, **more},
    }


def causes(explanation, task, kind=None):
    """Return the causes of a task, of one kind if given."""
    found = explanation.task(task).causes
    return [cause for cause in found if kind is None or cause.kind is CauseKind(kind)]


def names(found):
    """Return the names of causes."""
    return [cause.name for cause in found]
