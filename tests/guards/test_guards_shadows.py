"""What is said to be unbound raises in the real interpreter, and nothing else does."""

from __future__ import annotations

import ast

import pytest

from codemod.analysis.guard_facts import Shadow, Watched
from codemod.analysis.positions import SourceLines
from codemod.analysis.shadows import shadows

WATCHED = Watched(names=frozenset({"loads"}))

# Bodies of ``def f(flag):`` under ``from json import loads``, with what is found in
# them: the state of the first use that goes wrong, and whether f(flag) then raises
# UnboundLocalError for flag False and True.
CASES = {
    "import after": ("loads('1')\nfrom json import loads", "unbound", True, True),
    "import before": ("from json import loads\nloads('1')", "", False, False),
    "import in a branch, use inside": (
        "if flag:\n    from json import loads\n    loads('1')",
        "",
        False,
        False,
    ),
    "import in a branch, use behind": (
        "if flag:\n    from json import loads\nloads('1')",
        "maybe",
        True,
        False,
    ),
    "both branches": (
        "if flag:\n    from json import loads\nelse:\n    loads = len\nloads('1')",
        "bound",
        False,
        False,
    ),
    "assignment to itself": ("loads = loads('1')", "unbound", True, True),
    "walrus": ("loads('1')\nif (loads := 1):\n    pass", "unbound", True, True),
    "walrus of itself": ("(loads := loads('1'))", "unbound", True, True),
    "walrus in a comprehension": (
        "loads('1')\n[loads := n for n in 'ab']",
        "unbound",
        True,
        True,
    ),
    "target of a comprehension": ("loads('1')\n[loads for loads in 'a']", "", 0, 0),
    "for": ("loads('1')\nfor loads in 'ab':\n    pass", "unbound", True, True),
    "for over nothing": ("for loads in '':\n    pass\nloads('1')", "maybe", 1, 1),
    "for, its own iterable": ("for loads in loads('1'):\n    pass", "unbound", 1, 1),
    "with": (
        "loads('1')\nwith open('/dev/null') as loads:\n    pass",
        "unbound",
        True,
        True,
    ),
    "except": (
        "loads('1')\ntry:\n    pass\nexcept ValueError as loads:\n    pass",
        "unbound",
        True,
        True,
    ),
    "behind its except": (
        "from json import loads\ntry:\n    int('a')\nexcept ValueError as loads:\n"
        "    pass\nloads('1')",
        "maybe",
        True,
        True,
    ),
    "def": ("loads('1')\ndef loads():\n    pass", "unbound", True, True),
    "class": ("loads('1')\nclass loads:\n    pass", "unbound", True, True),
    "class body": ("class C:\n    x = loads('1')\nloads = 1", "unbound", True, True),
    "its own class body": ("class C:\n    loads = loads('1')", "", False, False),
    "match": (
        "loads('1')\nmatch flag:\n    case [loads]:\n        pass",
        "unbound",
        True,
        True,
    ),
    "match that captures": (
        "match 1:\n    case loads:\n        loads('1')",
        "bound",
        0,
        0,
    ),
    "del": ("del loads", "unbound", True, True),
    "behind a del": (
        "from json import loads\ndel loads\nloads('1')",
        "unbound",
        True,
        True,
    ),
    "augmented": ("loads += 1", "unbound", True, True),
    "annotation only": ("loads: int\nloads('1')", "unbound", True, True),
    "global": ("global loads\nloads('1')\nloads = loads", "", False, False),
    "nested function": (
        "def g():\n    return loads('1')\nif flag:\n    from json import loads\ng()",
        "",
        None,
        None,
    ),
    "try that imports": (
        "try:\n    from json import loads\nexcept ImportError:\n    loads = None\n"
        "loads('1')",
        "bound",
        False,
        False,
    ),
    "handler that leaves": (
        "try:\n    from json import loads\nexcept ImportError:\n    return\nloads('1')",
        "",
        False,
        False,
    ),
    "while true": (
        "while True:\n    from json import loads\n    break\nloads('1')",
        "",
        False,
        False,
    ),
    "second turn": (
        "for n in 'ab':\n    if n == 'b':\n        loads('1')\n"
        "    from json import loads",
        "maybe",
        False,
        False,
    ),
    "or": ("flag or (loads := len)\nloads('1')", "maybe", False, True),
    "conditional": (
        "(loads := len) if flag else None\nloads('1')",
        "maybe",
        True,
        False,
    ),
    "return before": ("if not flag:\n    return\nfrom json import loads", "", 0, 0),
    "finally": (
        "try:\n    pass\nfinally:\n    from json import loads\nloads('1')",
        "",
        False,
        False,
    ),
    "finally after a return": (
        "try:\n    if flag:\n        return\n    from json import loads\nfinally:\n"
        "    loads('1')",
        "maybe",
        False,
        True,
    ),
    "finally after a continue": (
        "for n in 'ab':\n    try:\n        if flag:\n            continue\n"
        "        from json import loads\n    finally:\n        loads('1')",
        "maybe",
        False,
        True,
    ),
    "finally after a break of its own loop": (
        "try:\n    for n in 'a':\n        break\n    from json import loads\nfinally:\n"
        "    loads('1')",
        "",
        False,
        False,
    ),
    "a with that goes on": (
        "from contextlib import suppress\nwith suppress(ZeroDivisionError):\n"
        "    1 // flag\n    from json import loads\nloads('1')",
        "maybe",
        True,
        False,
    ),
    "annotation of a nested function": (
        "def g(a: loads): pass\nloads = 1",
        "unbound",
        True,
        True,
    ),
    "generator that is kept": (
        "g = (loads('1') for n in 'a')\nfrom json import loads\nnext(g)",
        "",
        False,
        False,
    ),
    "generator that is used up": (
        "any(loads('1') for n in 'a')\nfrom json import loads",
        "unbound",
        True,
        True,
    ),
    "iterable of a generator": (
        "g = (n for n in loads('[]'))\nfrom json import loads",
        "unbound",
        True,
        True,
    ),
    "chained comparison": ("flag == 1 < (loads := 3)\nloads", "maybe", True, False),
    "guard of a pattern": (
        "match 1:\n    case x if (loads := 0):\n        pass\nloads",
        "",
        False,
        False,
    ),
    "capture before a guard": (
        "match 1:\n    case loads if flag:\n        pass\nloads",
        "",
        False,
        False,
    ),
    "alternatives that always match": (
        "match flag:\n    case 1 | _:\n        from json import loads\nloads('1')",
        "",
        False,
        False,
    ),
    "if True": ("if True:\n    from json import loads\nloads('1')", "", False, False),
    "if False": ("if False:\n    from json import loads\nloads('1')", "unbound", 1, 1),
    "exit": (
        "import sys\nif flag is None:\n    sys.exit()\nelse:\n"
        "    from json import loads\nloads('1')",
        "",
        False,
        False,
    ),
    "lambda default": ("lambda x=loads: x\nloads = 1", "unbound", True, True),
}


