"""Acting as another user of the machine, where the tests may."""

import json
import os
import pwd
import signal
from contextlib import suppress

import pytest

NOBODY = pwd.getpwnam("nobody") if "nobody" in {u.pw_name for u in pwd.getpwall()} else None
PATIENCE = 30  # [s] only bounds a failing test

needs_another_user = pytest.mark.skipif(
    os.geteuid() != 0 or NOBODY is None, reason="only root may act as another user, nobody"
)


def start_as_nobody(action):
    """Begin `action()` in a process of nobody; return its id and the end of a pipe with its answer.

    The process has none of our groups and ends after `PATIENCE` at most.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    status = 1
    try:
        os.close(reader)
        signal.alarm(PATIENCE)
        os.setgroups([])
        os.setgid(NOBODY.pw_gid)
        os.setuid(NOBODY.pw_uid)
        answer = json.dumps(action())
        os.write(writer, answer.encode())
        status = 0
    finally:
        os._exit(status)


def as_nobody(action):
    """Return what `action()` returns to nobody; numbers, texts and lists of them."""
    pid, reader = start_as_nobody(action)
    with os.fdopen(reader) as file:
        answer = file.read()
    _, status = os.waitpid(pid, 0)
    assert status == 0, f"what nobody does failed: status {status}"
    return json.loads(answer)


def end(pid):
    """End a process that was started here."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def possible(attempts):
    """Return which of the named attempts do anything at all."""
    done = []
    for name, attempt in attempts.items():
        with suppress(OSError):
            attempt()
            done.append(name)
    return done
