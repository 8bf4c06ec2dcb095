"""ModesSeen: what a controller says of its modes."""

from typing import NamedTuple

from controlit_ros.client.remote_modes import told_picture
from controlit_ros.interfaces import Message


class ModeView(NamedTuple):
    """A mode.

    Attributes:
        name: Its name.
        description: What it is for.
        is_allowed: Whether it could be entered now.
        reason: Why not; empty where it could.
    """

    name: str
    description: str
    is_allowed: bool
    reason: str


class ModesSeen(NamedTuple):
    """The modes at one moment; none where the controller has none.

    Attributes:
        modes: In the order of the controller's file.
        confirmed: The mode that is.
        entered: The mode that is being entered; else the same.
        asked: The mode that was asked for last.
        outcome: What became of it: `under way`, `confirmed` or `refused`.
        reason: Why it was refused, or came by itself.
        picture: The modes and the ways between them, as SVG.
    """

    modes: tuple[ModeView, ...] = ()
    confirmed: str = ""
    entered: str = ""
    asked: str = ""
    outcome: str = ""
    reason: str = ""
    picture: str = ""


def modes_seen(answer: Message) -> ModesSeen:
    """Return what `diagnostics/getModes` answers."""
    state = answer.state
    rows = zip(answer.modes, answer.options, strict=True)
    return ModesSeen(
        tuple(
            ModeView(
                str(mode.name), str(mode.description), bool(option.allowed), str(option.reason)
            )
            for mode, option in rows
        ),
        str(state.confirmed),
        str(state.entered),
        str(state.asked),
        str(state.outcome),
        str(state.reason),
        told_picture(answer),
    )
