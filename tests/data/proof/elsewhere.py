"""Somebody else's settings."""

from app.config import other

_mine = other(alpha=81, gamma=83, zeta=84)


def get_args():
    return _mine


def get_device():
    return "elsewhere"
