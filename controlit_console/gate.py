"""Gate: who may see the page at all."""

import hashlib
import secrets
from collections.abc import Mapping
from enum import Enum
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

COOKIE = "controlit_console"
QUERY = "token"
TOKEN_BYTES = 18
"""Bytes of a token that is made: nobody guesses 144 bits."""


class Answer(Enum):
    """What the gate says to a request."""

    PASS = "pass"  # noqa: S105 - no password
    WELCOME = "welcome"
    """The token was in the address: it is put into a cookie, and the address without it opened."""
    REFUSE = "refuse"


class Verdict(NamedTuple):
    """An answer and its reason.

    Attributes:
        answer: What is done.
        reason: Why it is refused, for the page; empty otherwise.
    """

    answer: Answer
    reason: str = ""


PASSED = Verdict(Answer.PASS)
WELCOMED = Verdict(Answer.WELCOME)


def is_loopback(host: str) -> bool:
    """Tell whether an address or name is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Gate:
    """Decides about each request, before anything of the page is told.

    Without a token only addresses of the loopback are answered, by their own names: a page of
    somebody else that the same browser shows can neither open a socket here (its origin is another)
    nor pretend by a name of its own that leads here (`Host` is another).

    Args:
        token: Who has it may see the page; empty: who reaches the loopback may.

    Attributes:
        pass_mark: What a browser that told the token has as its cookie: not the token, which may
            have any characters.
    """

    def __init__(self, token: str = "") -> None:
        self._token = token
        self.pass_mark = hashlib.sha256(token.encode()).hexdigest()

    def judge(self, path: str, headers: Mapping[str, str]) -> Verdict:
        """Return what to do with a request.

        Args:
            path: Path and query as they were asked for.
            headers: Of the request; names in any case the mapping understands.
        """
        host, origin = headers.get("Host", ""), headers.get("Origin")
        if origin is not None and _netloc(origin) != host:
            return _refused(f"found a page of {origin}, expected one of {host}")
        if not self._token:
            if is_loopback(_hostname(host)):
                return PASSED
            return _refused(f"found the name {host}, expected localhost or 127.0.0.1")
        if _are_same(_cookie(headers.get("Cookie", "")), self.pass_mark):
            return PASSED
        given = parse_qs(urlsplit(path).query).get(QUERY, [""])[0]
        if _are_same(given, self._token):
            return WELCOMED
        found = "a wrong token" if given else "no token"
        return _refused(f"found {found}, expected the address that the console printed")


def _are_same(given: str, expected: str) -> bool:
    return secrets.compare_digest(given.encode(errors="replace"), expected.encode())


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _cookie(text: str) -> str:
    try:
        morsel = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return "" if morsel is None else morsel.value


def _refused(reason: str) -> Verdict:
    return Verdict(Answer.REFUSE, reason)
