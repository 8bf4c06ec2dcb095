"""The state of a running controller as a configuration that can be loaded."""

import math
from functools import partial
from operator import eq
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from controlit_ros.configuration import Configuration
from controlit_ros.configuration.described import Described
from controlit_ros.configuration.robot_description import is_inline
from controlit_ros.configuration.sections import ENTRY_NAMES
from controlit_ros.configuration.text_editing import TOP, Setting, edit_text, without_entries
from controlit_ros.constraints.constraint import DISABLE, FORCE_DISABLE
from controlit_ros.modes import Modes
from controlit_ros.nodes.controller_stack import ALTERNATIVES, ControllerStack
from controlit_ros.nodes.describe import configuration_text
from controlit_ros.parameters import Access, Parameter, ParameterError, ParameterReflection, Patch
from controlit_ros.tasks import PIDController, Task

Sections: TypeAlias = dict[str, dict[str, Setting]]
Entries: TypeAlias = dict[str, dict[str, dict[str, Setting]]]

TAKES_PART = ("priority", "operational_state")
"""Parameters of tasks and constraints that stand in `compound_task` and `constraint_set`."""
REFERENCES = ("robot_description", "semantic_description")
"""Keys that name a file, by a path that may begin at the folder of the configuration."""
DECLARING = ("tasks", "constraints", "events")
"""Sections whose entries may come while a controller runs."""
KEPT = ("tasks", "compound_task", "constraints", "constraint_set", "events")
"""Sections whose entries may leave meanwhile."""


def running_text(stack: ControllerStack, folder: Path | None = None) -> str:
    """Return the configuration that a running controller would start from to be where it is.

    That is the text it was loaded from, comments and all, with what was set from outside (`--set`)
    and with the present value of every parameter that can change at run time. A goal that was
    latched counts as stated, as the robot shall return to it; feed-forward does not, as it belongs
    to a motion that will be over.

    Args:
        stack: The controller.
        folder: Where the text will be stored; a relative path of the robot description is kept
            only there where it was read from.

    Raises:
        TextEditingError: The entries of the original are too entangled.
    """
    configuration = stack.configuration
    sections, entries = _overridden(configuration)
    for owner in (stack.controller, stack.robot_interface, stack.clock):
        sections.setdefault(owner.name, {}).update(_settings(owner))
    if stack.friction is not None:
        sections.setdefault(stack.friction.name, {}).update(_settings(stack.friction))
    if stack.estimator is not None:
        sections.setdefault(stack.estimator.name, {}).update(_settings(stack.estimator))
    sections[TOP].update(kept_references(configuration, folder))
    tasks, constraints = stack.tasks.tasks, stack.constraints.constraints
    present: Entries = {
        "tasks": {task.name: _task_settings(task, configuration) for task in tasks},
        "constraints": {constraint.name: _settings(constraint) for constraint in constraints},
        "inequalities": {each.name: _settings(each) for each in stack.controller.inequalities},
        "behaviours": {each.name: _settings(each) for each in stack.behaviours},
        "compound_task": {task.name: _part(task) for task in tasks},
        "constraint_set": {constraint.name: _part(constraint) for constraint in constraints},
        ALTERNATIVES: {part.name: _settings(part) for part in stack.controller.parts[1:]},
        "events": {event.name: _settings(event) for event in stack.events},
    }
    if stack.modes is not None:
        _leave_to_modes(stack.modes, sections, present)
    lasting = {c.name for c in constraints if c.lasting}
    for section in DECLARING:
        for entry in getattr(configuration, section):
            if entry.name in lasting:  # maybe of the robot description, and not of the file
                continue
            entries[section][entry.name] = _declared(entry) | entries[section].get(entry.name, {})
    for section, named in present.items():
        for name, settings in named.items():
            entries[section].setdefault(name, {}).update(settings)
    kept = {section: set(present[section]) for section in KEPT}
    kept["bindings"] = {entry.topic for entry in configuration.bindings}
    text = configuration.text or configuration_text(stack)
    return edit_text(without_entries(text, kept), sections, entries)


def _leave_to_modes(modes: Modes, sections: Sections, present: Entries) -> None:
    """Leave as the file has it what modes set: it says what other modes are."""
    holders = [sections, *present.values()]
    for parameter in modes.ordered:
        for named in holders:
            named.get(parameter.owner, {}).pop(parameter.name, None)


def _declared(entry: Described) -> dict[str, Setting]:
    """Return what the entry of a part says, for a file that has none: it was added since."""
    return {
        key: Setting(value, _always)
        for key, value in entry.model_dump(mode="json", exclude_defaults=True).items()
    }


def _always(_found: Any) -> bool:
    return True


