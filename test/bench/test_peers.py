"""Peers: absent ones are told, broken ones too, and ours meets the same goals."""

import sys
from pathlib import Path

import pytest

from controlit_bench.peers import (
    CACHE_VARIABLE,
    Peer,
    PeerError,
    measure_peers,
    peers_folder,
    without_meshes,
)
from controlit_bench.problems import example_robot
from controlit_ros.errors import ControlItError


@pytest.mark.processes
@pytest.mark.commands
def test_absent_peers_are_no_failure(tmp_path):
    section = measure_peers(quick=False, folder=tmp_path)
    try:
        example_robot("baxter_description/urdf/baxter.urdf")
    except ControlItError:
        assert "not installed" in section.remarks[0]
        return
    assert [row[0] for row in section.rows] == ["controlit", "NumPy textbook", "floor"]
    assert [remark.partition(":")[0] for remark in section.remarks] == ["placo", "pink", "mink"]
    assert all("not installed" in remark for remark in section.remarks)


@pytest.mark.processes
@pytest.mark.commands
def test_a_peer_that_fails_says_why(tmp_path):
    with pytest.raises(PeerError, match=r"placo failed: .*No module named 'placo'"):
        Peer("placo", Path(sys.executable), {"urdf": str(tmp_path)})


def test_the_folder_is_stated_or_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert peers_folder() == tmp_path / "controlit" / "peers"
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "there"))
    assert peers_folder() == tmp_path / "there"
    assert peers_folder(tmp_path / "here") == tmp_path / "here"


def test_shapes_are_taken_out():
    text = '<link name="a"><visual><mesh/></visual><inertial/><collision>x</collision></link>'
    assert without_meshes(text) == '<link name="a"><inertial/></link>'
