"""The sections of a configuration: which hold one part, which hold lists, and what names them."""

PARTS = (
    "robot_interface",
    "simulator",
    "whole_body_controller",
    "friction_compensation",
    "estimation",
    "servo_clock",
)
"""Sections that are a map of the parameters of one part."""

ENTRY_NAMES = {
    "tasks": "name",
    "constraints": "name",
    "inequalities": "name",
    "behaviours": "name",
    "whole_body_controllers": "name",
    "compound_task": "name",
    "constraint_set": "name",
    "bindings": "topic",
    "events": "name",
}
"""Sections that are lists, and by which key their entries are told apart."""

LISTINGS = {"tasks": "compound_task", "constraints": "constraint_set"}
"""Where it stands how what a section declares takes part."""

NAMED = tuple(
    section
    for section, key in ENTRY_NAMES.items()
    if key == "name" and section not in LISTINGS.values()
)
"""Lists that declare parts: none of their names is given twice in a controller."""
