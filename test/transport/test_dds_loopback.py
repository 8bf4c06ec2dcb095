"""With the discovery range LOCALHOST nobody on other machines is heard."""

import json
import os
import shutil
import socket
import subprocess
import sys
from contextlib import ExitStack

import pytest
from dds_isolation import domain_environment
from other_user import as_nobody, needs_another_user
from patience import GENEROUS

from controlit_bench.free_domain import free_domain

pytest.importorskip("cyclonedds")

from controlit_ros.transport.dds.loopback import confine, own_sockets
from controlit_ros.transport.dds.settings import DdsSettings
from controlit_ros.transport.errors import TransportError

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        not sys.platform.startswith("linux"), reason="only Linux binds sockets to a device"
    ),
]

LISTENING = """
import json, logging, os, socket, sys
logging.basicConfig(level=logging.WARNING)
from controlit_ros.transport import open_transport
with open_transport("node", name="dds") as transport:
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            one = socket.socket(fileno=os.dup(int(name)))
        except OSError:
            continue
        if one.type == socket.SOCK_DGRAM and one.family in (socket.AF_INET, socket.AF_INET6):
            device = one.getsockopt(socket.SOL_SOCKET, 25, 16)
            found.append([one.getsockname()[0], device.rstrip(b"\\0").decode()])
        one.close()
    print(json.dumps(found))
"""


def listening(**variables):
    """Return addresses and devices of the UDP sockets of a node, and what it warns of."""
    environment = {**os.environ, **domain_environment(str(free_domain())), **variables}
    done = subprocess.run(
        [sys.executable, "-c", LISTENING],
        env=environment,
        capture_output=True,
        text=True,
        timeout=GENEROUS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_every_socket_of_a_node_is_on_the_loopback():
    found, warnings = listening()
    assert len(found) >= 2
    assert all(address.startswith("127.") or device == "lo" for address, device in found), found
    assert "every address" not in warnings


def test_a_node_that_is_meant_for_the_network_is_left_alone():
    found, warnings = listening(ROS_AUTOMATIC_DISCOVERY_RANGE="SUBNET")
    assert {device for _, device in found} == {""}
    assert "every address" not in warnings


def bound(address, kind=socket.SOCK_DGRAM):
    made = socket.socket(socket.AF_INET, kind)
    made.bind((address, 0))
    return made


def device_of(found):
    return found.getsockopt(socket.SOL_SOCKET, 25, 16).rstrip(b"\0")


def test_only_new_sockets_that_listen_everywhere_are_confined():
    with ExitStack() as stack:
        old = stack.enter_context(bound("0.0.0.0"))
        before = own_sockets()
        new = stack.enter_context(bound("0.0.0.0"))
        stream = stack.enter_context(bound("0.0.0.0", socket.SOCK_STREAM))
        assert confine(before) == ""
        assert device_of(new) == b"lo"
        assert device_of(old) == device_of(stream) == b""
        with bound("127.0.0.1") as sender:
            sender.sendto(b"here", ("127.0.0.1", new.getsockname()[1]))
            new.settimeout(10.0)
            assert new.recv(16) == b"here"


def test_who_chose_another_interface_is_told():
    with ExitStack() as stack:
        probe = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        try:
            probe.connect(("192.0.2.77", 9))  # sends nothing
            address = probe.getsockname()[0]
        except OSError:
            pytest.skip("this machine has no address but the loopback's")
        if address.startswith("127."):
            pytest.skip("this machine has no address but the loopback's")
        before = own_sockets()
        new = stack.enter_context(bound("0.0.0.0"))
        stack.enter_context(bound(address))
        assert address in confine(before)
        assert device_of(new) == b""


def test_no_socket_is_told():
    assert confine(own_sockets()) == "its sockets were not found"


@needs_another_user
def test_it_takes_no_rights():
    def confined():
        before = own_sockets()
        with bound("0.0.0.0") as new:
            return [confine(before), device_of(new).decode()]

    assert as_nobody(confined) == ["", "lo"]


OUTSIDE = """
SEND = '''
import socket, time
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(400):
    for port in (7410, 7411):
        sender.sendto(b"x", ("10.77.0.1", port))
    time.sleep(0.05)
'''
import os, socket, subprocess, sys, time
from controlit_ros.transport.dds.loopback import confine, own_sockets

def ip(words, inside=()):
    subprocess.run([*inside, "ip", *words.split()], check=True)

peer = subprocess.Popen(["unshare", "--net", "sleep", "60"])
try:
    own = os.readlink("/proc/self/ns/net")
    for _ in range(1000):
        if os.readlink(f"/proc/{peer.pid}/ns/net") != own:
            break
        time.sleep(0.01)
    there = ["nsenter", "--target", str(peer.pid), "--net"]
    ip("link set lo up")
    ip("link add near type veth peer name far")
    ip(f"link set far netns {peer.pid}")
    ip("addr add 10.77.0.1/24 dev near")
    ip("link set near up")
    ip("addr add 10.77.0.2/24 dev far", there)
    ip("link set far up", there)
    open_one, closed_one = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    open_one.bind(("0.0.0.0", 7411))
    closed_one.bind(("0.0.0.0", 7410))
    everything = own_sockets()
    assert confine(everything - {os.readlink(f"/proc/self/fd/{closed_one.fileno()}")}) == ""
    send = [*there, sys.executable, "-c", SEND]
    sender = subprocess.Popen(send)
    open_one.settimeout(20.0)
    assert open_one.recv(4) == b"x", "nothing came at all"
    sender.kill()
    sender.wait()
    closed_one.setblocking(False)
    try:
        closed_one.recv(4)
        print("heard")
    except BlockingIOError:
        print("not heard")
finally:
    peer.kill()
    peer.wait()
"""


def test_what_comes_from_a_network_is_not_heard():
    """In a network of its own, with a cable to another one."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "nsenter", "ip"))):
        pytest.skip("only root can lay a cable, with iproute2 and util-linux")
    words = ["unshare", "--net", sys.executable, "-c", OUTSIDE]
    done = subprocess.run(words, capture_output=True, text=True, timeout=GENEROUS, check=False)
    if "unshare failed" in done.stderr or "Operation not permitted" in done.stderr:
        pytest.skip("this machine gives no networks of their own")
    assert done.stdout == "not heard\n", done.stderr


def test_where_only_closed_participants_are_wanted_this_open_one_refuses():
    enforced = {"ROS_SECURITY_ENABLE": "true", "ROS_SECURITY_STRATEGY": "Enforce"}
    with pytest.raises(TransportError, match=r"ROS_SECURITY_ENABLE.*rclpy"):
        DdsSettings.from_environment(enforced)


def test_where_closed_participants_are_preferred_this_open_one_is_told(caplog):
    DdsSettings.from_environment({"ROS_SECURITY_ENABLE": "true"})
    assert "everybody in the domain can command" in caplog.text
    caplog.clear()
    DdsSettings.from_environment({"ROS_SECURITY_ENABLE": "false"})
    assert not caplog.text
