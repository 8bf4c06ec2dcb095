"""Values of parameters as YAML: what is written quickly is what the library writes."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from controlit_ros.configuration import load_configuration
from controlit_ros.introspection import flow_text as module
from controlit_ros.introspection.flow_text import flow_text
from controlit_ros.introspection.parameter_info import parameter_infos
from controlit_ros.nodes.building import build_stack

PLAIN = st.one_of(st.booleans(), st.integers(), st.floats(), st.text(), st.just(-0.0))


def by_the_library(value):
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = True
    yaml.width = 1_000_000
    stream = StringIO()
    yaml.dump(value, stream)
    return stream.getvalue().removesuffix("...\n").strip()


@given(st.one_of(PLAIN, st.lists(PLAIN, max_size=4), st.lists(st.floats(), max_size=4)))
def test_it_is_the_text_of_the_library(value):
    assert flow_text(value) == by_the_library(value)


@pytest.mark.parametrize(
    "value", [[], [[1.0, 2.0], [3.0]], {"a": 1.0}, None, 1e17, "yes", "1", "a: b", [1e-5, 2.0]]
)
def test_what_is_special_is_too(value):
    assert flow_text(value) == by_the_library(value)


def test_parameters_of_tasks_take_the_short_way(hands_yaml, monkeypatch):
    """Programs ask for all of them whenever a task comes or goes."""
    tasks = build_stack(load_configuration(hands_yaml)).tasks.tasks
    expected = [by_the_library(p.snapshot()) for task in tasks for p in task.parameters.values()]
    parameter_infos(tasks)  # words are kept
    long_way = []

    def written(value):
        long_way.append(value)
        return by_the_library(value)

    monkeypatch.setattr(module, "_written", written)
    assert [info.value for info in parameter_infos(tasks)] == expected
    assert len(long_way) < len(expected) / 5  # [-] not numbers, infinite, lists of words
