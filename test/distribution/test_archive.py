"""The source archive, and what is installed from it."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from declared import PACKAGES, declared_entry_points, tracked
from patience import GENEROUS
from robots_for_tests import REPOSITORY

pytestmark = [pytest.mark.processes, pytest.mark.commands]

NOT_IN_IT = {".ci/run", ".gitignore"}
"""What only the repository needs."""

LIST = """
import json, sys
from importlib.metadata import distribution
import controlit_ros
points = distribution("controlit").entry_points
for point in points:
    if point.value.startswith("controlit_ros.robots"):
        point.load()
print(json.dumps([controlit_ros.__file__, [[p.group, p.name, p.value] for p in points]]))
"""


def python(*arguments, **options):
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True, text=True, check=False, timeout=GENEROUS, **options,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Build the source archive from a copy of the repository's files."""
    pytest.importorskip("setuptools", "77.0.3", reason="pip builds with setuptools")
    source = tmp_path_factory.mktemp("source")
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(REPOSITORY / name, source / name)
    folder = tmp_path_factory.mktemp("dist")
    build = f"from setuptools import build_meta; build_meta.build_sdist({str(folder)!r})"
    python("-c", build, cwd=source)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def installed(archive, tmp_path_factory):
    """Install the archive, and nothing else, into a folder of its own."""
    folder = tmp_path_factory.mktemp("installed")
    python(
        "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation",
        "--target", folder, archive, cwd=folder,
    )  # fmt: skip
    return folder


def test_the_archive_has_every_file_of_the_repository(archive):
    with tarfile.open(archive) as files:
        names = {
            name.partition("/")[2] for name in files.getnames() if files.getmember(name).isfile()
        }
    assert set(tracked()) - names == NOT_IN_IT
    added = {name for name in names - set(tracked()) if ".egg-info/" not in name}
    assert added <= {"PKG-INFO"}


def test_every_module_and_shared_file_is_installed(installed):
    packages = [path.name for path in PACKAGES]
    missing = [
        name
        for name in tracked()
        if name.partition("/")[0] in packages and not (installed / name).is_file()
    ]
    assert not missing
    share = installed / "share" / "controlit"
    folders = ("action/", "config/", "launch/", "msg/", "srv/", "urdf/")
    assert not [
        name for name in tracked() if name.startswith(folders) and not (share / name).is_file()
    ]


def test_what_is_installed_has_the_plugins_and_runs(installed):
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    file, points = json.loads(python("-c", LIST, cwd=installed, env=environment))
    assert Path(file).is_relative_to(installed)
    assert {tuple(point) for point in points} == declared_entry_points()
    main = "import sys; from controlit_ros.cli.main import main; sys.exit(main(sys.argv[1:]))"
    python("-c", main, "plugins", "list", cwd=installed, env=environment)
