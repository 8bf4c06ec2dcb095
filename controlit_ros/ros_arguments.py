"""RosArguments: the part of a command line that is for ROS 2."""

import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from controlit_ros.errors import ControlItError, did_you_mean

BEGIN, END = "--ros-args", "--"
ASSIGN = ":="
REMAP, PARAMETER, PARAMETER_FILE = "--remap", "--param", "--params-file"
LOG_LEVEL, LOG_CONFIGURATION, ENCLAVE = "--log-level", "--log-config-file", "--enclave"
SHORT = {"-r": REMAP, "-p": PARAMETER, "-e": ENCLAVE}
WITH_VALUE = (REMAP, PARAMETER, PARAMETER_FILE, LOG_LEVEL, LOG_CONFIGURATION, ENCLAVE)
NAMESPACE, NODE = "__ns", "__node"
"""What a rule for remapping says of the node itself."""

VARIABLE = "CONTROLIT_ROS_ARGS"
"""Environment variable by which processes talk as the one that starts them."""

NO_ROSOUT = "--disable-rosout-logs"
_RULE = re.compile(r"(?:(\w+):(?!//))?(?:(rostopic|rosservice)://)?(.+)")
SWITCHES = tuple(
    f"--{able}-{what}-logs"
    for what in ("rosout", "stdout", "external-lib")
    for able in ("enable", "disable")
)


class RosArgumentError(ControlItError):
    """What stands after `--ros-args` means nothing to ROS 2."""


class RosOption(NamedTuple):
    """One option for ROS 2, by its long name.

    Attributes:
        flag: As in `--param`.
        value: What followed it; empty for a switch.
    """

    flag: str
    value: str = ""


class Remap(NamedTuple):
    """One rule for remapping.

    Attributes:
        node: Name of the node it is for; empty: for all of the process.
        kind: `rostopic` or `rosservice` if it is for one of them only; else empty.
        source: Name that is replaced, or `__ns` or `__node`.
        target: What replaces it.
    """

    node: str
    kind: str
    source: str
    target: str

    def is_for(self, node: str, source: str) -> bool:
        """Tell whether this is a node's rule for a name as it stands in the rule."""
        return self.node in ("", node) and self.source == source


class RosArguments(NamedTuple):
    """A command line in two parts.

    Attributes:
        ours: What is not for ROS 2.
        options: What stands from each `--ros-args` to the next `--` or the end, in this order.
    """

    ours: tuple[str, ...] = ()
    options: tuple[RosOption, ...] = ()

    def values(self, flag: str) -> tuple[str, ...]:
        """Return what an option was given, each time it stands there."""
        return tuple(option.value for option in self.options if option.flag == flag)

    def has(self, switch: str) -> bool:
        """Tell whether a switch stands there."""
        return RosOption(switch) in self.options

    @property
    def remaps(self) -> tuple[Remap, ...]:
        """The rules for remapping; the first that fits counts.

        Raises:
            RosArgumentError: One is written otherwise than `name:=name`.
        """
        return tuple(_remap(rule) for rule in self.values(REMAP))

    def without_rules_for(self, *sources: str) -> "RosArguments":
        """Return the same without the rules for some names, as they stand in the rules."""
        kept = tuple(
            option
            for option in self.options
            if option.flag != REMAP or _remap(option.value).source not in sources
        )
        return self._replace(options=kept)

    @property
    def handed_on(self) -> str | None:
        """What processes that this one starts are told by `VARIABLE`; `None`: nothing.

        Their nodes are in the same namespace and use the same topics, under names of their own.
        """
        words = self.without_rules_for(NODE).words
        return shlex.join(words) if words else None

    @property
    def words(self) -> tuple[str, ...]:
        """The part for ROS 2 as it would stand on a command line; empty if there is none."""
        words = [word for option in self.options for word in option if word]
        return (BEGIN, *words) if words else ()


def ros_arguments(arguments: Sequence[str]) -> RosArguments:
    """Tell apart what is for ROS 2 and what is not; `ros2 launch` appends the former.

    Raises:
        RosArgumentError: An option is none of ROS 2, or lacks its value.
    """
    ours: list[str] = []
    options: list[RosOption] = []
    words = iter(arguments)
    is_ours = True
    for word in words:
        if word == BEGIN:
            is_ours = False
        elif is_ours:
            ours.append(word)
        elif word == END:
            is_ours = True
        else:
            options.append(_option(word, words))
    return RosArguments(tuple(ours), tuple(options))


def process_arguments() -> RosArguments:
    """Return what this process, or the one that started it, was given for ROS 2.

    Raises:
        RosArgumentError: It means nothing to ROS 2.
    """
    inherited = os.environ.get(VARIABLE)
    return ros_arguments(sys.argv[1:] if inherited is None else shlex.split(inherited))


def process_remaps() -> tuple[Remap, ...]:
    """Return the rules for remapping of this process; names of nodes are never handed on.

    Raises:
        RosArgumentError: They mean nothing to ROS 2.
    """
    own = ros_arguments(sys.argv[1:]).remaps
    nodes = tuple(rule for rule in own if rule.source == NODE)
    return (*nodes, *process_arguments().without_rules_for(NODE).remaps)


def pushed_namespace(node: str = "") -> str:
    """Return the namespace in which a node's own is, as launch pushes it; `/` for none.

    Raises:
        RosArgumentError: The arguments of this process mean nothing to ROS 2.
    """
    rules = process_remaps()
    return next((rule.target for rule in rules if rule.is_for(node, NAMESPACE)), "/")


def assignment(rule: str, flag: str) -> tuple[str, str]:
    """Return both sides of `name:=value`.

    Raises:
        RosArgumentError: It is written otherwise.
    """
    left, separator, right = rule.partition(ASSIGN)
    if not left or not separator:
        raise RosArgumentError(f"{flag}: found {rule!r}, expected name{ASSIGN}value")
    return left, right


def _remap(rule: str) -> Remap:
    left, right = assignment(rule, REMAP)
    found = _RULE.fullmatch(left)
    if found is None or not right:
        raise RosArgumentError(f"{REMAP}: found {rule!r}, expected name{ASSIGN}name")
    node, kind, source = found.groups(default="")
    return Remap(node, kind, source, right)


def _option(word: str, following: Iterator[str]) -> RosOption:
    flag = SHORT.get(word, word)
    if flag in SWITCHES:
        return RosOption(flag)
    if flag not in WITH_VALUE:
        known = (*WITH_VALUE, *SHORT, *SWITCHES)
        raise RosArgumentError(f"{BEGIN}: unknown option {word!r}{did_you_mean(word, known)}")
    value = next(following, "")
    if not value or value in (BEGIN, END):
        raise RosArgumentError(f"{BEGIN}: found {word} at the end, expected a value after it")
    return RosOption(flag, value)
