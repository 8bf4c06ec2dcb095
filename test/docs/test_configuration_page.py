"""docs/configuration.md says what the code says, and its example is a controller."""

import importlib.util
import re
from pathlib import Path

import pytest

from controlit_ros.configuration import (
    Configuration,
    ConfigurationError,
    ControllerParameters,
    configuration_schema,
)
from controlit_ros.configuration.parameters import APPENDIX_B
from controlit_ros.nodes.building import load_stack
from controlit_ros.parameters import Access
from controlit_ros.transport.domain import in_domain

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGE = (DOCS / "configuration.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reference():
    """The script that writes the tables."""
    specification = importlib.util.spec_from_file_location("reference", DOCS / "reference.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(reference):
    """Every table, as the code has it; in whatever domain this runs."""
    with in_domain("93"):
        return reference.tables()


@pytest.fixture
def example(tmp_path):
    """The controller that the page shows."""
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "example.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def rows(table):
    """Return the meaning of each parameter of a table."""
    found = re.findall(r"^\| `(\w+)` \|(?: [^|]* \|){4} ([^|]*?) \|$", table, re.MULTILINE)
    assert len(found) == table.count("\n| `")
    return dict(found)


def test_the_tables_are_those_of_the_code(reference):
    for page in reference.PAGES:
        text = page.read_text(encoding="utf-8")
        assert reference.rewritten(text) == text, "run `make docs`"


def test_what_is_wrong_is_written_anew(reference):
    wrong = PAGE.replace("| `servo_frequency` | `1000.0` | Hz |", "| `servo_frequency` | | |")
    assert wrong != PAGE
    assert reference.rewritten(wrong) == PAGE


def test_every_table_is_on_the_page(reference, made):
    pages = [page.read_text(encoding="utf-8") for page in reference.PAGES]
    assert sorted(found[1] for page in pages for found in reference.BLOCK.findall(page)) == sorted(
        made
    )


def test_every_section_and_parameter_has_a_row_that_tells_its_meaning(made):
    controllers = rows(made["AppendixB"]) | rows(made["Ours"])
    assert controllers.keys() == ControllerParameters.model_fields.keys()
    assert rows(made["Configuration"]).keys() == Configuration.model_fields.keys()
    assert all(meaning for text in made.values() for meaning in rows(text).values())


def test_what_is_the_papers_is_called_so_everywhere():
    features = (DOCS / "features.md").read_text(encoding="utf-8")
    ours = set(re.findall(r"^\| ours: `(\w+)`", features, re.MULTILINE))
    assert ControllerParameters.model_fields.keys() & ours == (
        ControllerParameters.model_fields.keys() - APPENDIX_B
    )
    assert ControllerParameters.model_fields.keys() > APPENDIX_B


def test_what_changes_while_it_runs_is_what_can_be_set(example):
    """Each key of the entries is a parameter that is set at run time, or none."""
    directory = load_stack(example).directory
    schema = configuration_schema()["$defs"]
    said, found = set(), set()
    for entry, owner in (
        ("CompoundTaskEntry", "Hand"),
        ("ConstraintSetEntry", "Base"),
        ("EventEntry", "HandConverged"),
    ):
        for key, values in schema[entry]["properties"].items():
            parameter = directory.get(f"{owner}.{key}")
            if values.get("changes_while_running"):
                said.add((entry, key))
            if parameter is not None and parameter.access is Access.RUN_TIME:
                found.add((entry, key))
    assert said == found
    assert len(said) == 5
    controllers = schema["ControllerParameters"]["properties"]
    assert not any(values.get("changes_while_running") for values in controllers.values())


def test_the_example_is_a_controller(example):
    stack = load_stack(example)
    assert stack.warnings == ()
    assert Configuration.model_fields.keys() - stack.configuration.model_fields_set == {
        "behaviours",
        "estimation",
        "friction_compensation",
        "inequalities",
        "modes",
        "robot_interface",
        "semantic_description",
        "servo_clock",
        "whole_body_controller",
        "whole_body_controllers",
    }
    example.write_text(example.read_text().replace("kd: 16", "kd: -16"), encoding="utf-8")
    with pytest.raises(ConfigurationError):
        load_stack(example)
