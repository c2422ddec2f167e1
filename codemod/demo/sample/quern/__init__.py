"""quern grinds texts into vectors, in batches."""

__version__ = "1.4.0"
