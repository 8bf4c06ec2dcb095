"""What of the contacts, and of the tasks that load them, does not fit."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence

import numpy as np

from controlit_ros.constraints import Constraint
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.model.urdf_document import urdf_tree
from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.tasks import Task
from controlit_ros.tasks.center_of_pressure import CenterOfPressure


def pressure_problems(tasks: Sequence[Task]) -> Findings:
    """Yield place and text of goals of pressure that no sole reaches.

    Args:
        tasks: In the order of the file.
    """
    for i, task in enumerate(tasks):
        if isinstance(task, CenterOfPressure) and (text := task.complaint()):
            yield ("tasks", i, task.goal.name), text.partition("; the pressure")[0]


def contact_warnings(
    urdf: str, constraints: Sequence[Constraint], names: Sequence[str], tasks: Sequence[Task]
) -> Findings:
    """Yield place and text of warnings about contacts that say too little of their shape.

    Args:
        urdf: The robot description.
        constraints: That were built.
        names: Of the constraints in the file, in order.
        tasks: In the order of the file.
    """
    for i, task in enumerate(tasks):
        if isinstance(task, CenterOfPressure) and not task.is_disabled and task.lacks_size:
            text = (
                f"{task.contact_name!r} has no half_size: no goal is kept inside of the sole, and "
                "pressure outside of it tips the foot; expected half_size: [length / 2, width / 2]"
            )
            yield ("tasks", i), text
    robot = urdf_tree(urdf)
    for contact in constraints:
        if isinstance(contact, PointContact) and not contact.radius.value and contact.name in names:
            radius = _ball(robot, contact)
            text = (
                f"found no radius, and a ball of {radius:g} m about the contact point in the robot "
                f"description; expected radius: {radius:g} for a ball that rolls, or the contact "
                "point on its surface"
            )
            if radius:
                yield ("constraints", names.index(contact.name)), text


def _ball(robot: ET.Element, contact: PointContact) -> float:
    """Return the radius of the collision shape about a contact point, or 0 [m]."""
    footprint = contact.simulated_footprint()
    link = "" if footprint is None else footprint.link
    for shape in robot.iterfind(f"link[@name='{link}']/collision"):
        sphere = shape.find("geometry/sphere")
        origin = shape.find("origin")
        if sphere is None:
            continue
        place = "0 0 0" if origin is None else origin.get("xyz", "0 0 0")
        center = np.array([float(number) for number in place.split()])
        radius = float(sphere.get("radius", "0"))
        if np.linalg.norm(center - contact.contact_point.value) < 0.5 * radius:
            return radius
    return 0.0
