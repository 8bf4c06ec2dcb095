"""Begin something of your own."""

import re
from pathlib import Path
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.new_files import ForceOption, check_new, undone_on_failure, write_new
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.starters.first_configuration import first_controller
from controlit_ros.starters.own_package import OwnPackage, write_package
from controlit_ros.starters.rviz_layout import rviz_layout
from controlit_ros.starters.start_posture import StartPosture

app = typer.Typer()


@app.callback()
def group() -> None:
    """Begin something of your own."""


@app.command("robot")
def robot(
    urdf: Annotated[
        str,
        typer.Argument(
            metavar="URDF", help="Robot description: a path or package://.", show_default=False
        ),
    ],
    *,
    file: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write. [default: NAME.yaml]",
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Of the controller. [default: after the URDF]", show_default=False
        ),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Write a first controller of any robot: tasks for its hands, feet and head, in simulation.

    Beside it stands a layout for RViz.
    """
    name = name or f"{re.sub(r'[^A-Za-z0-9]+', '_', Path(urdf).stem).strip('_')}_controller"
    target = file or Path(f"{name}.yaml")
    layout = target.with_suffix(".rviz")
    if layout == target:
        raise ControlItError(f"found --output {target}, expected a name that ends in .yaml")
    check_new(target, layout, force=force)
    first = first_controller(urdf, name, target.parent)
    before = target.read_bytes() if target.is_file() else None
    write_new(target, first.text, force=force)
    with undone_on_failure(target, before):
        stack = load_stack(target)
        for warning in stack.warnings:
            output.warning(f"{target}:{warning}")
        write_new(layout, rviz_layout(stack), force=force)
    output.text(f"{target}: {_told(stack)}")
    output.text(f"start: {_start(first.start)}")
    output.text(f"{layout}: for rviz2 -d {layout} --ros-args -r __ns:=/{name}")
    output.text(f"next: controlit run {target}")


Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="Of the package: words joined by '_'.", show_default=False),
]
Folder = Annotated[
    Path, typer.Option("--output", "-o", metavar="FOLDER", help="In which it is made.")
]


@app.command("task")
def task(name: Name, folder: Folder = Path()) -> None:
    """Write a package with a task of your own, and a test that passes."""
    _begin(OwnPackage.TASK, name, folder)


@app.command("constraint")
def constraint(name: Name, folder: Folder = Path()) -> None:
    """Write a package with a constraint of your own, and a test that passes."""
    _begin(OwnPackage.CONSTRAINT, name, folder)


@app.command("controller")
def controller(name: Name, folder: Folder = Path()) -> None:
    """Write a package with a whole-body controller of your own, and a test that passes."""
    _begin(OwnPackage.CONTROLLER, name, folder)


@app.command("client")
def client(name: Name, folder: Folder = Path()) -> None:
    """Write a package with a program that steers a controller, and a test that passes."""
    _begin(OwnPackage.CLIENT, name, folder)


def _begin(kind: OwnPackage, name: str, parent: Path) -> None:
    folder = write_package(kind, name, parent)
    output.text(f"{folder}: {', '.join(_files(folder))}")
    output.text(f"next: pip install --editable {folder} && python -m pytest {folder}")


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))


def _start(start: StartPosture) -> str:
    stated = ", ".join(f"{joint} {position:g}" for joint, position in start.stated.items())
    return (
        f"{start.reason}{f' ({stated})' if stated else ''}; change it by simulator.initial_position"
    )


def _told(stack: ControllerStack) -> str:
    tasks = ", ".join(task.name for task in stack.tasks.tasks)
    stands = ", ".join(constraint.name for constraint in stack.constraints.constraints)
    return f"{len(stack.robot.real_joints)} joints; tasks {tasks}; constraints {stands}"
