"""The demonstration `humanoid`."""
