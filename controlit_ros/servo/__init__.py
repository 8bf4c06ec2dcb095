"""servo."""
