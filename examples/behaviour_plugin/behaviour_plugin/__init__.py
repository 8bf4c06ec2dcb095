"""A behaviour for controlit."""
