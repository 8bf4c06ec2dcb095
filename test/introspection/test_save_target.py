"""Whatever path a caller of saveConfiguration thinks of, nothing is written elsewhere."""

import os
import socket
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controlit_ros.introspection.save_target import SaveError, SaveTarget

pytestmark = pytest.mark.processes  # one of the places it may not write to is a socket

TEXT = "name: new\n"
PARTS = (
    "..", ".", "", "~", "~root", "home", "configs", "inside", "link_out", "link_in", "link.yaml",
    "dangling.yaml", "fifo.yaml", "socket.yaml", "mine.yaml", "folder.yaml", "new.yaml", "outside",
    "secret.yaml", "dev", "null", "x" * 300 + ".yaml", "a\0b.yaml", "a\nb.yaml", "\ud800.yaml",
    ".yaml", "ü.yaml", "proc", "self", "cwd",
)  # fmt: skip


@pytest.fixture(scope="module")
def world():
    """A folder that may be written to, full of traps, and one that may not."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        configs, outside = home / "configs", home / "outside"
        (configs / "inside").mkdir(parents=True)
        (configs / "folder.yaml").mkdir()
        outside.mkdir()
        (outside / "secret.yaml").write_text("secret")
        (configs / "mine.yaml").write_text("mine")
        for folder in (configs, configs / "inside"):
            (folder / "link_out").symlink_to(outside)
            (folder / "link_in").symlink_to(configs / "inside")
            (folder / "link.yaml").symlink_to(outside / "secret.yaml")
            (folder / "dangling.yaml").symlink_to(outside / "new.yaml")
            os.mkfifo(folder / "fifo.yaml")
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(str(folder / "socket.yaml"))
        yield configs


def snapshot(folder):
    """Return all that is below a folder: what it is, where it leads, what it holds."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = None
        if stat.S_ISREG(status.st_mode):
            content = path.read_bytes()
        elif stat.S_ISLNK(status.st_mode):
            content = str(path.readlink())
        found[path] = (stat.S_IFMT(status.st_mode), content)
    return found


def save(name, folders, *, overwrite=True, text=TEXT):
    target = SaveTarget(name, folders)
    target.check(overwrite=overwrite)
    target.write(text, lambda path: path.read_text(), overwrite=overwrite)
    return target.path


@given(
    start=st.sampled_from(["/", "~/", "", "root", "root/inside", "root/..", "//", "~root/"]),
    parts=st.lists(st.sampled_from(PARTS), max_size=5),
    overwrite=st.booleans(),
)
@example(start="root", parts=["inside", "..", "..", "outside", "secret.yaml"], overwrite=True)
@example(start="root", parts=["link_out", "secret.yaml"], overwrite=True)
@example(start="root", parts=["link.yaml"], overwrite=True)
@example(start="root", parts=["inside", "fifo.yaml"], overwrite=True)
@example(start="root", parts=["inside", "new.yaml"], overwrite=False)
def test_nothing_is_written_elsewhere(world, start, parts, overwrite):
    """Either an error and all is as it was, or one regular .yaml file more or changed, below."""
    top = world.parent.parent
    before = snapshot(top)
    name = "/".join([start.replace("root", str(world), 1) if "root" in start else start, *parts])
    try:
        saved = save(name, [world], overwrite=overwrite)
    except SaveError:
        assert snapshot(top) == before
        return
    after = snapshot(top)
    changed = {path for path in after | before if after.get(path) != before.get(path)}
    assert changed <= {saved}
    assert after[saved] == (stat.S_IFREG, TEXT.encode())
    assert saved.resolve().is_relative_to(world.resolve())
    assert saved.suffix == ".yaml"
    assert overwrite or saved not in before
    assert before.get(saved, (stat.S_IFREG,))[0] == stat.S_IFREG
    if saved in before:
        saved.write_bytes(before[saved][1])
    else:
        saved.unlink()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("new.yaml", "expected an absolute one"),
        ("~nobody/new.yaml", "expected an absolute one"),
        ("{root}/new.yml", r"ends in \.yaml"),
        ("{root}/.yaml", r"ends in \.yaml"),
        ("{root}/../new.yaml", r"without \.\."),
        ("{root}/nowhere/new.yaml", "there is no folder .*nowhere"),
        ("{root}/mine.yaml/new.yaml", "mine.yaml is no folder"),
        ("{root}/link_out/new.yaml", "symbolic link, which is not followed"),
        ("{root}/folder.yaml", "is a folder"),
        ("{root}/fifo.yaml", "is no regular file"),
        ("{root}/dangling.yaml", "is no regular file"),
        ("{root}/socket.yaml", "is no regular file"),
        ("{root}/a\0.yaml", "printable"),
        ("{root}/" + "x" * 300 + ".yaml", "cannot write .*too long"),
        ("/dev/null.yaml", "expected one below .*configs .*save_folder"),
        ("{root}.yaml", "expected one below"),
    ],
)
def test_refusals_say_why(world, name, reason):
    with pytest.raises(SaveError, match=reason):
        save(name.format(root=world), [world])


def test_without_folders_nothing_is_written(world):
    with pytest.raises(SaveError, match="no folder at all"):
        save(f"{world}/new.yaml", [])


def test_a_file_that_does_not_load_replaces_nothing(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("mine")

    def refuse(_path):
        raise SaveError("no")

    with pytest.raises(SaveError, match="no"):
        SaveTarget(str(path), [tmp_path]).write(TEXT, refuse, overwrite=True)
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_comes_meanwhile_is_not_replaced(tmp_path):
    path = tmp_path / "mine.yaml"
    target = SaveTarget(str(path), [tmp_path])
    with pytest.raises(SaveError, match="exists"):
        target.write(TEXT, lambda _: path.write_text("mine"), overwrite=False)
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_becomes_a_link_meanwhile_leads_nowhere(tmp_path):
    """Between check and use the folder is exchanged: the file lands where the check was."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    inside = root / "inside"
    inside.mkdir(parents=True)
    outside.mkdir()

    def exchange(_path):
        inside.rename(root / "moved")
        inside.symlink_to(outside)

    SaveTarget(str(inside / "new.yaml"), [root]).write(TEXT, exchange, overwrite=True)
    assert list(outside.iterdir()) == []
    assert (root / "moved" / "new.yaml").read_text() == TEXT


def test_the_umask_of_the_user_holds(tmp_path):
    before = os.umask(0o077)
    try:
        path = save(f"{tmp_path}/new.yaml", [tmp_path])
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
