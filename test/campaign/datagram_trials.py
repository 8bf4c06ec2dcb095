"""Malformed datagrams at both ends of a UDP link."""

import socket

import numpy as np
from free_ports import free_ports
from hostile import NUMBERS
from patience import GENEROUS
from trial import TrialClass

from controlit_ros.robots.datagram import DatagramWriter
from controlit_ros.robots.layout import Layout
from controlit_ros.robots.seal import ChecksumSeal
from controlit_ros.robots.udp_link import Address, UdpLink

HOST = "127.0.0.1"
STATE = Layout("state", ("slide", "turn", "lift"), 16 + 4 * 3)
COMMAND = Layout("command", ("slide", "turn", "lift"), 8)
KINDS = (
    "noise", "cut", "padded", "flipped", "header", "not finite", "empty", "old", "huge", "forged"
)  # fmt: skip
NUMBERING = slice(16, 32)  # session and sequence: numbers of the sender's own
NUMBERS_FORGED = (0, 2**32, 2**63, 2**64 - 1)
LARGEST = 65_000  # [bytes]


class DatagramTrials(TrialClass):
    """A peer of the right address that sends what is no measurement between those that are."""

    name = "datagrams"
    share = 2000
    least = 50

    def __init__(self) -> None:
        here, there = (Address(HOST, port) for port in free_ports(2))
        self._link = UdpLink(here, there, STATE, COMMAND, ChecksumSeal())
        self._link.open()
        self._peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._peer.bind(there)
        self._peer.connect(here)
        self._writer = DatagramWriter(STATE, seal=ChecksumSeal())
        self._vector = np.zeros(STATE.size)
        self._got = np.zeros(STATE.size)
        self._writer.write(self._vector)
        self._peer.send(self._writer.buffer)  # what is older than this is of an earlier life
        self._link.wait(GENEROUS)
        self._link.receive(self._got)

    def run(self, rng: np.random.Generator) -> str | None:
        """Send something wrong, then a measurement, which alone may be taken."""
        kind = str(rng.choice(KINDS))
        bad = self._spoiled(rng, kind)
        refused = self._link.counts.refused
        self._peer.send(bad)
        self._link.wait(GENEROUS)
        if self._link.receive(self._got):
            return f"{kind}: a vector was taken from {bad[:64].hex()}"
        if self._link.counts.refused <= refused:
            return f"{kind}: it was not counted"
        self._vector[:] = rng.normal(size=STATE.size)
        self._writer.write(self._vector)
        self._peer.send(self._writer.buffer)
        self._link.wait(GENEROUS)
        if not self._link.receive(self._got):
            return f"{kind}: the measurement after it was refused: {self._link.explain()}"
        if not (self._got == self._vector).all():
            return f"{kind}: the measurement after it came out changed"
        return None

    def close(self) -> None:
        """Close both sockets."""
        self._link.close()
        self._peer.close()

    def _spoiled(self, rng: np.random.Generator, kind: str) -> bytes:
        self._vector[:] = rng.normal(size=STATE.size)
        if kind == "not finite":
            self._vector[rng.integers(STATE.size)] = rng.choice(NUMBERS[:3])
        if kind == "old":
            return self._older()
        self._writer.write(self._vector)
        content = bytearray(self._writer.buffer)
        if kind == "noise":
            return rng.bytes(int(rng.integers(1, 2 * len(content))))
        if kind == "cut":
            return bytes(content[: rng.integers(1, len(content))])
        if kind == "padded":
            return bytes(content) + rng.bytes(int(rng.integers(1, 400)))
        if kind == "empty":
            return b""
        if kind == "huge":
            return bytes(content) + bytes(LARGEST - len(content))
        if kind == "flipped":
            content[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
            return bytes(content)
        if kind == "header":
            start = int(rng.choice([0, 4, 6, 8, 40, 44]))
            content[start] ^= 0xFF
            return bytes(content)
        if kind == "forged":
            return self._forged(rng, content)
        return bytes(content)

    def _forged(self, rng: np.random.Generator, content: bytearray) -> bytes:
        """Return a datagram that is right but for its numbers, by who knows all but a key."""
        session = content[16:24]
        chosen = rng.integers(len(NUMBERS_FORGED), size=2)
        forged = [NUMBERS_FORGED[i].to_bytes(8, "little") for i in chosen]
        content[NUMBERING] = (session if rng.random() < 0.5 else forged[0]) + forged[1]
        ChecksumSeal().close(memoryview(content))
        return bytes(content)

    def _older(self) -> bytes:
        """Return a datagram of an earlier life of the sender."""
        former = DatagramWriter(STATE, session=1, seal=ChecksumSeal())
        former.write(self._vector)
        return bytes(former.buffer)
