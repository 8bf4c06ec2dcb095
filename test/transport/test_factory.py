"""Which transport is opened, and why."""

from importlib.metadata import EntryPoint

import pytest

from controlit_ros.transport import (
    TransportError,
    available_transports,
    choose_transport,
    factory,
    open_transport,
)


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in (factory.VARIABLE, "AMENT_PREFIX_PATH"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def with_rclpy(monkeypatch):
    points = {name: EntryPoint(name, "nowhere:Nothing", "") for name in ("dds", "rclpy")}
    monkeypatch.setattr(factory, "available_transports", lambda: points)


def test_installed_transports_are_found():
    assert {"dds", "local"} <= set(available_transports())


def test_option_beats_variable(monkeypatch):
    monkeypatch.setenv(factory.VARIABLE, "dds")
    assert choose_transport().name == "dds"
    assert choose_transport("local").name == "local"


def test_automatic_is_dds_without_ros():
    choice = choose_transport()
    assert choice.name == "dds"
    assert "rclpy" in choice.reason


def test_automatic_is_rclpy_where_ros_is_sourced(monkeypatch, with_rclpy):
    monkeypatch.setattr(factory, "find_spec", lambda _: object())
    assert choose_transport().name == "dds"
    assert "not sourced" in choose_transport().reason
    monkeypatch.setenv("AMENT_PREFIX_PATH", "/ros")
    assert choose_transport().name == "rclpy"


def test_automatic_is_dds_where_rclpy_cannot_be_imported(monkeypatch, with_rclpy):
    monkeypatch.setattr(factory, "find_spec", lambda _: None)
    assert choose_transport().name == "dds"


def test_unknown_name_gets_a_hint(monkeypatch):
    with pytest.raises(TransportError, match="did you mean 'local'"):
        choose_transport("locl")
    monkeypatch.setenv(factory.VARIABLE, "zenoh")
    with pytest.raises(TransportError, match="valid names"):
        choose_transport()


def test_transport_that_cannot_be_imported_is_reported(with_rclpy):
    with pytest.raises(TransportError, match="cannot be used here"):
        open_transport("node", name="rclpy")


def test_open_says_which_and_why(caplog):
    caplog.set_level("INFO")
    with open_transport("node", "/ns", name="local") as transport:
        assert transport.namespace == "/ns"
    assert "local" in caplog.text
    assert "asked for by the program" in caplog.text
