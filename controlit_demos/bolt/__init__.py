"""The demonstration `bolt`."""
