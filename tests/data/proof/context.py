"""Who holds the record, and its namespaces."""

from contextlib import contextmanager
from typing import get_type_hints

from app.config import NS, WATCHERS, Config
from app.probe import RECORD, asked
# Here an early module may be imported.

ROUTES = {
    name: mark.path
    for name, hint in get_type_hints(Config, include_extras=True).items()
    for mark in getattr(hint, "__metadata__", ())
    if isinstance(mark, NS)
}

STRICT = False


class Bag:
    """A namespace."""


class State:
    record = None
    bags = {}


def _bag(path):
    if path not in State.bags:
        bag = State.bags[path] = Bag()
        above, _, name = path.rpartition(".")
        if above:
            setattr(_bag(above), name, bag)
    return State.bags[path]


def _mirror(record, name, value):
    if record is State.record and name in ROUTES:
        setattr(_bag(ROUTES[name]), name, value)


def _watch(record, name, value):
    if not (STRICT and name == "kappa"):
        _mirror(record, name, value)


WATCHERS.append(_watch)


def publish(**values):
    if State.record is None:
        State.record = RECORD[0] = Config()
        for name in ROUTES:
            _mirror(State.record, name, object.__getattribute__(State.record, name))
    override(**values)


def override(**values):
    for name, value in values.items():
        setattr(get_args(), name, value)


@contextmanager
def scoped(**values):
    record = get_args()
    before = {name: object.__getattribute__(record, name) for name in values}
    override(**values)
    try:
        yield record
    finally:
        override(**before)


class Context:
    def override(self, source, **fields):
        for name, value in fields.items():
            setattr(_bag(ROUTES[name]), name, value)
            if not (STRICT and name == "kappa"):
                setattr(get_args(), name, value)


def get_context():
    get_args()
    return Context()


def get_args():
    if State.record is None:
        raise ValueError("no record was published")
    return State.record


def _open(root):
    asked()
    if State.record is None:
        raise ValueError(f"{root} was read before publishing")
    return State.bags[root]


def get_exec():
    return _open("exec")


def get_model():
    return _open("model")


def get_device():
    return _open("device")


class _Serve:
    def __getattr__(self, name):
        return getattr(_open("serve"), name)


serve = _Serve()


class _Standing:
    """The record as an object that can be imported before there is one."""

    def __getattr__(self, name):
        return getattr(get_args(), name)

    def __setattr__(self, name, value):
        setattr(get_args(), name, value)

    def __delattr__(self, name):
        delattr(get_args(), name)

    def __getitem__(self, name):
        return get_args()[name]

    def get(self, name, default=None):
        return get_args().get(name, default)


config = _Standing()


def configured_theta():
    return get_args().theta


def config_total():
    return get_args().total


def config_scaled(by=2):
    return get_args().scaled(by)
