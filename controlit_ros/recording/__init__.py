"""Runs on record: bags, what is read from them, figures, pictures, fits."""
