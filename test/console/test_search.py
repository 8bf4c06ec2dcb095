"""The search for a controller begins before anybody asks what was found."""

import threading

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from controlit_console.search import Search
from controlit_ros.client import ControllerNotFoundError


@pytest.fixture
def looks(monkeypatch):
    """Looks that were begun, as events that their answers wait for."""
    begun = []

    def connect(name, **_options):
        answered = threading.Event()
        begun.append(answered)
        number = len(begun)
        answered.wait(10.0)
        if name == "nobody":
            raise ControllerNotFoundError(f"look {number}")
        return f"robot {number}"

    monkeypatch.setattr("controlit_console.search.connect", connect)
    return begun


def test_it_looks_at_once_and_later_looks_anew(looks, poll):
    search = Search(None, None)
    poll(lambda: looks)
    looks[0].set()
    assert search.find() == "robot 1"
    finding = threading.Thread(target=lambda: found.append(search.find()))
    found = []
    finding.start()
    poll(lambda: len(looks) == 2)
    looks[1].set()
    finding.join(10.0)
    assert found == ["robot 2"]


def test_what_it_did_not_find_is_told_where_it_is_asked_for(looks, poll):
    search = Search(None, "nobody")
    poll(lambda: looks)
    looks[0].set()
    with pytest.raises(ControllerNotFoundError, match="look 1"):
        search.find()
