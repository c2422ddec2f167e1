"""Mutants of the decisions and the rewrite, and which of them the tests notice."""
