"""The demonstration `repositioning`."""
