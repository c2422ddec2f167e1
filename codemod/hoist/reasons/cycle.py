"""It breaks an import cycle: at module level, some module could not be imported.

The chain shows how: each module imports the next one, until one asks a module that is
still half initialised for a name it does not have yet. Often the chain starts only when
another module is imported first, so that the program's usual start hides it.
"""

from __future__ import annotations

CODE = "cycle"
SUMMARY = "At module level it would break an import."
EXAMPLE = {
    "app.py": """\
import engine


def helper():
    return 1


def start():
    engine.run()
""",
    "engine.py": """\
def run():
    from app import helper  # <- cycle

    return helper()
""",
    "main.py": "import app\n",
}


def why(entry: str, kind: str, message: str) -> str:
    """The sentence for an import of ``entry`` that would fail."""
    return f"At module level, `import {entry}` would fail: {kind}: {message}."


def swallowed(entry: str, kind: str, message: str) -> str:
    """The sentence for a failure that a handler catches, to go another way."""
    return (
        f"At module level, `import {entry}` would take another branch than today: a "
        f"handler would catch {kind}: {message}."
    )


def stale(entry: str, message: str) -> str:
    """The sentence for a name that would be taken before it has its last value."""
    return f"At module level, `import {entry}` would take an early value: {message}."
