"""A controller file with the gains that were found."""

from collections.abc import Iterable
from functools import partial
from operator import eq
from pathlib import Path

from controlit_ros.arrays import Array
from controlit_ros.configuration import Configuration
from controlit_ros.configuration.text_editing import TOP, Setting, edit_text
from controlit_ros.configuration.yaml_reader import read_yaml
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.describe import configuration_text
from controlit_ros.nodes.running_configuration import REFERENCES, kept_references, plain_value
from controlit_ros.parameters import Parameter
from controlit_ros.tasks import PIDController, Task
from controlit_ros.tuning.tuner import TaskTuning

DIGITS = 3  # [-] of gains that people read


def recommended_text(stack: ControllerStack, found: Iterable[TaskTuning], folder: Path) -> str:
    """Return the text of a file with the gains that are recommended; all else stays.

    Tasks that state a bandwidth or a settling time go on doing so. Values that were set from
    outside, under which gains were found, do not get into the text.

    Args:
        stack: The controller of the file, which runs no more: its gains change, too.
        found: Results, of which those without recommended gains change nothing.
        folder: Where the text will be stored.

    Raises:
        ControlItError: The entries of the text are too entangled.
    """
    configuration = stack.configuration
    tasks = {task.name: task for task in stack.tasks.tasks}
    gains = {t.name: _settings(tasks[t.name], t) for t in found if t.recommended is not None}
    references = kept_references(_as_stated(configuration), folder)
    text = configuration.text or configuration_text(stack)
    return edit_text(text, {TOP: references}, {"tasks": gains})


def _as_stated(configuration: Configuration) -> Configuration:
    """Return a configuration whose references are those of its text, not set from outside."""
    others = [key for key in REFERENCES if (key,) in configuration.overridden]
    if not (others and configuration.text):
        return configuration
    stated = read_yaml(configuration.text).data
    return configuration.model_copy(update={key: stated.get(key) for key in others})


def _settings(task: Task, tuned: TaskTuning) -> dict[str, Setting]:
    settings = {}
    for parameter, values in _values(task, tuned):
        parameter.assign(_rounded(values))
        value = plain_value(parameter)
        settings[parameter.name] = Setting(value, partial(eq, value), bool(parameter.value.any()))
    return settings


def _values(task: Task, tuned: TaskTuning) -> list[tuple[Parameter, Array]]:
    """Return what a file states of the gains of a task, with the values it should have."""
    law = task.controller
    if isinstance(law, PIDController) and law.design.is_whole:
        changes = {law.bandwidth: tuned.factor, law.settling_time: 1.0 / tuned.factor}
        return [(p, factor * p.value) for p, factor in changes.items() if p.value.any()]
    assert tuned.recommended is not None
    return list(zip(law.gains, tuned.recommended, strict=True))


def _rounded(values: Array) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values.tolist()]
