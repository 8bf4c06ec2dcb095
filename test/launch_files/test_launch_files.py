"""Launch files compile, and layouts can be read, with and without ROS 2."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "launch").glob("*.launch.py")), ids=lambda p: p.name
)
def test_launch_files_compile(path):
    names = compile(path.read_text(encoding="utf-8"), str(path), "exec").co_names
    assert "generate_launch_description" in names


def test_layouts_can_be_read():
    ET.parse(ROOT / "config" / "plotjuggler" / "dreamer.xml")
    layout = json.loads((ROOT / "config" / "foxglove" / "dreamer.json").read_text())
    shown = json.dumps(layout["layout"])
    assert all(f'"{panel}"' in shown for panel in layout["configById"])
    assert YAML(typ="safe").load(ROOT / "config" / "diagnostic_aggregator.yml")
