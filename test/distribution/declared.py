"""What the repository holds and declares."""

import subprocess
from configparser import ConfigParser

import pytest
from robots_for_tests import REPOSITORY

PACKAGES = sorted(path.parent for path in REPOSITORY.glob("controlit_*/__init__.py"))


def tracked():
    """Return the names of the repository's files, or skip where there is no repository."""
    done = subprocess.run(
        ["git", "-C", REPOSITORY, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        pytest.skip("this is no clone of the repository")
    names = filter(None, done.stdout.split("\0"))
    return sorted(name for name in names if (REPOSITORY / name).is_file())


def entry_points(text):
    """Return group, name and object of each entry point of a setup.cfg or an entry_points.txt."""
    parser = ConfigParser(delimiters=("=",), interpolation=None)
    parser.optionxform = str
    parser.read_string(text)
    if parser.has_section("options.entry_points"):
        return {
            (group, *(part.strip() for part in line.split("=")))
            for group, lines in parser["options.entry_points"].items()
            for line in lines.strip().splitlines()
        }
    return {(group, *pair) for group in parser.sections() for pair in parser[group].items()}


def declared_entry_points():
    """Return the entry points of ours: group, name, object."""
    return entry_points((REPOSITORY / "setup.cfg").read_text(encoding="utf-8"))
