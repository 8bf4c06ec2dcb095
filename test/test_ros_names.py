"""Names of ROS 2, by what its design page allows and forbids."""

import pytest

from controlit_ros.ros_names import fault_of_token, is_topic


@pytest.mark.parametrize("name", ["a", "_a", "A1_b", "a/b_c", "/a", "/_a/b", "~/a", "~/a/b2"])
def test_names_of_topics(name):
    assert is_topic(name)


@pytest.mark.parametrize("name", ["", "/", "~", "~/", "~a", "~~/a", "//a", "/~/a", "a/", "a//b"])
def test_slashes_with_nothing_between(name):
    assert not is_topic(name)


@pytest.mark.parametrize("token", ["1a", "a b", "a-b", "a__b", "__b", "ä", "a\n", "{node}"])
def test_tokens_that_break_the_rules(token):
    assert not is_topic(token)
    assert not is_topic(f"/a/{token}")


def test_what_is_wrong():
    assert fault_of_token("elbow_2") == ""
    assert "found '2nd', expected letters" in fault_of_token("2nd")
    assert "reserved" in fault_of_token("a__b")
