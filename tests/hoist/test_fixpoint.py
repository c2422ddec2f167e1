"""What can be hoisted together: named traps, each checked by a real interpreter.

``proved`` hoists the plan of a project for real: no import that worked before fails,
and with any single import hoisted that the plan keeps as a cycle, one does.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from . import support

# Name → files, and the decisions.
CASES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "no cycle": (
        {"a.py": "def f():\n    from b import x\n    return x\n", "b.py": "x = 1\n"},
        {"a.py:2 x": "hoist"},
    ),
    "a cycle that fails whichever comes first": (
        {
            "a.py": "from b import y\nx = 1\n",
            "b.py": "def f():\n    from a import x\n    return x\ny = 1\n",
        },
        {"b.py:2 x": "cycle"},
    ),
    "a cycle of modules whose names are used late": (
        {
            "a.py": "import b\nx = 1\n",
            "b.py": "def f():\n    import a\n    return a.x\n",
        },
        {"b.py:2 a": "hoist"},
    ),
    "a cycle that shows only when another module comes first": (
        {
            "main.py": "import b\nimport a\n",
            "a.py": "import b\nx = 1\n",
            "b.py": "def f():\n    from a import x\n    return x\ny = 1\n",
        },
        {"b.py:2 x": "cycle"},
    ),
    "two that are fine alone and not together": (
        {
            "a.py": "x = 1\ndef f():\n    from b import g\n    return g\n",
            "b.py": "y = 1\ndef g():\n    from a import f\n    return f\n",
        },
        {"a.py:3 g": "cycle", "b.py:3 f": "hoist"},
    ),
    "one taken back frees many": (
        {
            "hub.py": "def f():\n    from s0 import x\n    return x\nh = 1\n",
            **{
                f"s{i}.py": "def f():\n    from hub import h\n    return h\nx = 1\n"
                + (f"import s{i + 1}\n" if i < 3 else "")
                for i in range(4)
            },
        },
        {
            "hub.py:2 x": "cycle",
            **{f"s{i}.py:2 h": "hoist" for i in range(4)},
        },
    ),
    "a name that is bound before the circle closes": (
        {
            "a.py": "import os\nx = os.sep\nimport b\n",
            "b.py": "def f():\n    from a import x\n    return x\n",
        },
        {"b.py:2 x": "hoist"},
    ),
    "a function that is called while modules are imported": (
        {
            "a.py": "from b import f\nf()\nx = 1\n",
            "b.py": "def f():\n    from c import y\n    return y\n",
            "c.py": "y = 1\nimport a\n",
        },
        {"b.py:2 y": "cycle"},
    ),
    "a function that is called before the import that is there": (
        {
            "a.py": "def f():\n    from b import x\n    return x\n"
            "v = f()\nfrom b import x\n",
            "b.py": "x = 1\n",
        },
        {"a.py:2 x": "cycle"},
    ),
    "a base class from a module that is half initialised": (
        {
            "a.py": "from b import B\nclass A: pass\n",
            "b.py": "import c\nclass B: pass\n",
            "c.py": "def f():\n    import a\n    return a\n"
            "def g():\n    from b import B\n    return B\n",
        },
        {"c.py:2 a": "cycle", "c.py:5 B": "cycle"},
    ),
    "a package that imports its modules": (
        {
            "p/__init__.py": "from p.a import f\nfrom p.b import g\n",
            "p/a.py": "def f():\n    from p import g\n    return g\n",
            "p/b.py": "def g():\n    from p import f\n    return f\n",
        },
        {"p/a.py:2 g": "cycle", "p/b.py:2 f": "hoist"},
    ),
    "submodules of a package, by the fallback": (
        {
            "p/__init__.py": "from p import a\n",
            "p/a.py": "def f():\n    from p import b\n    return b\n",
            "p/b.py": "def g():\n    from p import a\n    return a\n",
        },
        {"p/a.py:2 b": "hoist", "p/b.py:2 a": "hoist"},
    ),
    "an import that fails today when it comes first": (
        {
            "p/__init__.py": "",
            "p/a.py": "from p.b import y\nx = 1\n",
            "p/b.py": "from p.a import x\ny = 1\n",
            "q.py": "def f():\n    from p.a import x\n    return x\n",
        },
        {"q.py:2 x": "cycle"},
    ),
    "a cycle that works from one side only is entered from the other": (
        {
            "a.py": "x = 1\nfrom b import y\n",
            "b.py": "from a import x\ny = 1\n",
            "q.py": "def f():\n    from b import y\n    return y\n",
        },
        {"q.py:2 y": "cycle"},
    ),
    "a module that cannot be imported at all": (
        {
            "broken.py": "raise RuntimeError('not here')\n",
            "a.py": "def f():\n    import broken\n    return broken\n",
        },
        {"a.py:2 broken": "cycle"},
    ),
    "a handler would swallow the failure": (
        {
            "a.py": "try:\n    from b import y\nexcept ImportError:\n    y = 0\n"
            "x = 1\n",
            "b.py": "def f():\n    from a import x\n    return x\ny = 1\n",
        },
        {"b.py:2 x": "cycle"},
    ),
    "a star from a module that is half initialised": (
        {
            "a.py": "from b import g\nx = 1\n",
            "b.py": "def g(): pass\ndef f():\n    import c\n    return c\n",
            "c.py": "from a import *\ny = x\n",
        },
        {"b.py:3 c": "cycle"},
    ),
    "a name that gets another value later": (
        {
            "a.py": "x = 1\nimport b\nx = 2\n",
            "b.py": "def f():\n    from a import x\n    return x\n",
        },
        {"b.py:2 x": "cycle"},
    ),
    "a name that has its last value": (
        {
            "a.py": "x = 1\nx = 2\nimport b\n",
            "b.py": "def f():\n    from a import x\n    return x\n",
        },
        {"b.py:2 x": "hoist"},
    ),
    "parents run first": (
        {
            "p/__init__.py": "from m import z\n",
            "p/a.py": "x = 1\n",
            "m.py": "def f():\n    from p.a import x\n    return x\nz = 1\n",
        },
        {"m.py:2 x": "cycle"},
    ),
}


#: A real import works in these: it does not tell which branch ran, or which value a
#: name had.
SILENT = (
    "a handler would swallow the failure",
    "a name that gets another value later",
)


@pytest.mark.parametrize("name", CASES)
def test_settles(name: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    plan = support.planned(tmp_path, files)
    assert support.shown(plan) == expected
    assert (plan.errors, plan.rolled_back) == ((), ())
    assert support.still_imports(tmp_path, plan, files) == []
    if name not in SILENT:
        support.check_maximal(tmp_path, plan, files)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("trust", ["real", "both"])
def test_settles_with_a_real_interpreter(name: str, trust: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    plan = support.planned(tmp_path, files, trust=trust)
    if name in SILENT:
        expected = expected if trust == "both" else dict.fromkeys(expected, "hoist")
        assert len(plan.disagreements) == (trust == "both")
    else:
        assert plan.disagreements == () or trust == "real"
    if trust == "both":
        assert support.shown(plan) == expected
    else:  # maximal too, but which ones go back is a matter of what fails first
        support.check_maximal(tmp_path, plan, files)
    assert support.still_imports(tmp_path, plan, files) == []


def test_the_chain_is_shown_with_lines(tmp_path: Path) -> None:
    files = {
        "a.py": "from b import y\nx = 1\n",
        "b.py": "def f():\n    from a import x\n    return x\ny = 1\n",
    }
    (decision,) = support.planned(tmp_path, files).imports
    assert (decision.entry, decision.failure) == ("a", "ImportError")
    assert [(c.file, c.line, c.target, c.hoisted) for c in decision.chain] == [
        ("a.py", 1, "b", False),
        ("b.py", 2, "a", True),
    ]
    assert decision.why == (
        "At module level, `import a` would fail: ImportError: "
        "cannot import name 'x' from 'a'."
    )
    assert decision.proof == "simulation"


def test_what_failed_before_is_not_held_against_a_hoist(tmp_path: Path) -> None:
    files = {
        "a.py": "from b import nope\ndef f():\n    from c import x\n    return x\n",
        "b.py": "",
        "c.py": "x = 1\n",
    }
    assert support.shown(support.planned(tmp_path, files)) == {"a.py:3 x": "hoist"}


def test_simulation_knows_both_platforms(tmp_path: Path) -> None:
    # On this machine the branch does not run; on the other one the hoist would break.
    files = {
        "a.py": "import sys\nif sys.platform == 'other':\n    import b\nx = 1\n",
        "b.py": "def f():\n    from a import x\n    return x\n",
    }
    (decision,) = support.planned(tmp_path, files).imports
    assert decision.reason == "cycle"
    plan = support.planned(tmp_path, files, trust="both")
    assert plan.imports[0].reason == "cycle"
    assert [d.real for d in plan.disagreements] == ["works"]


def test_a_failure_only_a_real_interpreter_sees(tmp_path: Path) -> None:
    # What ``vars`` binds no source shows; the simulation gives the benefit of doubt.
    files = {
        "a.py": "import b\nvars()['x'] = 1\n",
        "b.py": "def f():\n    from a import x\n    return x\n",
    }
    plan = support.planned(tmp_path, files, trust="both")
    (decision,) = plan.imports
    assert (decision.reason, decision.proof) == ("cycle", "real")
    assert [(d.simulation, d.entry) for d in plan.disagreements] == [("works", "a")]
    assert support.still_imports(tmp_path, plan, files) == []


def test_nesting_too_deep_for_the_recursion_limit(tmp_path: Path) -> None:
    files = {
        f"m{i}.py": f"def f():\n    import m{i + 1} as m\n    return m\n"
        for i in range(150)
    }
    files["m150.py"] = ""
    plan = support.planned(tmp_path, files, most_modules=1000)
    kept = [d for d in plan.imports if d.decision == "keep"]
    assert len(kept) == 1
    assert kept[0].failure == "RecursionError"
