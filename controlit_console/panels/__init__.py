"""Panels of the page, a file each: what they show is made from what a controller tells."""
