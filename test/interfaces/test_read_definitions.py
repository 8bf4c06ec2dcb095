"""Definitions that are kept on disk are what their texts say, whatever became of the file."""

import json
from pathlib import Path

import pytest

from controlit_ros.interfaces import DefinitionError, TypeBook, read_definitions
from controlit_ros.interfaces.definition import NUMBER, MessageDefinition, parse_message
from controlit_ros.interfaces.read_definitions import (
    MOST_FILES,
    ReadDefinitions,
    cached_definitions,
)

NAME = "some_msgs/msg/Thing"
TEXT = "float64[3] a [1.0, 2.0, 3.0]\nstring<=4 b hi\nThing[<=2] c\nbool YES=true\nint8 N=-1\n"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "controlit" / "types.json"


@pytest.fixture
def refuse_reading(monkeypatch):
    """Fail where anything is read anew."""

    def refuse(*_):
        raise AssertionError("read although it was kept")

    def begin():
        monkeypatch.setattr(read_definitions, "get_typestore", refuse)
        monkeypatch.setattr(read_definitions, "parse_message", refuse)

    return begin


def read(path, text=TEXT):
    """Return what a process reads and keeps."""
    reading = ReadDefinitions(path)
    found = reading.standard(), reading.message(NAME, text)
    reading.keep()
    return found


def test_what_was_kept_is_what_was_read(path, refuse_reading):
    first = read(path)
    assert first[1] == parse_message(NAME, TEXT)
    refuse_reading()
    assert read(path) == first


def test_a_book_from_disk_is_the_book(monkeypatch, tmp_path, refuse_reading):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = TypeBook()
    refuse_reading()
    second = TypeBook()
    assert second.message_types == first.message_types
    assert second.service_types == first.service_types
    for name in first.message_types:
        assert second.definition(name) == first.definition(name)
        assert list(second.definition(name).fields) == list(first.definition(name).fields)
        assert second.type_hash(name) == first.type_hash(name)
        assert second.prepare_writing(name) == first.prepare_writing(name)


def test_another_text_is_read(path):
    read(path)
    assert list(read(path, "int32 x\n")[1].fields) == ["x"]
    with pytest.raises(DefinitionError):
        read(path, "float64\n")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[" * 100_000,
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"kinds": [], "texts": {"": 1}}',
        b'{"kinds": [["float64", false, "MANY", 0, 0]], "texts": {}}',
        b'{"kinds": [], "texts": {"": [["a/msg/A", {"x": 3}, {}, {}]]}}',
    ],
)
def test_a_file_of_something_else_only_costs_time(path, content, refuse_reading):
    expected = read(path)
    path.write_bytes(content)
    assert read(path) == expected
    refuse_reading()
    assert read(path) == expected


def test_a_file_that_was_cut_off_is_read_anew(path):
    expected = read(path)
    path.write_bytes(path.read_bytes()[:-1000])
    assert read(path) == expected
    json.loads(path.read_text())


def test_nothing_is_kept_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").touch()
    for path in (None, tmp_path / "file" / "types.json"):
        assert read(path)[1] == parse_message(NAME, TEXT)


def test_what_json_does_not_hold_is_not_kept(path, monkeypatch):
    given = MessageDefinition(NAME, {"a": NUMBER}, {}, {"a": (1.0,)})
    monkeypatch.setattr(read_definitions, "parse_message", lambda *_: given)
    assert read(path)[1] == given
    assert not path.exists()


def test_few_files_stay(tmp_path):
    for number in range(MOST_FILES + 3):
        read(tmp_path / f"types-{number}.json")
    assert len(list(tmp_path.iterdir())) == MOST_FILES


def test_each_ros_has_a_file_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = set()
    for prefix in ("", "/opt/ros/jazzy", "/opt/ros/kilted"):
        monkeypatch.setenv("AMENT_PREFIX_PATH", prefix)
        found.add(cached_definitions())
    assert len(found) == 3
    assert {path.parent for path in found} == {tmp_path / "controlit"}


def test_who_has_no_home_keeps_nothing(monkeypatch):
    def homeless():
        raise RuntimeError

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", staticmethod(homeless))
    assert cached_definitions() is None
