"""``from m import *`` inside a function: which names it binds only running can tell.

Python 3 refuses to compile it (reference 7.11), so the rest of such a file is left
alone too.
"""

from __future__ import annotations

from codemod.hoist.case import Case

CODE = "star"
SUMMARY = "It imports every name."
EXAMPLE = {
    "app.py": """\
def start():
    from engine import *  # <- star
""",
    "engine.py": """\
def run():
    pass
""",
}


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if case.site.imported.name == "*":
        return "Which names a star import binds, only running it can tell."
    if case.file.problem:
        return f"The file does not compile ({case.file.problem})."
    return None
