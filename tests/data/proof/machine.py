"""Facts of the machine."""

from contextlib import contextmanager

FACTS = {"is_fast": True, "lanes": 4}


def is_fast():
    return FACTS["is_fast"]


def count_lanes():
    return FACTS["lanes"]


class Platform:
    def __getattr__(self, name):
        return FACTS[name]


def get_platform():
    return Platform()


@contextmanager
def override_platform(**facts):
    before = dict(FACTS)
    FACTS.update(facts)
    try:
        yield
    finally:
        FACTS.update(before)
