"""Commands to parts that no mode knows: accepted by every mode that accepts any command."""

from types import SimpleNamespace

import pytest

from controlit_ros.modes import Mode, ModeGraph, ModeParameters, Modes
from controlit_ros.modes.mode_gate import ModeGate, NotTakenError
from controlit_ros.modes.newcomers import Newcomers
from controlit_ros.parameters import ParameterReflection
from controlit_ros.parameters.prepared_values import PreparedValues

NAME = "stand"


def modes_of(taken, extra):
    """Return one mode that accepts goals of some tasks and some other parameters."""
    nothing = ((),) * 7
    mode = Mode(NAME, "", PreparedValues(()), *nothing, frozenset(), taken, extra, "")
    shown, graph = ModeParameters([NAME], NAME, is_floating=False), ModeGraph([NAME], NAME, [])
    return Modes(shown, graph, {NAME: mode}, {}, frozenset(), Newcomers())


@pytest.mark.parametrize(
    ("taken", "extra", "accepts"),
    [((), (), False), (("Hand",), (), True), ((), ("Hand.kp",), True), (("Hand",), ("x.y",), True)],
)
def test_unknown_parts_are_commanded_where_the_mode_accepts_any_command(taken, extra, accepts):
    modes, part = modes_of(taken, extra), ParameterReflection("added")
    state = part.declare("operational_state", "enable")
    modes.newcomers.enroll(SimpleNamespace(operational_state=state))
    gate = ModeGate(modes)
    assert modes.refuses(NAME, state) is not accepts
    for check in (lambda: gate.check([state]), lambda: gate.check_goal("Other")):
        if accepts:
            check()
        else:
            with pytest.raises(NotTakenError, match=f"is not taken in mode {NAME}, which takes no"):
                check()
