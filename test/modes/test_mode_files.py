"""What is wrong with a section `modes`, told with its place and the nearest name."""

import pytest
from modal_pendulum import modal_pendulum

from controlit_ros.configuration import ConfigurationError
from controlit_ros.nodes.building import load_stack

HEAD = "\nmodes:\n  initial: {initial}\n  states:\n{states}\n  transitions:\n{transitions}\n"
STATES = "    - {name: rest, tasks: [Posture], commands: []}\n    - {name: work, tasks: [Posture]}"
WAYS = "    - {out_of: [rest], into: work}\n    - {out_of: [work], into: rest}"


def load(folder, states=STATES, transitions=WAYS, initial="rest"):
    section = HEAD.format(initial=initial, states=states, transitions=transitions)
    return load_stack(modal_pendulum(folder, section))


def work(folder, **keys):
    """Load a file whose mode `work` says something more."""
    more = "".join(f", {key}: {value}" for key, value in keys.items())
    return load(folder, STATES.replace("{name: work, tasks: [Posture]}", f"{{name: work{more}}}"))


def test_a_section_that_is_in_order(tmp_path):
    stack = load(tmp_path)
    assert stack.modes.graph.names == ("rest", "work")
    assert not [text for text in stack.warnings if "modes" in text]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"tasks": "[Postur]"}, "unknown task 'Postur' (did you mean 'Posture'?)"),
        ({"constraints": "[Bas]"}, "unknown constraint 'Bas' (did you mean 'Base'?)"),
        ({"latch": "[Postur]"}, "unknown task 'Postur'"),
        ({"tasks": "[]", "latch": "[Posture]"}, "which does not act in this mode"),
        ({"commands": "[Postur]"}, "unknown task 'Postur'"),
        ({"commands": "[Posture.kq]"}, "unknown parameter"),
        ({"set": "{Posture.kq: 1}"}, "unknown parameter"),
        ({"set": "{Posture.kp: -1}"}, "Posture.kp: found -1 (too small)"),
        ({"set": "{Posture.goal_position: 1}"}, "is a goal: expected it in goals"),
        ({"set": "{modes.asked: rest}"}, "asks for modes: expected other parameters"),
        ({"goals": "{Posture: [1, 2]}"}, "found [1, 2]"),
        ({"goals": "{Postur: 1}"}, "unknown task 'Postur'"),
        ({"controller": "Fast"}, "expected a section whole_body_controllers"),
        ({"task": "[Posture]"}, "unknown key 'task' (did you mean 'tasks'?)"),
        ({"return_share": "2"}, "expected a number <= 1"),
    ],
)
def test_what_a_mode_cannot_say(tmp_path, keys, told):
    with pytest.raises(ConfigurationError) as error:
        work(tmp_path, **keys)
    assert told in str(error.value)
    assert "modes.states[1]" in str(error.value)


@pytest.mark.parametrize(
    ("ways", "told"),
    [
        ("{out_of: [rest], into: wrok}", "unknown mode 'wrok' (did you mean 'work'?)"),
        ("{out_of: [rets], into: work}", "unknown mode 'rets' (did you mean 'rest'?)"),
        ("{out_of: [work], into: work}", "leads from work to itself"),
        ("{out_of: [rest], into: work, when: Posture.error_norm}", "expected a condition"),
        ("{out_of: [rest], into: work, when: Postur.kp > 1}", "Postur"),
        ("{out_of: [rest], into: work, hold: 1}", "found hold without when"),
        ("{out_of: [rest], into: work, automatic: true}", "expected when or after beside it"),
        ("{out_of: [rest], into: work, through: rest}", "there is no direct transition"),
        ("{out_of: [rest], into: work, through: walk}", "unknown mode 'walk'"),
        ("{out_of: [rest, rest], into: work}", "repeats the transition from rest to work"),
        ("{out_of: [work], into: rest}", "no transitions lead from rest to work"),
    ],
)
def test_transitions_that_cannot_be(tmp_path, ways, told):
    with pytest.raises(ConfigurationError) as error:
        load(tmp_path, transitions=f"    - {ways}")
    assert told in str(error.value)


def test_names_of_modes(tmp_path):
    with pytest.raises(ConfigurationError, match="unknown mode 'rset'"):
        load(tmp_path, initial="rset")
    with pytest.raises(ConfigurationError, match="'rest' is taken"):
        load(tmp_path, STATES.replace("work", "rest"))
    with pytest.raises(ConfigurationError, match="'any' stands for all modes"):
        load(tmp_path, STATES.replace("work", "any"))


def test_modes_that_nothing_stops_or_that_cannot_be_left_are_warned_of(tmp_path):
    guarded = WAYS.replace("into: rest", "into: rest, after: 1")
    warnings = " ".join(load(tmp_path, transitions=guarded).warnings)
    assert (
        "modes.states[1]: no transition without a condition leads from work to a mode" in warnings
    )
    warnings = " ".join(load(tmp_path, transitions="    - {out_of: [rest], into: work}").warnings)
    assert "no transition leads out of work" in warnings


def test_a_transition_that_names_its_modes_goes_before_any(tmp_path):
    ways = "    - {out_of: [any], into: work}\n    - {out_of: [rest], into: work, after: 2}"
    graph = load(tmp_path, transitions=f"{ways}\n    - {{out_of: [any], into: rest}}").modes.graph
    assert graph.asked("rest", "work").after == 2.0
    assert graph.asked("work", "work") is None


def test_every_mode_sets_what_any_sets(tmp_path):
    modes = work(tmp_path, set="{Posture.kp: 1}", tasks="[Posture]").modes.modes
    named = [{p.full_name for p, _ in mode.order.assignments} for mode in modes.values()]
    assert named[0] == named[1]
    assert {"Posture.kp", "Posture.operational_state"} <= named[0]
