"""Find friction from a recorded motion."""

from pathlib import Path
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.options import FileArgument, JsonOption
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.recording.bag_run import read_run
from controlit_ros.recording.friction_fit import fit_friction

app = typer.Typer()


@app.callback()
def group() -> None:
    """Find what a model does not know from recorded motions."""


@app.command("friction")
def friction(
    file: FileArgument,
    bag: Annotated[
        Path, typer.Argument(metavar="BAG", help="Folder of a bag.", show_default=False)
    ],
    *,
    as_json: JsonOption = False,
) -> None:
    """Find the friction of the joints that move in a bag, as a section of the configuration."""
    stack = load_stack(file)
    record = read_run(bag, stack.configuration.name)
    if record.joint_names != stack.robot.real_joints:
        raise ControlItError(
            f"{bag} has the joints {', '.join(record.joint_names)}; expected those of {file}"
        )
    fits = fit_friction(stack, record.position, record.velocity, record.effort)
    if not fits:
        raise ControlItError(f"no joint moves in both directions for long enough in {bag}")
    if as_json:
        output.json_value({joint: fit._asdict() for joint, fit in fits.items()})
        return
    lines = ["friction_compensation:"]
    for key, unit in (("coulomb", "N m"), ("viscous", "N m s/rad")):
        lines.append(f"  {key}: # [{unit}]")
        for joint, fit in fits.items():
            note = f" # ± {fit.error:.2g}, {fit.samples} samples" if key == "coulomb" else ""
            lines.append(f"    {joint}: {getattr(fit, key):.4g}{note}")
    output.rendered(*lines)
