"""Limbs of a robot, found by the names of its parts and by how they hang together."""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.model import BASE_DOFS, FIRST_JOINT, RobotDescription

HAND_EXTENT = 0.33  # [-] of the robot: joints that branch within that are fingers of one hand
TURNING_CHAIN = 5  # [-] joints; ankles often lack the sixth
ROOT_JOINT = 1


class LimbKind(Enum):
    """What a limb is for."""

    ARM = "arm"
    LEG = "leg"
    HEAD = "head"
    OTHER = "other"


WORDS = {
    LimbKind.LEG: "leg|hip|thigh|knee|calf|shank|ankle|foot|sole|toe|haa|hfe|kfe",
    LimbKind.ARM: "arm|shoulder|elbow|wrist|hand|grip|finger|palm|tcp|tool|ee",
    LimbKind.HEAD: "head|neck|gaze|eyes?|camera",
}
"""Words in the names of joints and links, whole words or parts of camel case."""
ENDS = {
    LimbKind.LEG: "sole|foot|toe|contact",
    LimbKind.ARM: "tcp|tool0?|ee|grasping|palm|hand",
    LimbKind.HEAD: "head",
}
"""Words of links that may be called the end of a limb, the best first."""


class Limb(NamedTuple):
    """A chain of joints that ends in the world or in something to work with.

    Attributes:
        kind: What it is for.
        body: The link at its end.
        joints: From the trunk to the end, those of the end's own parts left out.
    """

    kind: LimbKind
    body: str
    joints: tuple[str, ...]

    @property
    def turns_its_end(self) -> bool:
        """Whether it is long enough to put its end somewhere and to turn it there."""
        return len(self.joints) >= TURNING_CHAIN


def configuration(robot: RobotDescription, position: Array) -> Array:
    """Return `(nq,)` with the base upright at the origin.

    Args:
        robot: Its structure.
        position: `(n,)` of the real joints [rad or m].
    """
    motion = np.concatenate([np.zeros(BASE_DOFS), position])
    q: Array = pin.integrate(robot.pinocchio, pin.neutral(robot.pinocchio), motion)
    return q


def find_limbs(robot: RobotDescription) -> list[Limb]:
    """Return the limbs of a robot in the order of its joints.

    A limb ends in a joint that moves no other, or where joints branch that lie near each other:
    fingers are parts of a hand. It begins behind the last joint that moves another limb, too.
    Lengths are measured with all joints at zero.

    Args:
        robot: Its structure.
    """
    tree = _JointTree(robot)
    ends = dict.fromkeys(tree.end_of(joint) for joint in tree.leaves(ROOT_JOINT))
    kept = [end for end in ends if not any(other in tree.above(end) for other in ends)]
    return [_limb(tree, end, kept) for end in kept]


def _limb(tree: "_JointTree", end: int, ends: Sequence[int]) -> Limb:
    chain = [end]
    for joint in tree.above(end):
        if any(joint in tree.above(other) for other in ends if other != end):
            break
        chain.append(joint)
    names = [tree.model.names[joint] for joint in chain]
    links = [link for joint in chain for link in tree.links(joint)]
    # of chains that end in a head some hang from a shoulder: what is nearer to the end counts more
    found = [(kind, _count(words, [*names, *links, *links[:2]])) for kind, words in WORDS.items()]
    kind, count = max(found, key=lambda pair: pair[1])
    kind = kind if count else LimbKind.OTHER
    return Limb(kind, _end_link(tree.links(end), kind), tuple(reversed(names)))


def _end_link(links: Sequence[str], kind: LimbKind) -> str:
    for word in ENDS.get(kind, "").split("|"):
        for link in links:
            if word and word in words_of(link):
                return link
    return links[0]


def words_of(name: str) -> set[str]:
    """Return the words of a name in lower case: `LeftFoot_link2` has left, foot, link."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return {part.lower() for part in parts} | set(re.findall(r"[a-z]+0?", name.lower()))


def _count(pattern: str, names: Sequence[str]) -> int:
    compiled = re.compile(rf"[lr]?({pattern})\d*")
    return sum(any(compiled.fullmatch(word) for word in words_of(name)) for name in names)


class _JointTree:
    """Which joint moves which, and how far from it."""

    def __init__(self, robot: RobotDescription) -> None:
        self.model = robot.pinocchio
        model, data = self.model, self.model.createData()
        pin.forwardKinematics(model, data, pin.neutral(model))
        self._places = np.array([placement.translation for placement in data.oMi])
        self._children: list[list[int]] = [[] for _ in model.names]
        for joint in range(FIRST_JOINT, model.njoints):
            self._children[model.parents[joint]].append(joint)
        self._links: list[list[str]] = [[] for _ in model.names]
        for frame in model.frames:
            if frame.type == pin.FrameType.BODY:
                self._links[frame.parentJoint].append(frame.name)
        self._size = self._extent(ROOT_JOINT)

    def links(self, joint: int) -> list[str]:
        """Return the links that move with a joint, the nearest first."""
        return self._links[joint]

    def above(self, joint: int) -> Iterator[int]:
        """Yield the joints that move a joint, the nearest first."""
        parent = self.model.parents[joint]
        while parent > ROOT_JOINT:
            yield parent
            parent = self.model.parents[parent]

    def leaves(self, joint: int) -> list[int]:
        """Return the joints that move no other, of those that a joint moves."""
        below = [leaf for child in self._children[joint] for leaf in self.leaves(child)]
        return below or ([joint] if joint > ROOT_JOINT else [])

    def end_of(self, leaf: int) -> int:
        """Return the joint that carries the fingers a leaf is one of, or the leaf."""
        end = leaf
        for joint in self.above(leaf):
            if self._extent(joint) > HAND_EXTENT * self._size:
                break
            if len(self._children[joint]) > 1:
                end = joint
        return end

    def _extent(self, joint: int) -> float:
        below = [self._places[leaf] for leaf in self.leaves(joint)]
        return max((float(np.linalg.norm(p - self._places[joint])) for p in below), default=0.0)
