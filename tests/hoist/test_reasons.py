"""Why local imports stay: each reason's own example, and tables of what does and does
not count."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from codemod.hoist import reasons

from . import support


@pytest.mark.parametrize("reason", reasons.ALL, ids=lambda r: r.CODE)
def test_the_example_of_a_reason(reason: ModuleType, tmp_path: Path) -> None:
    marker = f"# <- {reason.CODE}"
    expected = {
        (path, number)
        for path, text in reason.EXAMPLE.items()
        for number, line in enumerate(text.splitlines(), 1)
        if marker in line
    }
    assert expected
    plan = support.planned(tmp_path, reason.EXAMPLE)
    found = {(d.file, d.line) for d in plan.imports if d.reason == reason.CODE}
    assert found == expected
    assert all(d.why for d in plan.imports if d.decision == "keep")


BODY = "        from lib import x\n        return x\n"

# What stands around ``from lib import x`` in a function → its decision.
AROUND: dict[str, tuple[str, str]] = {
    "nothing": (
        "def f():\n    if 1: pass\n    from lib import x\n    return x\n",
        "hoist",
    ),
    "except ImportError": (
        f"def f():\n    try:\n{BODY}    except ImportError:\n        pass\n",
        "optional",
    ),
    "except ModuleNotFoundError only": (
        f"def f():\n    try:\n{BODY}    except ModuleNotFoundError:\n        pass\n",
        "optional",
    ),
    "except in a tuple": (
        f"def f():\n    try:\n{BODY}    except (OSError, ImportError):\n        pass\n",
        "optional",
    ),
    "bare except": (
        f"def f():\n    try:\n{BODY}    except:\n        pass\n",
        "optional",
    ),
    "except KeyError": (
        f"def f():\n    try:\n{BODY}    except KeyError:\n        pass\n",
        "hoist",
    ),
    "finally": (f"def f():\n    try:\n{BODY}    finally:\n        pass\n", "hoist"),
    "the handler itself": (
        f"def f():\n    try:\n        pass\n    except KeyError:\n{BODY}",
        "conditional",
    ),
    "else of a try": (
        f"def f():\n    try:\n        pass\n    except ImportError:\n        pass\n"
        f"    else:\n{BODY}",
        "hoist",
    ),
    "suppress": (
        f"from contextlib import suppress\ndef f():\n"
        f"    with suppress(ImportError):\n{BODY}",
        "optional",
    ),
    "suppress of something else": (
        "from contextlib import suppress\ndef f():\n"
        f"    with suppress(KeyError):\n{BODY}",
        "hoist",
    ),
    "pytest.raises": (
        f"import pytest\ndef f():\n    with pytest.raises(ImportError):\n{BODY}",
        "optional",
    ),
    "under a patch": (
        f"from unittest import mock\ndef f():\n"
        f"    with mock.patch.dict('os.environ', a='b'):\n{BODY}",
        "patch-seam",
    ),
    "if": (f"def f(a):\n    if a:\n{BODY}", "conditional"),
    "else": (f"def f(a):\n    if a:\n        pass\n    else:\n{BODY}", "conditional"),
    "match": (
        f"def f(a):\n    match a:\n        case 1:\n    {BODY[:-17]}"
        "            return x\n",
        "conditional",
    ),
    "TYPE_CHECKING": (
        f"from typing import TYPE_CHECKING\ndef f():\n    if TYPE_CHECKING:\n{BODY}",
        "conditional",
    ),
    "after a platform test that leaves": (
        "import sys\ndef f():\n    if sys.platform == 'win32':\n        return\n"
        "    from lib import x\n    return x\n",
        "conditional",
    ),
    "after a question about the machine that leaves": (
        "def is_cuda(): pass\ndef f():\n    if not is_cuda():\n        return\n"
        "    from lib import x\n    return x\n",
        "conditional",
    ),
    "after a test of a value that leaves": (
        "def f(a):\n    if a is None:\n        return\n    from lib import x\n"
        "    return x\n",
        "hoist",
    ),
    "never used": ("def f():\n    from lib import x\n", "side-effect"),
    "used in an inner function only": (
        "def f():\n    from lib import x\n    def g():\n        return x\n"
        "    return g\n",
        "hoist",
    ),
    "used by name in a class body only": (
        "def f():\n    from lib import x\n    class C:\n        y = x\n    return C\n",
        "hoist",
    ),
    "a parameter of the same name": (
        "def f(x):\n    from lib import x\n    return x\n",
        "name-taken",
    ),
    "bound otherwise too": (
        "def f():\n    x = None\n    from lib import x\n    return x\n",
        "name-taken",
    ),
    "deleted afterwards": (
        "def f():\n    from lib import x\n    print(x)\n    del x\n",
        "name-taken",
    ),
    "the module binds the name": (
        "x = 0\ndef f():\n    from lib import x\n    return x\n",
        "name-taken",
    ),
    "the module defines the name": (
        "def x(): pass\ndef f():\n    from lib import x\n    return x\n",
        "name-taken",
    ),
    "the module imports something else by the name": (
        "from lib import y as x\ndef f():\n    from lib import x\n    return x\n",
        "name-taken",
    ),
    "the module imports it on a condition": (
        "import sys\nif sys.argv:\n    from lib import x\n"
        "def f():\n    from lib import x\n    return x\n",
        "name-taken",
    ),
    "another function binds it through global": (
        "def g():\n    global x\n    x = 1\n"
        "def f():\n    from lib import x\n    return x\n",
        "name-taken",
    ),
    "the function declares it global": (
        "def f():\n    global x\n    from lib import x\n    return x\n",
        "name-taken",
    ),
    "an outer function has the name": (
        "def g(x):\n    def f():\n        from lib import x\n        return x\n"
        "    return f\n",
        "name-taken",
    ),
    "another function uses the builtin": (
        "def f():\n    from lib import x as open\n    return open\n"
        "def g():\n    return open('f')\n",
        "name-taken",
    ),
    "a star may bring it": (
        "from os.path import *\ndef f():\n    from lib import x\n    return x\n"
        "def g():\n    return x\n",
        "name-taken",
    ),
    "a class in a function": (
        "def f():\n    class C:\n        from lib import x\n    return C.x\n",
        "name-taken",
    ),
    "a private name in a class": (
        "class C:\n    def f(self):\n        from lib import x as __x\n"
        "        return __x\n",
        "name-taken",
    ),
    "a local of another function": (
        "def g(x):\n    return x\ndef f():\n    from lib import x\n    return x\n",
        "hoist",
    ),
    "one that stays on a condition keeps the other": (
        "def f(a):\n    if a:\n        from lib import x\n"
        "        print(x)\n    from lib import x\n    return x\n",
        "conditional name-taken",
    ),
    "a name the module has not": (
        "def f():\n    from lib import nope\n    return nope\n",
        "optional",
    ),
    "a module the project has not": (
        "def f():\n    import lib.nope\n    return lib\n",
        "optional",
    ),
    "a keep comment": (
        "def f():\n    from lib import x  # nsroute: keep[late] reads the clock\n"
        "    return x\n",
        "suppressed",
    ),
    "a keep comment above": (
        "def f():\n    # nsroute: keep[late] reads the clock\n    from lib import x\n"
        "    return x\n",
        "suppressed",
    ),
    "a comment that says lazy": (
        "def f():\n    # Lazy import: it opens the device.\n"
        "    from lib import x\n    return x\n",
        "suppressed",
    ),
    "a comment on the line that says on purpose": (
        "def f():\n    from lib import x  # noqa: PLC0415 deferred for start-up\n"
        "    return x\n",
        "suppressed",
    ),
    "a comment in parentheses that says imported here": (
        "def f():\n    from lib import (\n        x,  # imported here for the fork\n"
        "    )\n    return x\n",
        "suppressed",
    ),
    "a comment that fears a cycle": (
        "def f():\n    # Lazy import to avoid circular imports.\n"
        "    from lib import x\n    return x\n",
        "hoist",
    ),
    "a comment on the statement before": (
        "def f():\n    y = 1  # lazy import\n    from lib import x\n    return x\n",
        "hoist",
    ),
    "a function that is defined on a condition": (
        "import sys\nif sys.platform == 'linux':\n    def f():\n"
        "        from lib import x\n        return x\n",
        "conditional",
    ),
    "a method of a class that is defined on a condition": (
        "try:\n    import fast\nexcept ImportError:\n    class C:\n"
        "        def f(self):\n            from lib import x\n"
        "            return x\n",
        "conditional",
    ),
    "a function in a condition of another one": (
        "def f(a):\n    if a:\n        def g():\n            from lib import x\n"
        "            return x\n        return g\n",
        "conditional",
    ),
    "a function that is defined in a try": (
        "try:\n    def f():\n        from lib import x\n        return x\n"
        "except ImportError:\n    pass\n",
        "hoist",
    ),
    "after the environment is set": (
        "import os\ndef f():\n    os.environ['A'] = '1'\n    from lib import x\n"
        "    return x\n",
        "conditional",
    ),
    "after the environment is set on a condition": (
        "import os\ndef f(a):\n    if a:\n        os.environ.setdefault('A', a)\n"
        "    from lib import x\n    return x\n",
        "conditional",
    ),
    "after the environment is read": (
        "import os\ndef f():\n    a = os.environ['A']\n    from lib import x\n"
        "    return x, a\n",
        "hoist",
    ),
    "before the environment is set": (
        "import os\ndef f():\n    from lib import x\n    os.environ['A'] = '1'\n"
        "    return x\n",
        "hoist",
    ),
    "after the search path is changed": (
        "import sys\ndef f():\n    sys.path.insert(0, '.')\n    from lib import x\n"
        "    return x\n",
        "conditional",
    ),
    "after another path is changed": (
        "def f(it):\n    it.path.append('.')\n    from lib import x\n    return x\n",
        "hoist",
    ),
    "after a function that would set it is defined": (
        "import os\ndef f():\n    def g():\n        os.environ['A'] = '1'\n"
        "    from lib import x\n    return x, g\n",
        "hoist",
    ),
    "after pytest.importorskip": (
        "import pytest\ndef test_f():\n    np = pytest.importorskip('numpy')\n"
        "    from lib import x\n    return x, np\n",
        "conditional",
    ),
    "one of two, by an early return": (
        "def f(a):\n    if a:\n        from lib import y\n        return y\n"
        "    from lib import x\n    return x\n",
        "conditional conditional",
    ),
    "after an early return of another kind": (
        "def f(a):\n    if a:\n        return a\n    from lib import x\n    return x\n",
        "hoist",
    ),
    "in a module that asks for a package first": (
        "import pytest\npytest.importorskip('numpy')\ndef test_f():\n"
        "    from lib import x\n    return x\n",
        "conditional",
    ),
    "in a module that is skipped on some machines": (
        "import sys, pytest\nif sys.platform == 'win32':\n"
        "    pytest.skip('no', allow_module_level=True)\ndef test_f():\n"
        "    from lib import x\n    return x\n",
        "conditional",
    ),
    "in a module with a main block": (
        "import sys\ndef f():\n    from lib import x\n    return x\n"
        "if __name__ == '__main__':\n    sys.exit(f())\n",
        "hoist",
    ),
    "after a test that skips": (
        "import pytest\ndef is_cuda(): pass\ndef test_f():\n    if not is_cuda():\n"
        "        pytest.skip('no GPU')\n    from lib import x\n    return x\n",
        "conditional",
    ),
    "a noqa comment keeps nothing": (
        "def f():\n    from lib import x  # noqa: PLC0415\n    return x\n",
        "hoist",
    ),
    "a with that is there for the import": (
        "import warnings\ndef f():\n    with warnings.catch_warnings():\n"
        "        from lib import x\n    return x\n",
        "conditional",
    ),
    "a with around more than imports": (
        f"def f():\n    with open('a'):\n{BODY}",
        "hoist",
    ),
    "behind a filter of warnings": (
        "import warnings\ndef f():\n    warnings.simplefilter('ignore')\n"
        "    from lib import x\n    return x\n",
        "conditional",
    ),
    "behind a setting of a module": (
        "import lib\ndef f():\n    lib.DEBUG = True\n    from lib import x\n"
        "    return x\n",
        "conditional",
    ),
    "a handler that has ImportError under another name": (
        f"E = (KeyError, ImportError)\ndef f():\n    try:\n{BODY}    except E:\n"
        "        pass\n",
        "optional",
    ),
    "a handler of another error under a name": (
        f"E = (KeyError,)\ndef f():\n    try:\n{BODY}    except E:\n        pass\n",
        "hoist",
    ),
}


@pytest.mark.parametrize("name", AROUND)
def test_what_stands_around(name: str, tmp_path: Path) -> None:
    text, expected = AROUND[name]
    files = {"app.py": text, "lib.py": "x = y = 1\n"}
    plan = support.planned(tmp_path, files)
    assert [d.reason or d.decision for d in plan.imports] == expected.split()
    assert (plan.errors, plan.rolled_back) == ((), ())


APP = "def f():\n    from lib import x\n    return x\n"

# Another file of the project → the decision for ``from lib import x`` in app.py.
PATCHES: dict[str, tuple[str, str]] = {
    "mock.patch": (
        "from unittest.mock import patch\n@patch('lib.x')\ndef test(m): pass\n",
        "patch-seam",
    ),
    "mock.patch of another name": (
        "from unittest import mock\ndef test():\n    mock.patch('lib.y')\n",
        "hoist",
    ),
    "patch.object": (
        "from unittest import mock\nimport lib\ndef test():\n"
        "    with mock.patch.object(lib, 'x'):\n        pass\n",
        "patch-seam",
    ),
    "patch.multiple": (
        "from unittest import mock\ndef test():\n    mock.patch.multiple('lib', x=1)\n",
        "patch-seam",
    ),
    "monkeypatch by name": (
        "def test(monkeypatch):\n    monkeypatch.setattr('lib.x', 1)\n",
        "patch-seam",
    ),
    "monkeypatch by module": (
        "import lib as l\ndef test(monkeypatch):\n    monkeypatch.setattr(l, 'x', 1)\n",
        "patch-seam",
    ),
    "assignment to the module": (
        "import lib\ndef test():\n    lib.x = 2\n",
        "patch-seam",
    ),
    "the module in sys.modules": (
        "import sys\nfrom unittest import mock\ndef test():\n"
        "    with mock.patch.dict(sys.modules, {'lib': None}):\n        pass\n",
        "patch-seam",
    ),
    "setitem of sys.modules": (
        "import sys\ndef test(monkeypatch):\n"
        "    monkeypatch.setitem(sys.modules, 'lib', None)\n",
        "patch-seam",
    ),
    "the module out of sys.modules": (
        "import sys\ndef test():\n    sys.modules.pop('lib', None)\n",
        "patch-seam",
    ),
    "del of a module": (
        "import sys\ndef test():\n    del sys.modules['lib']\n",
        "patch-seam",
    ),
    "reload": (
        "import importlib\nimport lib\ndef test():\n    importlib.reload(lib)\n",
        "patch-seam",
    ),
    "patch by another name": (
        "from unittest.mock import patch as p\np('lib.x')\n",
        "patch-seam",
    ),
    "patch by keyword": (
        "from unittest.mock import patch\npatch(new=2, target='lib.x')\n",
        "patch-seam",
    ),
    "patch.object by keyword": (
        "from unittest.mock import patch\nimport lib\n"
        "patch.object(attribute='x', target=lib)\n",
        "patch-seam",
    ),
    "a constant": (
        "from unittest.mock import patch\nT = 'lib.x'\npatch(T)\n",
        "patch-seam",
    ),
    "a constant of another name": (
        "from unittest.mock import patch\nT = 'lib.y'\npatch(T)\n",
        "hoist",
    ),
    "an f-string": (
        "from unittest.mock import patch\nT = 'lib'\npatch(f'{T}.x')\n",
        "patch-seam",
    ),
    "a sum of strings": (
        "from unittest.mock import patch\nT = 'lib'\npatch(T + '.x')\n",
        "patch-seam",
    ),
    "a format": (
        "from unittest.mock import patch\npatch('%s.%s' % ('lib', 'x'))\n",
        "patch-seam",
    ),
    "str.format": (
        "from unittest.mock import patch\npatch('{}.x'.format('lib'))\n",
        "patch-seam",
    ),
    "the name of a module": (
        "from unittest.mock import patch\nimport lib\npatch(lib.__name__ + '.x')\n",
        "patch-seam",
    ),
    "names of a loop": (
        "import lib\nfor n in ('a', 'x'):\n    setattr(lib, n, 1)\n",
        "patch-seam",
    ),
    "names of a loop, others": (
        "import lib\nfor n in ('a', 'b'):\n    setattr(lib, n, 1)\n",
        "hoist",
    ),
    "a name that only running tells": (
        "import lib\ndef put(n):\n    setattr(lib, n, 1)\n",
        "patch-seam",
    ),
    "a module from sys.modules": (
        "import sys\nsys.modules['lib'].x = 2\n",
        "patch-seam",
    ),
    "a module by import_module": (
        "from importlib import import_module\nm = import_module('lib')\nm.x = 2\n",
        "patch-seam",
    ),
    "a module under another name": ("import lib\nm = lib\nm.x = 2\n", "patch-seam"),
    "one of two modules of a name": (
        "def a():\n    import lib as m\n    m.x = 1\ndef b():\n    import os as m\n",
        "patch-seam",
    ),
    "names bound by way of each other": (
        "import lib\nm = n.a\nn = m.b\nm = lib\nT = T + T\nm.x = 2\n",
        "patch-seam",
    ),
    "a tuple of targets": ("import lib\n(lib.y, [*lib.x]) = 1, [2]\n", "patch-seam"),
    "the target of a for": ("import lib\nfor lib.x in 'ab':\n    pass\n", "patch-seam"),
    "the target of a with": (
        "import lib\nwith open('a') as lib.x:\n    pass\n",
        "patch-seam",
    ),
    "the dictionary of a module": ("import lib\nlib.__dict__['x'] = 2\n", "patch-seam"),
    "vars of a module": ("import lib\nvars(lib).update(x=2)\n", "patch-seam"),
    "vars of a module, others": ("import lib\nvars(lib).update(y=2)\n", "hoist"),
    "patch.dict of a module": (
        "from unittest.mock import patch\nimport lib\n"
        "patch.dict(lib.__dict__, {'x': 1})\n",
        "patch-seam",
    ),
    "sys.modules under another name": (
        "from sys import modules as m\nN = 'lib'\nm[N] = None\n",
        "patch-seam",
    ),
    "sys.modules.update": (
        "import sys\nD = {'lib': None}\nsys.modules.update(D)\n",
        "patch-seam",
    ),
    "patch.dict by keyword": (
        "import sys\nfrom unittest.mock import patch\npatch.dict(sys.modules, lib=1)\n",
        "patch-seam",
    ),
    "reload from sys.modules": (
        "import importlib, sys\nimportlib.reload(sys.modules['lib'])\n",
        "patch-seam",
    ),
    "set from outside": (
        "import app\ndef test():\n    app.x = 2\n",
        "name-taken",
    ),
    "an attribute of something else": (
        "class C: pass\nlib = C()\nlib.x = 2\n",
        "hoist",
    ),
}


@pytest.mark.parametrize("name", PATCHES)
def test_what_replaces_the_name(name: str, tmp_path: Path) -> None:
    text, expected = PATCHES[name]
    files = {"app.py": APP, "lib.py": "x = y = 1\n", "test_app.py": text}
    plan = support.planned(tmp_path, files, paths=("app.py",))
    assert [d.reason or d.decision for d in plan.imports] == [expected]


def test_a_name_its_own_module_binds_anew(tmp_path: Path) -> None:
    lib = "x = None\ndef init():\n    global x\n    x = 1\n"
    plan = support.planned(tmp_path, {"app.py": APP, "lib.py": lib})
    (decision,) = plan.imports
    assert decision.reason == "patch-seam"
    assert decision.offer == "import lib, and lib.x at the use"


# lib.py, from which ``app.py`` takes ``x`` → whether that is a seam.
OWN: dict[str, tuple[str, str]] = {
    "globals": ("x = 1\ndef go():\n    globals()['x'] = 2\n", "patch-seam"),
    "globals().update": (
        "x = 1\ndef go():\n    globals().update(x=2)\n",
        "patch-seam",
    ),
    "globals at module level": ("x = 1\nglobals()['x'] = 2\n", "hoist"),
    "itself": (
        "import sys\nx = 1\nme = sys.modules[__name__]\ndef go():\n    me.x = 2\n",
        "patch-seam",
    ),
    "a def": ("x = 1\ndef go():\n    global x\n    def x(): pass\n", "patch-seam"),
    "an import": ("x = 1\ndef go():\n    global x\n    import os as x\n", "patch-seam"),
    "a pattern": (
        "x = 1\ndef go():\n    global x\n    match 2:\n        case x: pass\n",
        "patch-seam",
    ),
    "global that binds nothing": ("x = 1\ndef go():\n    global x\n    x\n", "hoist"),
    "__getattr__": ("n = 0\ndef __getattr__(name): return name\n", "patch-seam"),
    "__getattr__ of others": ("x = 1\ndef __getattr__(name): return name\n", "hoist"),
    "another object": (
        "import sys\nclass P: x = 1\nx = 1\nsys.modules[__name__] = P()\n",
        "patch-seam",
    ),
    "another class": (
        "import sys, types\nclass P(types.ModuleType): x = 1\nx = 1\n"
        "sys.modules[__name__].__class__ = P\n",
        "patch-seam",
    ),
}


@pytest.mark.parametrize("name", OWN)
def test_what_its_own_module_does(name: str, tmp_path: Path) -> None:
    text, expected = OWN[name]
    plan = support.planned(tmp_path, {"app.py": APP, "lib.py": text}, paths=("app.py",))
    assert [d.reason or d.decision for d in plan.imports] == [expected]


def test_a_module_that_is_patched_under_another_name(tmp_path: Path) -> None:
    files = {
        "app.py": "def f():\n    from pkg.lib import x\n    return x\n",
        "seen.py": "def f():\n    import pkg.lib as lib\n    return lib\n",
        "pkg/__init__.py": "",
        "pkg/lib.py": "x = 1\n",
        "api.py": "from pkg import lib\n",
        "test_app.py": "import api\nimport pkg\napi.lib.x = 2\npkg.lib = None\n",
    }
    plan = support.planned(tmp_path, files, paths=("app.py", "seen.py"))
    assert [d.reason for d in plan.imports] == ["patch-seam", "patch-seam"]


# app.py and other files → the decision on each import of ``x`` or ``open`` in app.py.
TAKEN: dict[str, tuple[str, dict[str, str], str]] = {
    "locals": (
        "def f():\n    from lib import x\n    x\n    return locals()\n",
        {},
        "keep",
    ),
    "dir": ("def f():\n    from lib import x\n    x\n    return dir()\n", {}, "keep"),
    "dir of something": (
        "def f():\n    from lib import x\n    return dir(x)\n",
        {},
        "hoist",
    ),
    "a class body that takes the builtin": (
        "class C:\n    open = open\n"
        "def f():\n    from lib import open\n    return open\n",
        {},
        "keep",
    ),
    "a star that may bring it": (
        f"from other import *\n{APP}",
        {"other.py": "x = 2\n"},
        "keep",
    ),
    "a star that does not": (
        f"from other import *\n{APP}",
        {"other.py": "y = 2\n"},
        "hoist",
    ),
    "a star of a star": (
        f"from first import *\n{APP}",
        {"first.py": "from other import *\n", "other.py": "x = 2\n"},
        "keep",
    ),
    "a star of the same module": (f"from lib import *\n{APP}", {}, "hoist"),
    "a builtin of who takes every name": (
        "def f():\n    from lib import open\n    return open\n",
        {"taker.py": "from app import *\n"},
        "keep",
    ),
    "another star of who takes every name": (
        APP,
        {"taker.py": "from other import *\nfrom app import *\n", "other.py": "x = 2\n"},
        "keep",
    ),
    "who takes every name through another": (
        APP,
        {"one.py": "from app import *\n", "two.py": "x = 2\nfrom one import *\n"},
        "keep",
    ),
    "an __all__ of every name": (
        f"__all__ = [n for n in dir()]\n{APP}",
        {"taker.py": "x = 2\nfrom app import *\n"},
        "keep",
    ),
    "an __all__ of its own": (
        f"__all__ = ['f']\n{APP}",
        {"taker.py": "x = 2\nfrom app import *\n"},
        "hoist",
    ),
    "a __getattr__": (f"def __getattr__(n): return n\n{APP}", {}, "keep"),
    "names that are gone through": (
        f"{APP}K = [v for v in globals().values()]\n",
        {},
        "keep",
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_whom_a_new_name_reaches(name: str, tmp_path: Path) -> None:
    text, others, expected = TAKEN[name]
    files = {"app.py": text, "lib.py": "x = open = 1\n", **others}
    (decision,) = support.planned(tmp_path, files, paths=("app.py",)).imports
    assert decision.decision == expected
    assert decision.reason == ("name-taken" if expected == "keep" else None)


def test_a_folder_of_modules_is_not_hidden(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": APP, "pkg/x/y.py": "", "lib.py": "x = 1\n"}
    (decision,) = support.planned(tmp_path, files).imports
    assert decision.reason == "name-taken"


def test_no_test_is_collected_twice(tmp_path: Path) -> None:
    text = "def test():\n    from lib import TestBase, tell\n    TestBase, tell\n"
    files = {"test_app.py": text, "lib.py": "TestBase = tell = 1\n"}
    plan = support.planned(tmp_path, files)
    assert [d.reason for d in plan.imports] == ["name-taken", None]


def test_not_every_python_has_it(tmp_path: Path) -> None:
    text = "def f():\n    import winreg, json\n    return winreg, json\n"
    plan = support.planned(tmp_path, {"app.py": text}, third_party=True)
    assert [d.reason for d in plan.imports] == ["optional", None]


def test_a_patched_module_is_offered_with_its_package(tmp_path: Path) -> None:
    files = {
        "app.py": "def f():\n    from p.lib import x\n    return x\n",
        "p/__init__.py": "",
        "p/lib.py": "x = 1\n",
        "test_app.py": "from unittest import mock\nmock.patch('p.lib.x')\n",
    }
    (decision,) = support.planned(tmp_path, files).imports
    assert decision.offer == "from p import lib, and lib.x at the use"
    assert "test_app.py:2" in (decision.why or "")


def test_an_alias_is_offered(tmp_path: Path) -> None:
    text = "x = 0\ndef f():\n    from lib import x\n    return x\n"
    (decision,) = support.planned(tmp_path, {"app.py": text, "lib.py": "x = 1"}).imports
    assert decision.offer == "from lib import x as lib_x"


def test_one_name_of_two_modules(tmp_path: Path) -> None:
    text = (
        "def f():\n    from a import x\n    return x\n"
        "def g():\n    from b import x\n    return x\n"
        "def h():\n    from b import x\n    return x\n"
    )
    plan = support.planned(tmp_path, {"app.py": text, "a.py": "x=1", "b.py": "x=1"})
    assert support.shown(plan) == {
        "app.py:2 x": "name-taken",
        "app.py:5 x": "hoist",
        "app.py:8 x": "hoist",
    }


def test_a_name_that_would_hide_a_submodule(tmp_path: Path) -> None:
    files = {
        "p/__init__.py": "def f():\n    from q import x\n    return x\n"
        "def g():\n    from p import y\n    return y\n",
        "p/x.py": "",
        "p/y.py": "",
        "q.py": "x = 1\n",
    }
    plan = support.planned(tmp_path, files)
    assert support.shown(plan) == {
        "p/__init__.py:2 x": "name-taken",
        "p/__init__.py:5 y": "hoist",
    }


def test_a_name_that_would_leak_through_a_star(tmp_path: Path) -> None:
    files = {
        "lib.py": "x = 1\n",
        "a.py": "def f():\n    from lib import x\n    return x\n",
        "b.py": "x = 5\nfrom a import *\nassert x == 5\n",
    }
    plan = support.planned(tmp_path, files)
    assert support.shown(plan) == {"a.py:2 x": "name-taken"}
    files["a.py"] = "__all__ = ['f']\n" + files["a.py"]
    plan = support.planned(tmp_path, files)
    assert support.shown(plan) == {"a.py:3 x": "hoist"}
    assert support.still_imports(tmp_path, plan, files) == []


def test_heavy_shows_count_and_chain(tmp_path: Path) -> None:
    files = {
        "app.py": "def f():\n    import a\n    return a\n",
        "a.py": "import b\n",
        "b.py": "import os\nimport numpy.linalg\n",
    }
    (decision,) = support.planned(tmp_path, files).imports
    assert decision.reason == "heavy"
    assert decision.added_packages == ("numpy",)
    assert decision.added_modules == 2
    assert [(c.module, c.line, c.target) for c in decision.chain] == [
        ("app", 2, "a"),
        ("a", 1, "b"),
        ("b", 2, "numpy"),
    ]


def test_heavy_is_measured_against_today(tmp_path: Path) -> None:
    files = {
        "app.py": "import numpy\n\ndef f():\n    import a\n    return a, numpy\n",
        "a.py": "import numpy\n",
    }
    assert set(support.shown(support.planned(tmp_path, files)).values()) == {"hoist"}


def test_heavy_counts_modules(tmp_path: Path) -> None:
    files = {
        "app.py": "def f():\n    import a\n    return a\n",
        "a.py": "".join(f"import m{i}\n" for i in range(6)),
        **{f"m{i}.py": "" for i in range(6)},
    }
    for most, expected in ((6, "heavy"), (7, "hoist")):
        plan = support.planned(tmp_path, files, most_modules=most)
        assert support.shown(plan) == {"app.py:2 a": expected}


def test_a_package_may_be_allowed(tmp_path: Path) -> None:
    files = {
        "app.py": "def f():\n    import a\n    return a\n",
        "a.py": "import numpy\n",
    }
    plan = support.planned(tmp_path, files, allow_packages=frozenset({"numpy"}))
    assert support.shown(plan) == {"app.py:2 a": "hoist"}


def test_third_party_packages_that_are_loaded_already(tmp_path: Path) -> None:
    text = (
        "import numpy\n\ndef f():\n    import numpy.linalg\n    return numpy\n"
        "def g():\n    import pandas\n    return pandas\n"
    )
    plan = support.planned(tmp_path, {"app.py": text}, third_party=True)
    assert support.shown(plan) == {
        "app.py:4 numpy": "hoist",
        "app.py:7 pandas": "heavy",
    }


def test_conditions_that_ask_nothing_about_the_platform(tmp_path: Path) -> None:
    text = (
        "import sys\n"
        "def f(a):\n    if a:\n        from lib import x\n        return x\n"
        "def g(a):\n    if sys.platform == 'win32':\n        from lib import y\n"
        "        return y\n"
    )
    files = {"app.py": text, "lib.py": "x = y = 1\n"}
    plan = support.planned(tmp_path, files, conditions=True)
    assert support.shown(plan) == {"app.py:4 x": "hoist", "app.py:8 y": "conditional"}


def test_modules_and_paths_narrow_the_work(tmp_path: Path) -> None:
    text = (
        "def f():\n    from p.lib import x\n    from p import other\n"
        "    return x, other\n"
    )
    files = {
        "app.py": text,
        "tool/__init__.py": text,
        "p/__init__.py": "",
        "p/lib.py": "x = 1\n",
        "p/other.py": "",
    }
    plan = support.planned(tmp_path, files, modules=("p.other",), paths=("tool",))
    assert support.shown(plan) == {"tool/__init__.py:3 other": "hoist"}
    plan = support.planned(tmp_path, files, modules=("p.*",), paths=("app.py",))
    assert len(plan.imports) == 2
