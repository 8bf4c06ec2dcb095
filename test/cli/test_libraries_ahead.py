"""Shared libraries that are opened beside imports."""

import subprocess
import sys
import threading

import pytest

from controlit_ros.cli import libraries_ahead
from controlit_ros.cli.libraries_ahead import LIBRARIES, libraries_opened_ahead, library_files


def test_each_library_that_is_installed_is_found():
    for package, stem in LIBRARIES:
        pytest.importorskip(package)
        assert any(path.name.startswith(stem.rpartition("/")[2]) for path in library_files())


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="lists what is open as Linux does")
def test_they_are_open_before_they_are_imported_and_no_thread_is_left():
    code = (
        "import sys, threading; from pathlib import Path\n"
        "from controlit_ros.cli.libraries_ahead import library_files, libraries_opened_ahead\n"
        "with libraries_opened_ahead(): pass\n"
        "maps = Path('/proc/self/maps').read_text()\n"
        "paths = [str(path.resolve()) for path in library_files() if '.so' in path.name]\n"
        "assert paths and all(path in maps for path in paths)\n"
        "assert threading.active_count() == 1\n"
        "assert not {'pinocchio', 'llvmlite'} & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_cannot_be_opened_is_left_to_its_import(tmp_path, monkeypatch):
    broken = tmp_path / "library.so"
    broken.write_text("no library")
    monkeypatch.setattr(libraries_ahead, "library_files", lambda: [broken, tmp_path / "none.so"])
    before = threading.active_count()
    with libraries_opened_ahead():
        pass
    assert threading.active_count() == before


def test_what_is_not_installed_is_not_looked_for(monkeypatch):
    monkeypatch.setattr(libraries_ahead, "LIBRARIES", (("no_such_package", "library"),))
    assert library_files() == []
