"""nsroute: from one global config object to namespaced accessors."""

__version__ = "0.1.0"
