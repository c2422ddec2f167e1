"""A person keeps one import by a comment on its line.

The comment is ``# nsroute: keep[reason] text``, as for reads; it covers the imports of
its logical line, or of the next one when it stands on a line of its own.
"""

from __future__ import annotations

from codemod.hoist.case import Case

CODE = "suppressed"
SUMMARY = "An inline comment keeps it."
EXAMPLE = {
    "app.py": """\
def start():
    import engine  # nsroute: keep[late] it reads the environment # <- suppressed
    engine.run()
""",
    "engine.py": "def run(): pass\n",
}


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    return case.site.suppression or None