def found(body: str) -> tuple[Shadow, ...]:
    text = source(body)
    return shadows(ast.parse(text), text, SourceLines(text), "m", False, WATCHED)


def source(body: str) -> str:
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    return f"from json import loads\n\n\ndef f(flag):\n{indented}\n"


@pytest.mark.parametrize("case", CASES)
def test_a_state(case: str) -> None:
    body, state, _, _ = CASES[case]
    states = [shadow.state for shadow in found(body)]
    assert states[:1] == ([state] if state else [])


@pytest.mark.parametrize("case", [c for c in CASES if CASES[c][2] is not None])
@pytest.mark.parametrize("flag", [False, True])
def test_python_agrees(case: str, flag: bool) -> None:
    body, state, *raises = CASES[case]
    space: dict[str, object] = {}
    exec(compile(source(body), "m", "exec", dont_inherit=True), space)
    try:
        space["f"](flag)  # type: ignore[operator]
        raised = False
    except NameError:  # UnboundLocalError, and in a class body its base
        raised = True
    except TypeError:  # ``len`` and None take no text to load
        raised = False
    assert raised == bool(raises[flag])
    if raised:
        assert state in ("unbound", "maybe")


def test_annotations_that_are_kept_as_text() -> None:
    text = "from __future__ import annotations\n" + source(
        "def g(a: loads): pass\nloads = 1"
    )
    assert not shadows(ast.parse(text), text, SourceLines(text), "m", False, WATCHED)


def test_it_says_where_and_by_what() -> None:
    (shadow,) = found("loads('1')\nif flag:\n    from json import loads")
    assert (shadow.line, shadow.column, shadow.function) == (5, 5, "f")
    assert (shadow.binding, shadow.kind) == (7, "import")
    assert shadow.outer == shadow.inner == "json.loads"


def test_an_import_of_an_enclosing_function_is_hidden_too() -> None:
    text = """\
def outer():
    from json import loads

    def inner():
        loads('1')
        loads = 1

    return inner
"""
    tree = ast.parse(text)
    (shadow,) = shadows(tree, text, SourceLines(text), "m", False, WATCHED)
    assert (shadow.line, shadow.state, shadow.function) == (5, "unbound", "outer.inner")
