"""The demonstration `wall`."""
