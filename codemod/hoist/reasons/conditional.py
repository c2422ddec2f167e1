"""It runs on a condition: under an ``if``, ``match`` or ``except``.

So does what follows a test of the platform that leaves the function
(``if not is_cuda(): return``). The condition may be what makes the import possible.
When asked to (``--conditions``), an ``if`` that asks neither about the platform nor
about what is installed keeps nothing.
"""

from __future__ import annotations

from codemod.hoist.case import Case

CODE = "conditional"
SUMMARY = "It runs on a condition."
EXAMPLE = {
    "app.py": """\
import sys

def clear():
    if sys.platform == "win32":
        from windows import clear_screen # <- conditional
        clear_screen()

def beep():
    if sys.platform != "win32":
        return
    from windows import sound # <- conditional
    sound()
""",
    "windows.py": "def clear_screen(): pass\ndef sound(): pass\n",
}

_KINDS = ("if", "else", "match", "except", "guard")


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    for context in reversed(case.site.contexts):
        if context.kind not in _KINDS:
            continue
        if case.conditions and context.kind in ("if", "else") and not context.platform:
            continue
        if context.kind == "guard":
            return (
                f"`if {context.text}` in line {context.line} leaves the function "
                "before it on some machines."
            )
        text = context.text
        if context.kind == "else":
            return f"It runs only when `if {text}` in line {context.line} fails."
        shown = f"if {text}" if context.kind == "if" else text
        return f"It runs only under `{shown}` in line {context.line}."
    return None