def _overridden(configuration: Configuration) -> tuple[Sections, Entries]:
    """Return what was set from outside: by section, and by section and name of an entry."""
    values = configuration.model_dump(mode="json")
    sections: Sections = {TOP: {}}
    entries: Entries = {section: {} for section in ENTRY_NAMES}
    for section, *rest in configuration.overridden:
        holder: Any = values
        settings = sections[TOP]
        for key in (section, *rest)[:-1]:
            holder = holder[key]
        if len(rest) == 1:
            settings = sections.setdefault(str(section), {})
        elif rest:
            name = holder[ENTRY_NAMES[str(section)]]
            settings = entries[str(section)].setdefault(name, {})
        last = (section, *rest)[-1]
        settings[str(last)] = Setting(holder[last], partial(eq, holder[last]))
    return sections, entries


def kept_references(configuration: Configuration, folder: Path | None) -> dict[str, Setting]:
    """Return what relative paths to descriptions must become where the file is stored elsewhere.

    Args:
        configuration: As it was read.
        folder: Where the text will be stored; `None`: nowhere yet.
    """
    home = configuration.folder.resolve()
    if folder is not None and folder.resolve() == home:
        return {}
    kept = {}
    for key in REFERENCES:
        reference = getattr(configuration, key)
        if reference is not None and _is_relative(reference):
            absolute = str((home / reference).resolve())
            kept[key] = Setting(absolute, partial(eq, absolute))
    return kept


def _is_relative(reference: str) -> bool:
    is_path = not is_inline(reference) and "://" not in reference
    return is_path and not Path(reference).expanduser().is_absolute()


def _settings(owner: ParameterReflection) -> dict[str, Setting]:
    passing = (owner.goal_velocity, owner.goal_acceleration) if isinstance(owner, Task) else ()
    return {
        name: Setting(
            plain_value(parameter), partial(_means, parameter), _is_needed(owner, parameter)
        )
        for name, parameter in owner.parameters.items()
        if parameter.access is Access.RUN_TIME
        and name not in TAKES_PART
        and not any(parameter is other for other in passing)
    }


def _task_settings(task: Task, configuration: Configuration) -> dict[str, Setting]:
    """Return settings with gains said in one way: as the file does, if that is still so."""
    settings, law = _settings(task), task.controller
    if not isinstance(law, PIDController):
        return settings
    stated = next((e.parameters for e in configuration.tasks if e.name == task.name), {})
    gains = [gain for gain in (law.kp, law.kd) if gain.name in settings]
    if law.design.is_whole and not any(gain.name in stated for gain in gains):
        return {key: settings[key] for key in settings if key not in {g.name for g in gains}}
    for parameter in law.design.parameters:
        off = parameter.default[0] if parameter.default else 0.0
        settings[parameter.name] = Setting(off, partial(eq, off), is_needed=False)
    return settings


def _part(owner: ParameterReflection) -> dict[str, Setting]:
    return {
        name: _part_setting(owner.parameters[name])
        for name in TAKES_PART
        if name in owner.parameters
    }


def _part_setting(parameter: Parameter) -> Setting:
    if parameter.value == FORCE_DISABLE:  # at the start it takes no force
        return Setting(DISABLE, partial(eq, DISABLE))
    return Setting(plain_value(parameter), partial(_means, parameter))


def _is_needed(owner: ParameterReflection, parameter: Parameter) -> bool:
    """Tell whether a file has to state a parameter that it leaves out."""
    if isinstance(owner, Task) and parameter is owner.goal:
        is_latched = math.isfinite(owner.error_norm.value)  # as it is when a task begins to count
        if parameter.stated or is_latched:
            return True
    return bool(parameter.snapshot() != parameter.default)


def plain_value(parameter: Parameter) -> Any:
    """Return the value in the shortest form that configurations take."""
    value = parameter.snapshot()
    if not parameter.is_array:
        return value
    if parameter.broadcast and np.ptp(parameter.value) == 0.0:
        return parameter.value.item(0)
    return dict(zip(parameter.labels, value, strict=True)) if parameter.labels else value


def _means(parameter: Parameter, found: Any) -> bool:
    """Tell whether what a file says makes the parameter what it is now."""
    try:
        value = parameter.validate(found)
    except ParameterError:
        return False
    if not parameter.is_array:
        return bool(value == parameter.value)
    if isinstance(value, Patch):
        whole = np.array(parameter.default)
        whole[value.indices] = value.values
        value = whole
    if parameter.unit_length:  # made so again at each reading, which may cost the last digit
        return bool(np.allclose(value, parameter.value, rtol=0.0, atol=1e-15))
    return bool(np.array_equal(value, parameter.value))
