"""introspection."""
