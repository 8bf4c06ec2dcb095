"""The log on /rosout and its levels, and where it is not."""

import logging

import pytest

from controlit_ros.cli.log_levels import LogLevels, log_levels
from controlit_ros.cli.rosout import Rosout
from controlit_ros.ros_arguments import RosArgumentError, ros_arguments
from controlit_ros.transport import ROSOUT
from controlit_ros.transport.local import LocalTransport

LOG = "rcl_interfaces/msg/Log"


@pytest.fixture
def peers(request):
    opened = [LocalTransport(name, "/left/arm", domain=request.node.nodeid) for name in "ab"]
    yield opened
    for transport in opened:
        transport.close()


@pytest.fixture
def log():
    logger = logging.getLogger("controlit.tested")
    logger.setLevel(logging.DEBUG)
    return logger


@pytest.fixture
def rosout():
    made = Rosout()
    made.install()
    yield made
    made.close()


def test_what_is_logged_is_published(peers, log, rosout):
    log.warning("before %s", "there is a transport")
    rosout.publish_by(peers[0])
    log.debug("detail")
    log.log(35, "between")
    log.error("failed", exc_info=ValueError("inner"))
    heard = []
    peers[1].subscribe("/rosout", LOG, heard.append, ROSOUT)  # who comes late hears it, too
    peers[1].settle()
    texts = [message.msg.splitlines()[0] for message in heard]
    assert texts == ["before there is a transport", "detail", "between", "failed"]
    assert "ValueError: inner" in heard[-1].msg
    assert [message.level for message in heard] == [30, 10, 30, 40]
    assert {message.name for message in heard} == {"left.arm.a"}
    assert {message.file for message in heard} == {"test_rosout.py"}
    assert {message.function for message in heard} == {"test_what_is_logged_is_published"}
    assert all(message.line > 0 and message.stamp.sec > 1e9 for message in heard)


def test_the_end_of_a_transport_ends_no_log(peers, log, rosout):
    rosout.publish_by(peers[0])
    peers[0].close()
    log.error("nobody hears that")
    rosout.close()
    assert rosout not in logging.getLogger().handlers


def levels(*words):
    options = [word for text in words for word in ("--log-level", text)]
    return log_levels(ros_arguments(["--ros-args", *options]), "/left/arm/servo")


def test_levels():
    assert levels() == LogLevels(None, {})
    assert levels("debug", "rclpy:=WARN") == LogLevels("DEBUG", {"rclpy": "WARN"})
    assert levels("info", "left.arm.servo:=error") == LogLevels("ERROR", {})
    assert levels("unset", "controlit.run:=unset") == LogLevels(None, {"controlit.run": "UNSET"})
    with pytest.raises(RosArgumentError, match=r"--log-level: unknown level 'debgu' .*'debug'"):
        levels("debgu")
