"""What a program shows of itself, and small helpers for every kind of syntax."""

from contextlib import asynccontextmanager, contextmanager

SEEN = []


class Boom(Exception):
    pass


def boom(value=None):
    raise Boom(value)


def zero():
    return 0


def one():
    return 1


def pair(first, second=0):
    return first, second


@contextmanager
def holder(value=None):
    yield value


@asynccontextmanager
async def aholder(value=None):
    yield value


async def later(value):
    return value


async def arange(count):
    for value in range(count):
        yield value


def drive(coroutine):
    """Run a coroutine that never waits for anything."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise RuntimeError("it waits")


def same(function=None):
    """A decorator that changes nothing, with an argument or without."""
    return function if callable(function) else lambda inner: inner


def plain(value):
    if isinstance(value, (int, float, str, bytes, type(None))):
        return repr(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value).__name__ + repr([plain(each) for each in value])
    if isinstance(value, dict):
        return repr([(plain(key), plain(each)) for key, each in value.items()])
    return type(value).__name__


def t(label, value=None):
    """Show a value under a label, and give it back."""
    SEEN.append((label, plain(value)))
    return value


class Held:
    """An object that has the record."""

    def __init__(self, config):
        self.server_args = config


def held(label, config):
    """The record on an object, shown when it is asked for."""
    SEEN.append((label, type(config).__name__))
    return Held(config)


def override(**values):
    """For modules that the context imports, and that may not import it."""
    from app.context import override as do

    do(**values)


def scoped(**values):
    """As ``override``, for a while."""
    from app.context import scoped as do

    return do(**values)
