"""How the text looks: non-ASCII, continuation lines, form feeds, odd spacing."""

from __future__ import annotations

from tests.proof.programs.corners.corner import Corner
from tests.proof.programs.model import Lines


def _function(c: Corner, body: Lines) -> Lines:
    c.call(f"{c.name}()")
    return [f"def {c.name}():", body]


def _wide_characters(c: Corner) -> Lines:
    """Columns count characters, whatever stands before."""
    return _function(
        c,
        [
            f"straße = {c.record}",
            f"return 'ü😀', {c.read('straße', form='alias')}, '\U0001f600'"
            f", f'é{{{c.read('straße', 'beta')}}}ü{{{c.read('straße', 'gamma')}}}'",
        ],
    )


def _continued(c: Corner) -> Lines:
    one, two = c.read(c.record), c.read(c.record, "beta")
    return _function(c, [f"x = \\\n    {one} + \\\n  {two}", "return \\\n  x"])


def _tight(c: Corner) -> Lines:
    one, two = c.read(c.record), c.read(c.record, "beta")
    three, four = c.read(c.record, "gamma"), c.read(f"({c.record})")
    return _function(c, [f"return({one})if({two})else(not{four})or-{three}"])


def _roomy(c: Corner) -> Lines:
    spaced = c.record.replace("()", " ( )")
    start = c.read("@", "alpha").partition("@")[0]
    return _function(c, [f"return  [ {start}{spaced} . alpha ,\n\n  2 , ]"])


def _commented_chain(c: Corner) -> Lines:
    start = c.read("@", "alpha").partition("@")[0]
    return _function(
        c,
        [
            f"return (  # why\n  {start}{c.record}  # which\n"
            "  # and then\n    .alpha  # what\n)"
        ],
    )


def _form_feed(c: Corner) -> Lines:
    return ["\x0c", *_function(c, [f"sa = {c.record}", f"return {c.alias()}"])]


def _deep(c: Corner) -> Lines:
    """Many levels of indentation and of brackets."""
    body: Lines = [f"sa = {c.record}", f"t('deep', {'(' * 30}{c.alias()}{')' * 30})"]
    for _ in range(10):
        body = ["if True:", body]
    return _function(c, body)


def _long_line(c: Corner) -> Lines:
    terms = " + ".join(c.read(c.record) for _ in range(12))
    return _function(c, [f"return {terms}"])


def _string_with_code(c: Corner) -> Lines:
    """Text that looks like a read is none."""
    return _function(
        c,
        [
            "code = 'get_args().alpha'  # get_args().alpha",
            f"return code, '''\nsa = get_args()\nsa.beta\n''', {c.read(c.record)}",
        ],
    )


ALL = (
    _wide_characters,
    _continued,
    _tight,
    _roomy,
    _commented_chain,
    _form_feed,
    _deep,
    _long_line,
    _string_with_code,
)
