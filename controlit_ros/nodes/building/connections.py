"""Events and bindings: what is tied to parameters by their full names."""

import re
from collections.abc import Sequence

from controlit_ros.bindings import BindingConfig, Direction, contact_bindings, default_bindings
from controlit_ros.configuration import EventEntry, KeyPath, PluginKind, load_plugin
from controlit_ros.constraints import ContactConstraint
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.nodes.controller_stack import BoundParameter
from controlit_ros.parameters import Event, ExpressionError, ParameterDirectory
from controlit_ros.parameters.mailbox import check_assignable
from controlit_ros.tasks import Task


def build_events(builder: SectionBuilder, directory: ParameterDirectory) -> tuple[Event, ...]:
    """Return the events whose conditions can be read, in the order of the file."""
    built = []
    for i, entry in enumerate(builder.configuration.events):
        if builder.unbuilt.isdisjoint(owners_in(entry)):  # or it is told what is wrong with one
            event = build_event(builder, i, directory)
            if event is not None:
                built.append(event)
    return tuple(built)


def build_event(builder: SectionBuilder, index: int, directory: ParameterDirectory) -> Event | None:
    """Return the event of one entry; `None` if its conditions cannot be read."""
    entry = builder.configuration.events[index]
    try:
        event = Event(entry.name, entry.expression, directory, entry.until or "")
    except ExpressionError as error:
        key = "expression" if error.expression == entry.expression else "until"
        builder.problems.add(("events", index, key), str(error))
        return None
    event.enabled.set(entry.enabled)
    event.hold.set(entry.hold)
    return event


def owners_in(entry: EventEntry) -> set[str]:
    """Return the names of the parts whose parameters an event looks at."""
    return set(re.findall(r"[A-Za-z_]\w*(?=\.)", f"{entry.expression} {entry.until or ''}"))


def build_bindings(
    builder: SectionBuilder,
    directory: ParameterDirectory,
    tasks: Sequence[Task],
    contacts: Sequence[ContactConstraint],
) -> tuple[BoundParameter, ...]:
    """Return the stated bindings in the order of the file, and the default ones."""
    stated = []
    for i, entry in enumerate(builder.configuration.bindings):
        properties = entry.properties
        config = BindingConfig(
            parameter=entry.parameter,
            direction=Direction(entry.direction),
            topic=entry.topic,
            publish_rate=properties.publish_rate or 0.0,
            queue_size=properties.queue_size,
            latched=properties.latched,
            message_type=properties.message_type or "",
        )
        stated.append(BoundParameter(config, entry.transport_type))
        if entry.parameter.partition(".")[0] not in builder.unbuilt:
            _check_binding(builder, directory, stated[-1], ("bindings", i))
    if not builder.configuration.parameters.default_bindings:
        return tuple(stated)
    configs = [bound.config for bound in stated]
    defaults = (*default_bindings(tasks, configs), *contact_bindings(contacts, configs))
    return (*stated, *(BoundParameter(config, "topic") for config in defaults))


def _check_binding(
    builder: SectionBuilder, directory: ParameterDirectory, bound: BoundParameter, path: KeyPath
) -> None:
    config = bound.config
    try:
        parameter = directory[config.parameter]
        if config.direction is Direction.INPUT:
            check_assignable(parameter)
    except ControlItError as error:
        builder.problems.add((*path, "parameter"), str(error))
        return
    try:
        load_plugin(PluginKind.BINDING_FACTORY, bound.transport_type).check(config, parameter)
    except ControlItError as error:
        builder.problems.add((*path, "properties"), str(error))
