"""docs/plugins.md has a line on each kind of plugin, and says of each what a new one touches."""

import configparser
import re

from test_readme import ROOT

PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
WORDS = {
    "behaviours": "a behaviour",
    "commands": "a command",
    "constraints": "a constraint",
    "control_laws": "a control law",
    "conversions": "a conversion",
    "binding_factories": "a binding factory",
    "demonstrations": "a demonstration",
    "estimators": "an estimator",
    "inequalities": "an inequality",
    "messages": "a message",
    "null_space_projectors": "a null-space projector",
    "prioritisations": "a prioritisation",
    "qp_solvers": "a solver of quadratic programs",
    "robot_interfaces": "a robot interface",
    "servo_clocks": "a servo clock",
    "tasks": "a task",
    "transports": "a transport",
    "whole_body_controllers": "a controller",
}
"""What the page calls one of a kind, by entry point group."""


def rows(heading):
    table = PAGE.split(f"\n| {heading} |", 1)[1].split("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


def own_groups():
    parser = configparser.ConfigParser()
    parser.optionxform = str
    parser.read(ROOT / "setup.cfg")
    groups = parser["options.entry_points"]
    return {name.removeprefix("controlit.") for name in groups if name.startswith("controlit.")}


def test_each_kind_has_its_line():
    told = {re.sub(r"`|controlit\.", "", row[0]) for row in rows("entry point group")}
    assert own_groups() <= told == set(WORDS)


def test_each_kind_is_told_what_it_touches():
    kinds = [kind for row in rows("to add") for kind in row[0].split(", ")]
    assert sorted(kinds) == sorted(WORDS.values())


def test_a_package_of_ones_own_has_two_files_to_touch():
    for kinds, own, _ in rows("to add"):
        assert own.endswith("a line in `setup.cfg`"), kinds
        assert own.count(",") == 1, kinds
