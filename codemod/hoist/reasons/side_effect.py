"""Its name is never used: it is there for what importing does, when it does it."""

from __future__ import annotations

from codemod.hoist.case import Case

CODE = "side-effect"
SUMMARY = "The name is never used."
EXAMPLE = {
    "app.py": """\
def start():
    import plugins  # <- side-effect
""",
    "plugins.py": 'print("registered")\n',
}


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    if case.site.used or case.site.taken:
        return None
    return (
        f"{case.site.bound!r} is never used in {case.site.function}: the import is "
        "there for what it does when it runs."
    )
