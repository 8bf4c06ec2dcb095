"""The client in C++ is complete: it compiles with the types of our action, as rosidl makes them."""

import shutil
import subprocess
from pathlib import Path

import pytest
from patience import GENEROUS
from robots_for_tests import REPOSITORY

from controlit_ros.interfaces import Cardinality, type_book

pytestmark = [pytest.mark.processes, pytest.mark.commands]

EXAMPLE = REPOSITORY / "examples" / "cpp_client"
PAGE = REPOSITORY / "docs" / "actions.md"
STUBS = Path(__file__).parent / "cpp_stubs"
ACTION = "controlit/action/MoveTask"
TYPES = {"float64": "double", "int32": "std::int32_t", "string": "std::string"}
DURATION = "builtin_interfaces/msg/Duration"
SCALARS = {**TYPES, DURATION: "builtin_interfaces::msg::Duration"}
HEADER = """
#pragma once
#include <cstdint>
#include <string>
#include <vector>
namespace builtin_interfaces::msg
{{ struct Duration {{ std::int32_t sec; std::uint32_t nanosec; }}; }}
namespace controlit::action {{ struct MoveTask {{ {parts} }}; }}
"""


def structure(part):
    """Return a part of the action in C++, with fields and constants of the types of rosidl."""
    definition = type_book().definition(f"{ACTION}_{part}")
    members = [
        f"static constexpr std::int32_t {name} = {value};"
        for name, value in definition.constants.items()
    ]
    for name, field in definition.fields.items():
        kind = SCALARS[field.base]
        is_one = field.cardinality is Cardinality.SCALAR
        members.append(f"{kind if is_one else f'std::vector<{kind}>'} {name};")
    return f"struct {part} {{ {' '.join(members)} }};"


@pytest.fixture
def compiled(tmp_path):
    """Compile a program, and return what the compiler says."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("needs a compiler of C++")
    header = tmp_path / "controlit" / "action" / "move_task.hpp"
    header.parent.mkdir(parents=True)
    parts = " ".join(structure(part) for part in ("Goal", "Result", "Feedback"))
    header.write_text(HEADER.format(parts=parts), encoding="utf-8")

    def compiled(text):
        source = tmp_path / "program.cpp"
        source.write_text(text, encoding="utf-8")
        strict = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only")
        command = [compiler, *strict, f"-I{tmp_path}", f"-I{STUBS}", str(source)]
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=GENEROUS, check=False
        )
        return result.stderr

    return compiled


def test_the_example_compiles(compiled):
    text = (EXAMPLE / "src" / "move_task.cpp").read_text(encoding="utf-8")
    assert compiled(text) == ""
    assert "no member named" in compiled(text.replace("goal.speed", "goal.haste"))


def test_the_lines_of_the_page_compile(compiled):
    (lines,) = PAGE.read_text(encoding="utf-8").split("```cpp\n")[1:]
    include, _, body = lines.partition("```")[0].partition("\n")
    program = f"""
{include}
#include <rclcpp_action/rclcpp_action.hpp>
void move(rclcpp::Node::SharedPtr node) {{ {body} }}
"""
    assert compiled(program) == ""


def test_its_package_names_what_it_includes():
    for file in ("package.xml", "CMakeLists.txt"):
        text = (EXAMPLE / file).read_text(encoding="utf-8")
        assert all(name in text for name in ("controlit", "rclcpp", "rclcpp_action"))
