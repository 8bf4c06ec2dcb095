"""What can be made again is kept by all it depends on, and never without bound."""

from controlit_ros.few import Few


def test_what_was_made_is_found_and_the_oldest_goes():
    few = Few(3)
    for key in "abc":
        assert few.get(key) is None
        assert few.keep(key, key.upper()) == key.upper()
    few.keep("d", "D")
    assert dict(few) == {"b": "B", "c": "C", "d": "D"}


def test_what_is_made_anew_takes_no_other_place():
    few = Few(2)
    few.keep("a", 1)
    few.keep("b", 2)
    few.keep("b", 3)
    assert dict(few) == {"a": 1, "b": 3}
