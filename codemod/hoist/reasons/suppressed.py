"""A person keeps one import by a comment on its line.

The comment is ``# nsroute: keep[reason] text``, as for reads; it covers the imports of
its logical line, or of the next one when it stands on a line of its own.

A comment above it or on it that says that it is local on purpose keeps it too: ``lazy
import``, ``deferred``, ``imported here so that …``. Only one that speaks of an import
cycle does not: whether there is one, the proof says, and where there is none the
comment goes.
"""

from __future__ import annotations

from textwrap import shorten

from codemod.hoist.case import Case

CODE = "suppressed"
SUMMARY = "An inline comment keeps it."
EXAMPLE = {
    "app.py": """\
def start():
    import engine  # nsroute: keep[late] it reads the environment # <- suppressed

    engine.run()


def stop():
    # Lazy import: the engine opens the device.
    import engine  # <- suppressed

    engine.run()
""",
    "engine.py": """\
def run():
    pass
""",
}


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if case.site.suppression:
        return case.site.suppression
    if case.site.purpose:
        said = shorten(case.site.purpose, 160, placeholder=" …")
        return f"A comment says that it is local on purpose: {said!r}."
    return None
