"""A behaviour and an inequality of your own."""
