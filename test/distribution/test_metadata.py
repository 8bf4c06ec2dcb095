"""Names, versions, dependencies and entry points agree wherever they are stated."""

import ast
import subprocess
import sys
from functools import cache
from importlib.metadata import packages_distributions
from xml.etree import ElementTree as ET

import pytest
from declared import PACKAGES, declared_entry_points, entry_points
from packaging.requirements import Requirement
from robots_for_tests import REPOSITORY

from controlit_ros import __version__

tomllib = pytest.importorskip("tomllib", reason="Python 3.10 reads no TOML")

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REQUIREMENTS = [
    Requirement(line)
    for lines in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    for line in lines
]

OF_ROS = {"ament_index_python", "launch", "launch_ros", "rclpy"}
"""Import names that a ROS 2 installation brings."""

NAMED_OTHERWISE = {
    "pinocchio": "pin",
    "example_robot_data": "example-robot-data",
    "pydantic_core": "pydantic",
}
"""Distributions that record no modules, or belong to another one."""

LATE = ("import_module", "self._library")
"""What imports a package by its name."""

# beside links to the package and to setup.cfg, ament_cmake_python writes this
AMENT_SETUP = """
from setuptools import find_packages, setup
packages = find_packages(include=({name!r}, {name!r} + ".*"))
setup(name={name!r}, version={version!r}, packages=packages)
"""


@cache
def brought():
    """Return the distributions that bring each package; looking takes a second."""
    return packages_distributions()


@cache
def imported(path):
    """Return the names of foreign packages that a module imports, also when it first needs them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(LATE):
            found |= {a.value.partition(".")[0] for a in node.args if isinstance(a, ast.Constant)}
    ours = {package.name for package in PACKAGES}
    return found - set(sys.stdlib_module_names) - ours - OF_ROS


def distributions(name):
    """Return the names of the distributions that may bring a package."""
    return {NAMED_OTHERWISE.get(name, name), *brought().get(name, ())}


@pytest.mark.thorough
@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_every_import_is_declared(package):
    declared = {one.name for one in REQUIREMENTS}
    names = set().union(*map(imported, package.rglob("*.py")))
    assert names
    assert [name for name in sorted(names) if not distributions(name) & declared] == []


@pytest.mark.thorough
def test_what_only_guests_need_is_an_extra():
    of_others = {"etils"}  # of mujoco
    core = set().union(*map(imported, (REPOSITORY / "controlit_ros").rglob("*.py")))
    needed = set().union(*map(distributions, core))
    always = {Requirement(line).name for line in PROJECT["dependencies"]}
    assert always - of_others <= needed


def test_whose_private_names_are_used_has_an_upper_bound():
    bounded = {one.name for one in REQUIREMENTS if "<" in str(one.specifier)}
    users = [
        path
        for package in PACKAGES
        for path in package.rglob("*.py")
        if "# noqa: SLF001 (the library" in path.read_text(encoding="utf-8")
    ]
    assert users
    for path in users:
        assert any(distributions(name) & bounded for name in imported(path)), path


def test_versions_names_and_licences_agree():
    package = ET.parse(REPOSITORY / "package.xml").getroot()
    assert package.findtext("version") == __version__
    assert package.findtext("name") == PROJECT["name"]
    assert package.findtext("license") == PROJECT["license"]


def test_the_entry_points_lead_somewhere():
    for group, name, target in declared_entry_points():
        module, _, attribute = target.partition(":")
        file = REPOSITORY.joinpath(*module.split("."))
        places = (file.with_suffix(".py"), file / "__init__.py")
        (found,) = (place for place in places if place.is_file())
        assert attribute in found.read_text(encoding="utf-8"), (group, name)


@pytest.mark.processes
@pytest.mark.commands
@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_the_build_of_ros_finds_the_entry_points_once(package, tmp_path):
    pytest.importorskip("setuptools")
    (tmp_path / package.name).symlink_to(package)
    carries_them = package.name == "controlit_ros"
    if carries_them:
        (tmp_path / "setup.cfg").symlink_to(REPOSITORY / "setup.cfg")
    text = AMENT_SETUP.format(name=package.name, version=__version__)
    (tmp_path / "setup.py").write_text(text)
    for command in (["egg_info"], ["install_scripts", "-d", "scripts"]):
        subprocess.run(
            [sys.executable, "setup.py", "--quiet", *command], cwd=tmp_path, check=True, timeout=900
        )
    found = tmp_path / f"{package.name}.egg-info" / "entry_points.txt"
    listed = entry_points(found.read_text()) if found.is_file() else set()
    assert listed == (declared_entry_points() if carries_them else set())
    assert (tmp_path / "scripts" / "controlit").is_file() == carries_them
