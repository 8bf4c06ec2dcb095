"""The types of this project obey the rules of rosidl, which builds them with colcon."""

import re
from pathlib import Path

import pytest

from controlit_ros.interfaces import type_book

ROOT = Path(__file__).resolve().parents[2]
KINDS = {"msg": 0, "srv": 1, "action": 2}  # lines --- between the parts
FILES = sorted(path for kind in KINDS for path in ROOT.glob(f"{kind}/*"))
FIELD = re.compile(r"(?!.*__)(?!.*_$)[a-z][a-z0-9_]*")
NAME = re.compile(r"[A-Z][A-Za-z0-9]*")
OTHERS = {"builtin_interfaces", "controlit", "geometry_msgs", "std_msgs"}
"""Packages whose types ours may use: those of `rosidl_generate_interfaces` in CMakeLists.txt."""


def fields_of(path):
    """Read lines of a definition as rosidl does: type, name; comments and constants left out."""
    for line in path.read_text(encoding="ascii").splitlines():
        words = line.partition("#")[0].split()
        if words and words != ["---"] and "=" not in line.partition("#")[0]:
            yield words[0], words[1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_rules_of_rosidl(path):
    assert NAME.fullmatch(path.stem)
    assert path.suffix == f".{path.parent.name}"
    for kind, name in fields_of(path):
        assert FIELD.fullmatch(name), name
        package = kind.partition("/")[0] if "/" in kind else "controlit"
        assert package in OTHERS, kind
    separators = path.read_text().splitlines().count("---")
    assert separators == KINDS[path.parent.name]


def test_all_are_in_the_book():
    book = type_book()
    known = {*book.message_types, *book.service_types}
    known |= {name.removesuffix("_Goal") for name in known if "/action/" in name}
    assert {f"controlit/{path.parent.name}/{path.stem}" for path in FILES} <= known


def test_cmake_names_the_packages():
    text = (ROOT / "CMakeLists.txt").read_text()
    (listed,) = re.findall(r"rosidl_generate_interfaces\([^)]*DEPENDENCIES ([^)]*)\)", text)
    assert set(listed.split()) >= OTHERS - {"controlit"}
    assert '"msg/*.msg" "srv/*.srv" "action/*.action"' in text
