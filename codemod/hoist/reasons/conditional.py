"""It runs on a condition: under an ``if``, ``match`` or ``except``.

So does what follows a test of the platform that leaves the function
(``if not is_cuda(): return``, ``pytest.importorskip("torch")``), and what follows a
statement that prepares what importing may read (``os.environ["DEVICE"] = "cpu"``,
``sys.path.insert(0, here)``, ``config.DEBUG = True``), or stands in a ``with`` that is
there for the imports (``with warnings.catch_warnings():``). The condition may be what
makes the import possible. When asked to (``--conditions``), an ``if`` that asks neither
about the platform nor about what is installed keeps nothing.
"""

from __future__ import annotations

from codemod.hoist.case import Case

CODE = "conditional"
SUMMARY = "It runs on a condition."
EXAMPLE = {
    "app.py": """\
import os
import sys


def clear():
    if sys.platform == "win32":
        from windows import clear_screen  # <- conditional

        clear_screen()


def beep():
    if sys.platform != "win32":
        return
    from windows import sound  # <- conditional

    sound()


def colours():
    os.environ["TERM"] = "xterm"
    from windows import clear_screen  # <- conditional

    clear_screen()
""",
    "windows.py": """\
def clear_screen():
    pass


def sound():
    pass
""",
}

_KINDS = ("if", "else", "match", "except", "guard", "setup")


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    for context in reversed(case.site.contexts):
        if context.kind not in _KINDS:
            continue
        if case.conditions and context.kind in ("if", "else") and not context.platform:
            continue
        if context.kind == "guard":
            return (
                f"`{context.text}` in line {context.line} leaves before it on some "
                "machines."
            )
        if context.kind == "setup":
            how = "under" if context.text.startswith("with ") else "after"
            return (
                f"It runs {how} `{context.text}` in line {context.line}, which may "
                "change what importing does."
            )
        text = context.text
        if context.kind == "else":
            return f"It runs only when `if {text}` in line {context.line} fails."
        shown = f"if {text}" if context.kind == "if" else text
        return f"It runs only under `{shown}` in line {context.line}."
    return None
