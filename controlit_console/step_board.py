"""StepBoard: the feet of a robot that walks, to be dragged to where they shall step."""

from collections.abc import Callable

import numpy as np
import pinocchio as pin

from controlit_console.goal_handles import HandlePose
from controlit_console.parts import PartsSeen, PartView
from controlit_ros.arrays import Array
from controlit_ros.client import Step

STEPS = "footsteps"  # of a behaviour that walks
CONTACTS = {"left": "left_contact", "right": "right_contact"}
LinkPlace = Callable[[str], pin.SE3 | None]


class StepBoard:
    """Offers a handle at each sole; the step is asked for when it is let go, so none by a slip.

    Args:
        ask: Asks the behaviour of a name for a step.

    Attributes:
        poses: By the name of the handle.
    """

    def __init__(self, ask: Callable[[str, Step], None]) -> None:
        self.poses: dict[str, HandlePose] = {}
        self._ask = ask
        self._feet: dict[str, tuple[str, str]] = {}  # behaviour and foot, by the same name
        self._wanted: dict[str, tuple[Array, Array]] = {}

    def look(self, parts: PartsSeen, link: LinkPlace) -> None:
        """Take note of where soles are.

        Args:
            parts: Of the controller.
            link: Returns where a link is in the world; `None`: nobody knows.
        """
        poses, feet = {}, {}
        for walking in parts.others:
            for foot, contact in self._contacts(walking, parts):
                place = _sole(contact, link)
                if place is not None:
                    name = f"step of {contact.name}"
                    poses[name], feet[name] = place, (walking.name, foot)
        self.poses, self._feet = poses, feet

    def drag(self, _client: str, name: str, position: Array, wxyz: Array, *, turned: bool) -> None:  # noqa: ARG002 - as every board
        """Take note of where a foot is dragged to."""
        self._wanted[name] = (np.array(position), np.array(wxyz))

    def release(self, name: str) -> None:
        """Ask for the step."""
        wanted = self._wanted.pop(name, None)
        if wanted is None or name not in self._feet:
            return
        position, wxyz = wanted
        walking, foot = self._feet[name]
        self._ask(walking, Step(foot, position.tolist(), _yaw(wxyz)))

    def _contacts(self, walking: PartView, parts: PartsSeen) -> list[tuple[str, PartView]]:
        """Return the contacts of the feet of a part, if that walks."""
        if walking.named(STEPS) is None:
            return []
        found = []
        for foot, key in CONTACTS.items():
            told = walking.named(key)
            contact = None if told is None else parts.constraint(str(told.value))
            if contact is not None:
                found.append((foot, contact))
        return found


def _sole(contact: PartView, link: LinkPlace) -> HandlePose | None:
    """Return where the contact point of a sole is, and how it is turned about the vertical."""
    body, point = contact.named("body"), contact.named("contact_point")
    place = None if body is None else link(str(body.value))
    if place is None or point is None:
        return None
    x, y, z, w = pin.Quaternion(place.rotation).coeffs()
    upright = _yaw(np.array([w, x, y, z]))
    turn = np.array([np.cos(0.5 * upright), 0.0, 0.0, np.sin(0.5 * upright)])
    return HandlePose(place.act(np.array(point.value, dtype=float)), turn)


def _yaw(wxyz: Array) -> float:
    """Return how far a quaternion turns about the vertical [rad]."""
    w, x, y, z = wxyz
    return float(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
