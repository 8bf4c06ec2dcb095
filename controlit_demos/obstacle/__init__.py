"""The demonstration `obstacle`."""
