"""The demonstration `trikey`."""
