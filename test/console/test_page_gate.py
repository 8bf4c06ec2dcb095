"""Gate: who may see the page."""

from urllib.parse import quote

import pytest

from controlit_console.gate import COOKIE, Answer, Gate, is_loopback, new_token

HOST = {"Host": "127.0.0.1:8765"}


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.4.5.6", "::1", "[::1]"])
def test_the_loopback_is_known(host):
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.168.1.4", "robot", "localhost.evil.org", ""]
)
def test_other_addresses_are_not_the_loopback(host):
    assert not is_loopback(host)


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765"])
def test_without_a_token_the_loopback_passes(host):
    assert Gate().judge("/", {"Host": host}).answer is Answer.PASS


def test_a_name_that_somebody_led_here_is_refused():
    verdict = Gate().judge("/", {"Host": "evil.org:8765"})
    assert verdict.answer is Answer.REFUSE
    assert "evil.org:8765" in verdict.reason


@pytest.mark.parametrize("token", ["", "secret"])
@pytest.mark.parametrize("origin", ["http://evil.org", "http://127.0.0.1:9999", "null"])
def test_a_page_of_somebody_else_is_refused(token, origin):
    headers = {**HOST, "Origin": origin, "Cookie": f"{COOKIE}={token}"}
    assert Gate(token).judge(f"/?token={token}", headers).answer is Answer.REFUSE


def test_its_own_page_passes():
    headers = {**HOST, "Origin": "http://127.0.0.1:8765"}
    assert Gate().judge("/", headers).answer is Answer.PASS


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/?other=secret"])
@pytest.mark.parametrize("cookie", ["", f"{COOKIE}=wrong", "other=secret", ";;=,"])
def test_without_the_token_nobody_passes(path, cookie):
    verdict = Gate("secret").judge(path, {**HOST, "Cookie": cookie})
    assert verdict.answer is Answer.REFUSE
    assert "secret" not in verdict.reason


def test_the_token_in_the_address_is_put_into_a_cookie():
    assert Gate("secret").judge("/?token=secret", HOST).answer is Answer.WELCOME


def test_the_cookie_passes_from_any_name():
    gate = Gate("secret")
    headers = {"Host": "robot.lab:8765", "Cookie": f"other=1; {COOKIE}={gate.pass_mark}"}
    assert gate.judge("/", headers).answer is Answer.PASS


@pytest.mark.parametrize("token", ["a;b", "ä ö", 'a"b', "a&b=c", "x" * 300])
def test_a_token_may_have_any_characters(token):
    gate = Gate(token)
    assert gate.judge(f"/?token={quote(token, safe='')}", HOST).answer is Answer.WELCOME
    headers = {**HOST, "Cookie": f"{COOKIE}={gate.pass_mark}"}
    assert gate.judge("/", headers).answer is Answer.PASS
    assert token not in gate.pass_mark


@pytest.mark.parametrize(
    "headers",
    [{"Host": "[::1"}, {**HOST, "Origin": "http://[::1"}, {}],
)
@pytest.mark.parametrize("token", ["", "secret"])
def test_headers_that_cannot_be_read_are_refused(token, headers):
    assert Gate(token).judge("/", headers).answer is Answer.REFUSE


def test_no_two_tokens_are_the_same():
    assert len({new_token() for _ in range(100)}) == 100


def test_a_cookie_that_cannot_be_read_is_refused():
    headers = {**HOST, "Cookie": f"{COOKIE}=\udcff"}
    assert Gate("secret").judge("/", headers).answer is Answer.REFUSE
