"""The demonstration `hands`."""
