"""Signals by which a program is told to end."""

import signal

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
