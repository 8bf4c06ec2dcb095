"""Contacts that pull, slip, tip or twist under an effort, and the tasks that ask for it."""

from collections.abc import Iterator

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ContactConstraint
from controlit_ros.explanations.explanation import Cause, CauseKind
from controlit_ros.explanations.trials import Trials
from controlit_ros.tasks import CompoundTask

SIDES = 64  # [#] of the polygon that stands for the circle of friction here
EASED = 0.5  # [-] of what is beyond: a task without which no more is left asks for it


def contact_causes(trials: Trials, stack: CompoundTask, effort: Array) -> list[Cause]:
    """Return the contacts that do not bear an effort, `(na,)`."""
    if not trials.situation.constraints.with_reactions:
        return []
    return list(_found(trials, stack, effort))


def _found(trials: Trials, stack: CompoundTask, effort: Array) -> Iterator[Cause]:
    contacts = trials.situation.constraints.contacts
    wrenches = _wrenches(trials, stack, effort)
    for number, contact in enumerate(contacts):
        if not (contact.is_enabled and contact.needs_reactions):
            continue
        force, moment = _own_axes(trials, contact, wrenches[number])
        complaint = contact.hold().complaint(force, moment)
        if not complaint:
            continue
        beyond = _beyond(contact, force, moment)
        held = tuple(_asking(trials, number, contact, beyond))
        text = f"contact {contact.name!r}: {complaint}; {beyond:.3g} N beyond what it bears"
        yield Cause(CauseKind.CONTACT, contact.name, text, beyond, "N", held)


def _asking(
    trials: Trials, number: int, contact: ContactConstraint, beyond: float
) -> Iterator[str]:
    """Yield the tasks without which a contact would bear what is left."""
    for task in trials.enabled:
        stack = trials.without(task)
        effort = trials.effort(stack)
        if effort is None:
            continue
        wrench = _wrenches(trials, stack, effort)[number]
        if _beyond(contact, *_own_axes(trials, contact, wrench)) < EASED * beyond:
            yield task.name


def _wrenches(trials: Trials, stack: CompoundTask, effort: Array) -> Array:
    situation = trials.situation
    wrenches = np.full((len(situation.constraints.contacts), 6), np.nan)
    load = stack.load if stack.has_force_rows else None
    situation.model.write_contact_wrenches(effort, wrenches, load)
    return wrenches


def _own_axes(trials: Trials, contact: ContactConstraint, wrench: Array) -> tuple[Array, Array]:
    axes = contact.axes(trials.situation.model.robot_model)
    return axes.T @ wrench[:3], axes.T @ wrench[3:]


def _beyond(contact: ContactConstraint, force: Array, moment: Array) -> float:
    """Return by how much the worst row of the cone is passed [N]."""
    return contact.hold().cone(SIDES).beyond(np.concatenate([force, moment]))
