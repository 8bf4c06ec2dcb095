"""The demonstration `walk`."""
