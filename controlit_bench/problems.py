"""Controllers to measure: the paper's six, and generated robots with any number of tasks."""

from pathlib import Path
from typing import Any

import numpy as np
from ruamel.yaml import YAML

from controlit_ros.configuration import load_configuration
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import build_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.resource import ROBOTS_PACKAGE, resolve_resource
from controlit_ros.share import share_directory

PRIORITIES = {2: (1, 1, 1, 1, 0), 3: (2, 2, 1, 1, 0), 5: (4, 3, 2, 1, 0)}
"""Priorities of the paper's five tasks, by number of levels."""


def dreamer_content(
    levels: int = 2, orientation: str = "2D", *, single_threaded: bool = False
) -> dict[str, Any]:
    """Return the configuration of one of the paper's controllers (section 5, table 3)."""
    path = share_directory() / "config" / "dreamer" / "benchmark.yaml"
    content: dict[str, Any] = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    for task in content["tasks"]:
        task["type"] = task["type"].replace("Orientation2D", f"Orientation{orientation}")
    for entry, priority in zip(content["compound_task"], PRIORITIES[levels], strict=True):
        entry["priority"] = priority
    content["parameters"] |= {
        "single_threaded_model": single_threaded,
        "single_threaded_tasks": single_threaded,
    }
    return content


def robot_content(
    urdf: Path, base: str, bodies: list[str], posture: dict[str, float] | None = None
) -> dict[str, Any]:
    """Return a controller of a robot bolted to the world: a point on each body, and the posture."""
    points = [f"Point{i}" for i in range(len(bodies))]
    return {
        "name": "benchmark_controller",
        "robot_description": str(urdf),
        "parameters": {"robot_interface_type": "Benchmark", "default_bindings": False},
        "robot_interface": {"posture": posture or 0.3},
        "tasks": [
            {"name": name, "type": "CartesianPosition", "body": body, "kp": 64, "kd": 16}
            for name, body in zip(points, bodies, strict=True)
        ]
        + [{"name": "Posture", "type": "JointPosition", "kp": 64, "kd": 16}],
        "constraints": [{"name": "Base", "type": "FlatContact", "body": base}],
        "compound_task": [{"name": name, "priority": 1} for name in points]
        + [{"name": "Posture", "priority": 0}],
        "constraint_set": [{"name": "Base"}],
    }


def write_content(content: dict[str, Any], path: Path) -> Path:
    """Write a configuration file."""
    with path.open("w", encoding="utf-8") as file:
        YAML().dump(content, file)
    return path


def stack_of(content: dict[str, Any], folder: Path) -> ControllerStack:
    """Build the controller of a configuration."""
    return build_stack(load_configuration(write_content(content, folder / "controller.yaml")))


def generated_robot(joints: int, branch_length: int = 8, seed: int = 1) -> str:
    """Return the URDF of a tree of arms on one base; links `link_1` to `link_<joints>`."""
    rng = np.random.default_rng(seed)
    inertial = (
        '<inertial><origin xyz="0 0 0.1"/><mass value="1.5"/>'
        '<inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    parts = [f'<robot name="tree"><link name="base_link">{inertial}</link>']
    for i in range(1, joints + 1):
        starts_branch = (i - 1) % branch_length == 0
        parent = "base_link" if starts_branch else f"link_{i - 1}"
        place = rng.uniform(-0.3, 0.3, 3) if starts_branch else (0.0, 0.02, 0.2)
        axis = ("1 0 0", "0 1 0", "0 0 1")[i % 3]
        parts.append(
            f'<link name="link_{i}">{inertial}</link>'
            f'<joint name="joint_{i}" type="revolute"><parent link="{parent}"/>'
            f'<child link="link_{i}"/><origin xyz="{place[0]:.3f} {place[1]:.3f} {place[2]:.3f}"/>'
            f'<axis xyz="{axis}"/><limit lower="-3" upper="3" effort="200" velocity="10"/></joint>'
        )
    return "".join([*parts, "</robot>"])


def example_robot(name: str) -> Path:
    """Return a URDF of the package example-robot-data.

    Raises:
        ControlItError: The package or the file is not installed.
    """
    path = resolve_resource(f"package://{ROBOTS_PACKAGE}/robots/{name}", Path())
    if not path.is_file():
        raise ControlItError(f"the package {ROBOTS_PACKAGE} has no robot {name!r}")
    return path
