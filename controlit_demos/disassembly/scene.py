"""The scene of product disassembly with things where a placement puts them."""

from pathlib import Path
from xml.etree import ElementTree as ET

from controlit_demos.disassembly.placement import Placement
from controlit_demos.running.demo_error import DemoError
from controlit_ros.regular_file import opened_to_write

FILE_NAME = "scene.xml"


def write_scene(source: Path, placement: Placement, folder: Path) -> Path:
    """Write a copy of a scene with its bodies moved; return where it is.

    Args:
        source: MJCF file with a body for each field of the placement, named like it.
        placement: Where the bodies shall be.
        folder: Receives the copy, `scene.xml`.

    Raises:
        DemoError: The scene lacks a body.
    """
    scene = ET.parse(source)  # noqa: S314 - a file of ours
    for name, pose in placement._asdict().items():
        body = scene.find(f"worldbody/body[@name='{name}']")
        if body is None:
            raise DemoError(f"{source}: found no body {name!r}, expected one in the world")
        x, y, z, w = pose.orientation
        body.set("pos", " ".join(f"{value:.9g}" for value in pose.position))
        body.set("quat", " ".join(f"{value:.12g}" for value in (w, x, y, z)))
    path = folder.absolute() / FILE_NAME
    with opened_to_write(path) as file:
        scene.write(file)
    return path
