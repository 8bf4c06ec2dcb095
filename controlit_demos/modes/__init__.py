"""The demonstration `modes`."""
