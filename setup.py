"""Tell pip which files are shared beside the packages; all else stands in pyproject.toml.

colcon reads CMakeLists.txt and package.xml instead.
"""

from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
SHARE = "share/controlit"


def data_files() -> list[tuple[str, list[str]]]:
    """List the shared files of the package, folder by folder, below `share/controlit`."""
    found: dict[str, list[str]] = {SHARE: ["package.xml"]}
    for folder in ("action", "benchmarks/peers", "config", "launch", "msg", "srv", "urdf"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                relative = path.relative_to(ROOT)
                found.setdefault(f"{SHARE}/{relative.parent.as_posix()}", []).append(
                    relative.as_posix()
                )
    return sorted(found.items())


setup(data_files=data_files())
