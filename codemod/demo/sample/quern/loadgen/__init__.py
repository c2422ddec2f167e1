"""Texts to try the service with."""
