"""Files before and after their local imports are hoisted.

In every case a real interpreter still imports each module that it imported before.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from . import support

LIBRARY = {
    "lib/__init__.py": "",
    "lib/one.py": "x = y = z = 1\ndef call(): return 1\n",
    "lib/two.py": "x = 2\nw = 2\n",
    "lib/deep/__init__.py": "",
    "lib/deep/er.py": "v = 3\n",
}

# Name → the file app.py before, and after.
CASES: dict[str, tuple[str, str]] = {
    "a new import after the docstring": (
        '"""Doc."""\n\n\ndef f():\n    from lib.one import x\n\n    return x\n',
        '"""Doc."""\n\nfrom lib.one import x\n\n\ndef f():\n    return x\n',
    ),
    "a file without docstring and imports": (
        "def f():\n    from lib.one import x\n    return x\n",
        "from lib.one import x\n\n\ndef f():\n    return x\n",
    ),
    "a file that starts with a comment": (
        "# Licence\n\nX = 1\n\ndef f():\n    from lib.one import x\n    return x\n",
        "# Licence\n\nfrom lib.one import x\n\nX = 1\n\ndef f():\n    return x\n",
    ),
    "after __future__ imports": (
        "from __future__ import annotations\n\n\ndef f():\n    import lib.one\n"
        "    return lib.one.x\n",
        "from __future__ import annotations\n\nimport lib.one\n\n\ndef f():\n"
        "    return lib.one.x\n",
    ),
    "joins the import of the same module": (
        "from lib.one import y\n\ndef f():\n    from lib.one import x, z\n"
        "    return x + z\n",
        "from lib.one import x, y, z\n\ndef f():\n    return x + z\n",
    ),
    "joins a wrapped import": (
        "from lib.one import (\n    y,  # why\n)\n\ndef f():\n"
        "    from lib.one import x\n    return x\n",
        "from lib.one import (\n    x,\n    y,  # why\n)\n\ndef f():\n    return x\n",
    ),
    "a name that is imported already": (
        "from lib.one import x\n\ndef f():\n    from lib.one import x\n    return x\n",
        "from lib.one import x\n\ndef f():\n    return x\n",
    ),
    "sections stay apart": (
        "import os\n\nX = os.sep\n\ndef f():\n    import lib.one\n"
        "    return lib.one.x\n",
        "import os\n\nimport lib.one\n\nX = os.sep\n\ndef f():\n    return lib.one.x\n",
    ),
    "in the order of its section": (
        "import os\n\nfrom lib.deep import er\nfrom lib.two import w\n\ndef f():\n"
        "    from lib.one import x\n    return x, er, w, os\n",
        "import os\n\nfrom lib.deep import er\nfrom lib.one import x\n"
        "from lib.two import w\n\ndef f():\n    return x, er, w, os\n",
    ),
    "before the others of its section": (
        "from lib.two import w\n\ndef f():\n    from lib.deep import er\n"
        "    return er, w\n",
        "from lib.deep import er\nfrom lib.two import w\n\ndef f():\n"
        "    return er, w\n",
    ),
    "five functions": (
        "".join(
            f"def f{i}():\n    from lib.one import x\n    return x\n\n\n"
            for i in range(5)
        ),
        "from lib.one import x\n\n\n"
        + "".join(f"def f{i}():\n    return x\n\n\n" for i in range(5)),
    ),
    "methods, nested functions, coroutines": (
        "class C:\n    def m(self):\n        from lib.one import x\n"
        "        def inner():\n            return x\n        return inner\n"
        "    async def n(self):\n        import lib.two as t\n        return t.w\n",
        "import lib.two as t\nfrom lib.one import x\n\n\nclass C:\n"
        "    def m(self):\n        def inner():\n            return x\n"
        "        return inner\n    async def n(self):\n        return t.w\n",
    ),
    "a dotted import and its dotted uses": (
        "def f():\n    import lib.deep.er\n    return lib.deep.er.v\n",
        "import lib.deep.er\n\n\ndef f():\n    return lib.deep.er.v\n",
    ),
    "two dotted imports that bind one name": (
        "def f():\n    import lib.one\n    import lib.two\n"
        "    return lib.one.x, lib.two.w\n",
        "import lib.one\nimport lib.two\n\n\ndef f():\n"
        "    return lib.one.x, lib.two.w\n",
    ),
    "a dotted import beside one that is there": (
        "import lib.one\n\ndef f():\n    import lib.deep.er\n"
        "    return lib.deep.er.v\n",
        "import lib.deep.er\nimport lib.one\n\ndef f():\n    return lib.deep.er.v\n",
    ),
    "import as": (
        "def f():\n    import lib.deep.er as e\n    return e.v\n",
        "import lib.deep.er as e\n\n\ndef f():\n    return e.v\n",
    ),
    "from import as": (
        "def f():\n    from lib.one import x as y\n    return y\n",
        "from lib.one import x as y\n\n\ndef f():\n    return y\n",
    ),
    "a submodule": (
        "def f():\n    from lib import one\n    return one.x\n",
        "from lib import one\n\n\ndef f():\n    return one.x\n",
    ),
    "the body gets pass": (
        "def f():\n    import lib.one\n    return lib\n\ndef g():\n"
        "    from lib.one import x; x\n",
        "import lib.one\nfrom lib.one import x\n\n\ndef f():\n    return lib\n\n"
        "def g():\n    x\n",
    ),
    "used before its line": (
        "def f():\n    print(x)\n    from lib.one import x\n",
        "from lib.one import x\n\n\ndef f():\n    print(x)\n",
    ),
    "a pragma goes with the import": (
        "def f():\n    from lib.one import x  # noqa: PLC0415\n    return x\n"
        "def g():\n"
        "    import lib.two  # pylint: disable=import-outside-toplevel\n"
        "    return lib.two\n",
        "import lib.two\nfrom lib.one import x\n\n\ndef f():\n    return x\n"
        "def g():\n    return lib.two\n",
    ),
    "comments go along": (
        "import os\n\ndef f():\n    y = 1\n    # This import is special.\n"
        "    from lib.one import x  # really\n    return x, os, y\n",
        "import os\n\n# This import is special.\n# really\nfrom lib.one import x\n\n"
        "def f():\n    y = 1\n    return x, os, y\n",
    ),
    "comments go along to an import that is there": (
        "from lib.one import y\n\ndef f():\n    # This import is special.\n"
        "    from lib.one import x\n    return x\n",
        "# This import is special.\nfrom lib.one import x, y\n\ndef f():\n"
        "    return x\n",
    ),
    "a comment about the code below stays with it": (
        "import os\n\ndef f():\n    # Calls back when it is done.\n"
        "    from lib.one import call\n\n    call(os)\n",
        "import os\n\nfrom lib.one import call\n\ndef f():\n"
        "    # Calls back when it is done.\n    call(os)\n",
    ),
    "a comment about a cycle goes": (
        "def f():\n    # Local import to avoid\n    # a circular import.\n"
        "    from lib.one import x\n    return x\n",
        "from lib.one import x\n\n\ndef f():\n    return x\n",
    ),
    "the first of its section": (
        "import os\n\nfrom lib.two import w\n\ndef f():\n"
        "    from lib.one import x\n    import re\n    return os, w, x, re\n",
        "import os\n\nfrom lib.one import x\nfrom lib.two import w\n\ndef f():\n"
        "    import re\n    return os, w, x, re\n",
    ),
    "the first of its section, below a comment": (
        "import os\n\n# Two.\nfrom lib.two import w\n\ndef f():\n"
        "    from lib.one import x\n    return os, w, x\n",
        "import os\n\nfrom lib.one import x\n# Two.\nfrom lib.two import w\n\n"
        "def f():\n    return os, w, x\n",
    ),
    "comments inside the parentheses": (
        "def f():\n    from lib.one import (\n        # first\n        x,  # second\n"
        "        y,\n    )\n    return x, y\n",
        "# first\n# second\nfrom lib.one import x, y\n\n\ndef f():\n    return x, y\n",
    ),
    "the same comment five times": (
        "".join(
            f"def f{i}():\n    # Why import.\n    from lib.one import x\n    return x\n"
            for i in range(3)
        ),
        "# Why import.\nfrom lib.one import x\n\n\n"
        + "".join(f"def f{i}():\n    return x\n" for i in range(3)),
    ),
    "a statement of which one name stays": (
        "x = 0\n\ndef f():\n    # Both.\n    from lib.one import x, y\n"
        "    return x, y\n",
        "from lib.one import y\n\nx = 0\n\ndef f():\n    # Both.\n"
        "    from lib.one import x\n    return x, y\n",
    ),
    "a long line is wrapped": (
        "def f():\n    from lib.one import call as a_name_that_is_rather_long\n"
        "    from lib.one import x as another_name_that_is_rather_long\n"
        "    return a_name_that_is_rather_long, another_name_that_is_rather_long\n",
        "from lib.one import (\n    call as a_name_that_is_rather_long,\n"
        "    x as another_name_that_is_rather_long,\n)\n\n\ndef f():\n"
        "    return a_name_that_is_rather_long, another_name_that_is_rather_long\n",
    ),
    "windows line endings": (
        "import os\r\n\r\ndef f():\r\n    from lib.one import x  # Why.\r\n"
        "    return x, os\r\n",
        "import os\r\n\r\n# Why.\r\nfrom lib.one import x\r\n\r\ndef f():\r\n"
        "    return x, os\r\n",
    ),
    "tabs and no last newline": (
        "def f():\n\tfrom lib.one import x\n\treturn x",
        "from lib.one import x\n\n\ndef f():\n\treturn x",
    ),
    "a loop and a with block are no conditions": (
        "def f():\n    for i in range(3):\n        from lib.one import x\n"
        "        print(x)\n    with open('f') as g:\n        from lib.two import w\n"
        "        print(w, g)\n",
        "from lib.one import x\nfrom lib.two import w\n\n\ndef f():\n"
        "    for i in range(3):\n        print(x)\n    with open('f') as g:\n"
        "        print(w, g)\n",
    ),
    "a try that does not wait for it": (
        "def f():\n    try:\n        from lib.one import x\n        return x\n"
        "    except ValueError:\n        return 0\n",
        "from lib.one import x\n\n\ndef f():\n    try:\n        return x\n"
        "    except ValueError:\n        return 0\n",
    ),
    "an import for the type checker becomes a real one": (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "    from lib.one import x, y\n\ndef f(a: 'y') -> 'x':\n"
        "    from lib.one import x\n    return x\n",
        "from typing import TYPE_CHECKING\n\nfrom lib.one import x\n\n"
        "if TYPE_CHECKING:\n    from lib.one import y\n\ndef f(a: 'y') -> 'x':\n"
        "    return x\n",
    ),
    "the last import for the type checker takes its block along": (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "    from lib.one import x\n\n\ndef f() -> 'x':\n"
        "    from lib.one import x\n    return x\n",
        "from lib.one import x\n\n\ndef f() -> 'x':\n    return x\n",
    ),
    "a docstring with code on its line": (
        '"""Doc."""; X = [\n    1,\n]\n\n\ndef f():\n    from lib.one import x\n'
        "    return x\n",
        '"""Doc."""; X = [\n    1,\n]\n\nfrom lib.one import x\n\n\ndef f():\n'
        "    return x\n",
    ),
    "an import with code on its line": (
        "import os; X = [\n    os,\n]\n\ndef f():\n    from lib.one import x\n"
        "    return x\n",
        "import os; X = [\n    os,\n]\n\nfrom lib.one import x\n\ndef f():\n"
        "    return x\n",
    ),
    "an import with a line that goes on": (
        "import os; \\\nX = os\n\ndef f():\n    from lib.one import x\n    return x\n",
        "import os; \\\nX = os\n\nfrom lib.one import x\n\ndef f():\n    return x\n",
    ),
    "a comment about other code of the line": (
        "def f():\n    from lib.one import x; a = 1  # about a\n    return a, x\n",
        "from lib.one import x\n\n\ndef f():\n    a = 1  # about a\n    return a, x\n",
    ),
    "the comment of a one-line function": (
        "def f(): from lib.one import x; return x  # about f\n",
        "from lib.one import x\n\n\ndef f(): return x  # about f\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_rewriting(name: str, tmp_path: Path) -> None:
    before, expected = CASES[name]
    files = {**LIBRARY, "app.py": before}
    plan = support.planned(tmp_path, files)
    assert (plan.errors, plan.rolled_back) == ((), ())
    assert support.after(plan, files)["app.py"] == expected
    assert support.still_imports(tmp_path, plan, files) == []
    again = {**LIBRARY, "app.py": expected}
    second = support.planned(tmp_path, again)
    assert not second.changes


# Name → files before, and the changed files after.
PROJECTS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "relative stays relative": (
        {
            "p/__init__.py": "",
            "p/a.py": "import os\n\ndef f():\n    from .b import y\n"
            "    from . import c\n    return y, c, os\n",
            "p/b.py": "y = 1\n",
            "p/c.py": "",
        },
        {
            "p/a.py": "import os\n\nfrom . import c\nfrom .b import y\n\ndef f():\n"
            "    return y, c, os\n"
        },
    ),
    "relative and absolute spellings are one import": (
        {
            "p/__init__.py": "",
            "p/a.py": "from p.b import z\n\ndef f():\n    from .b import y\n"
            "    return y, z\n",
            "p/b.py": "y = z = 1\n",
        },
        {"p/a.py": "from p.b import y, z\n\ndef f():\n    return y, z\n"},
    ),
    "two levels up, from a package": (
        {
            "p/__init__.py": "",
            "p/b.py": "y = 1\n",
            "p/q/__init__.py": "def f():\n    from ..b import y\n    return y\n",
        },
        {"p/q/__init__.py": "from ..b import y\n\n\ndef f():\n    return y\n"},
    ),
}


@pytest.mark.parametrize("name", PROJECTS)
def test_rewriting_projects(name: str, tmp_path: Path) -> None:
    files, expected = PROJECTS[name]
    plan = support.planned(tmp_path, files)
    assert (plan.errors, plan.rolled_back) == ((), ())
    assert {c.file: c.after for c in plan.changes} == expected
    assert support.still_imports(tmp_path, plan, files) == []


def test_a_use_before_the_import_is_said(tmp_path: Path) -> None:
    files = {**LIBRARY, "app.py": CASES["used before its line"][0]}
    (decision,) = support.planned(tmp_path, files).imports
    assert (decision.decision, decision.fixes) == ("hoist", 2)


def test_a_comment_that_goes_is_said(tmp_path: Path) -> None:
    files = {
        **LIBRARY,
        "app.py": "def f():\n    # avoid a cycle\n    import lib.one\n    return lib\n",
    }
    (change,) = support.planned(tmp_path, files).changes
    assert change.notes == ("line 3: the comment 'avoid a cycle' goes; it is no cycle",)


def test_stdlib_only_when_asked(tmp_path: Path) -> None:
    files = {"app.py": "def f():\n    import os\n    return os.sep\n"}
    assert support.planned(tmp_path, files).imports == ()
    plan = support.planned(tmp_path, files, third_party=True)
    assert support.after(plan, files)["app.py"] == (
        "import os\n\n\ndef f():\n    return os.sep\n"
    )


def test_the_only_import_of_a_name_is_not_lost(tmp_path: Path) -> None:
    # ``os`` is imported in one function and used, unbound, in another one.
    text = "def f():\n    import os\n    return os.sep\n\ndef g():\n    return os\n"
    files = {"app.py": text}
    plan = support.planned(tmp_path, files, third_party=True)
    assert support.after(plan, files)["app.py"] == (
        "import os\n\n\ndef f():\n    return os.sep\n\ndef g():\n    return os\n"
    )


def test_encoding_and_bom_survive(tmp_path: Path) -> None:
    text = (
        "\ufeff# -*- coding: utf-8 -*-\ndef f():\n    import lib\n    return 'ß', lib\n"
    )
    (tmp_path / "lib.py").write_text("")
    (tmp_path / "app.py").write_text(text, encoding="utf-8")
    plan = support.planned(tmp_path, {"lib.py": ""})
    (change,) = plan.changes
    assert change.after == (
        "# -*- coding: utf-8 -*-\n\nimport lib\n\n\ndef f():\n    return 'ß', lib\n"
    )
