"""The demonstration `push`."""
