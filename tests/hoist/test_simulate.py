"""The simulator against the real interpreters, on named cases.

Each case is a project; every module of it is imported first, and what the simulator
says must be what each installed Python does: the class of the exception, or none.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from . import support

CASES: dict[str, dict[str, str]] = {
    "plain cycle of from imports": {
        "a.py": "from b import y\nx = 1\n",
        "b.py": "from a import x\ny = 1\n",
    },
    "cycle broken by binding before importing": {
        "a.py": "x = 1\nfrom b import y\n",
        "b.py": "from a import x\ny = 1\n",
    },
    "cycle of plain imports, used late": {
        "a.py": "import b\ndef f(): return b.y\nx = 1\n",
        "b.py": "import a\ndef f(): return a.x\ny = 1\n",
    },
    "attribute of a half initialised module": {
        "a.py": "import b\nx = 1\n",
        "b.py": "import a\ny = a.x\n",
    },
    "base class from a half initialised module": {
        "a.py": "import b\nclass Base: pass\n",
        "b.py": "import a\nclass B(a.Base): pass\n",
    },
    "decorator from a half initialised module": {
        "a.py": "import b\ndef deco(f): return f\n",
        "b.py": "import a\n@a.deco\ndef f(): pass\n",
    },
    "default value from a half initialised module": {
        "a.py": "import b\nD = 1\n",
        "b.py": "import a\ndef f(x=a.D): pass\n",
    },
    "annotation is evaluated": {
        "a.py": "import b\nclass T: pass\n",
        "b.py": "import a\ndef f(x: a.T) -> None: pass\n",
    },
    "annotation is not evaluated with the future import": {
        "a.py": "import b\nclass T: pass\n",
        "b.py": "from __future__ import annotations\nimport a\nx: a.T\n",
    },
    "class body uses a half initialised module": {
        "a.py": "import b\nx = 1\n",
        "b.py": "import a\nclass C:\n    y = a.x\n",
    },
    "comprehension at module level": {
        "a.py": "import b\nx = [1]\n",
        "b.py": "import a\ny = [i for i in a.x]\n",
    },
    "lambda does not run": {
        "a.py": "import b\nx = 1\n",
        "b.py": "import a\ny = lambda: a.x\n",
    },
    "lambda's default runs": {
        "a.py": "import b\nx = 1\n",
        "b.py": "import a\ny = lambda v=a.x: v\n",
    },
    "submodule by from import": {
        "p/__init__.py": "",
        "p/a.py": "from p import b\n",
        "p/b.py": "from p import a\n",
    },
    "submodule fallback through sys.modules": {
        "p/__init__.py": "from p import a\n",
        "p/a.py": "from p import b\n",
        "p/b.py": "from p import a\n",
    },
    "import as falls back to sys.modules": {
        "p/__init__.py": "import p.a\n",
        "p/a.py": "import p.b as b\n",
        "p/b.py": "import p.a as a\n",
    },
    "dotted attribute of a loading submodule": {
        "p/__init__.py": "import p.a\n",
        "p/a.py": "import p.b\n",
        "p/b.py": "import p.a\nx = p.a\n",
    },
    "name of a half initialised package": {
        "p/__init__.py": "from p.a import f\nx = 1\n",
        "p/a.py": "from p import x\ndef f(): pass\n",
    },
    "submodule shadowed by a name of the package": {
        "p/__init__.py": "from p.foo import foo\n",
        "p/foo.py": "def foo(): pass\n",
        "q.py": "from p import foo\nfoo()\n",
        "r.py": "import p.foo as m\nm()\n",
    },
    "attribute of what import as took from the package": {
        "p/__init__.py": "from p.foo import foo\n",
        "p/foo.py": "def foo(): pass\n",
        "r.py": "import p.foo\nx = p.foo\n",
    },
    "relative imports": {
        "p/__init__.py": "from . import a\nfrom .b import y\n",
        "p/a.py": "from .b import y\nfrom .c.d import z\n",
        "p/b.py": "y = 1\n",
        "p/c/__init__.py": "",
        "p/c/d.py": "from ..b import y\nfrom ... import q\nz = 1\n",
    },
    "relative import in a top-level module": {"a.py": "from . import b\n"},
    "self import of a package": {
        "p/__init__.py": "from p import x\nx = 1\n",
    },
    "self import of a package, name bound": {
        "p/__init__.py": "x = 1\nfrom p import x as y\nimport p\n",
    },
    "star from a finished module": {
        "a.py": "from b import *\nz = y\n",
        "b.py": "y = 1\n_hidden = 2\n",
    },
    "star leaves out private names": {
        "a.py": "from b import *\nz = _hidden\n",
        "b.py": "_hidden = 2\n",
    },
    "star with __all__ takes private names": {
        "a.py": "from b import *\nz = _hidden\n",
        "b.py": "__all__ = ['_hidden']\n_hidden = 2\n",
    },
    "star with a name in __all__ that is not there": {
        "a.py": "from b import *\n",
        "b.py": "__all__ = ['nope']\n",
    },
    "star from a half initialised module takes what is bound": {
        "a.py": "early = 1\nfrom b import *\nlate = 2\n",
        "b.py": "from a import *\nz = early\nw = late\n",
    },
    "star from a half initialised module, then from it": {
        "a.py": "import b\nlate = 2\n",
        "b.py": "from a import *\n",
        "c.py": "import a\nfrom b import late\n",
    },
    "star of a package imports submodules named in __all__": {
        "p/__init__.py": "__all__ = ['a']\n",
        "p/a.py": "",
        "q.py": "from p import *\nx = a\n",
    },
    "__all__ put together": {
        "p/__init__.py": "__all__ = ['x']\n__all__ += ['y']\n__all__.extend(['z'])\n"
        "x = y = 1\n",
        "q.py": "from p import *\n",
    },
    "missing name of a finished module": {
        "a.py": "from b import nope\n",
        "b.py": "",
    },
    "missing submodule": {
        "p/__init__.py": "",
        "a.py": "import p.nope\n",
        "b.py": "from p import nope\n",
    },
    "module that is not a package": {
        "m.py": "",
        "a.py": "import m.x\n",
        "b.py": "from m.x import y\n",
    },
    "except ImportError": {
        "a.py": "try:\n    from b import nope\nexcept ImportError:\n    nope = None\n",
        "b.py": "",
        "c.py": "from a import nope\n",
    },
    "except ImportError in a cycle": {
        "a.py": "try:\n    from b import y\nexcept ImportError:\n    y = None\nx = 1\n",
        "b.py": "from a import x\ny = 1\n",
    },
    "except ModuleNotFoundError does not catch ImportError": {
        "a.py": "try:\n    from b import n\nexcept ModuleNotFoundError:\n    n = 1\n",
        "b.py": "",
    },
    "except AttributeError": {
        "a.py": "import b\nx = 1\n",
        "b.py": "import a\ntry:\n    y = a.x\nexcept AttributeError:\n    y = 0\n",
    },
    "except Exception, and a name it leaves unbound": {
        "a.py": "try:\n    from b import nope\nexcept Exception:\n    pass\n",
        "b.py": "",
        "c.py": "from a import nope\n",
    },
    "suppress": {
        "a.py": "from contextlib import suppress\n"
        "with suppress(ImportError):\n    from b import nope\n",
        "b.py": "",
    },
    "re-raise": {
        "a.py": "try:\n    from b import nope\nexcept ImportError:\n    raise\n",
        "b.py": "",
    },
    "try else finally": {
        "a.py": "try:\n    import b\nexcept ImportError:\n    pass\nelse:\n"
        "    from b import nope\nfinally:\n    z = 1\n",
        "b.py": "",
    },
    "failed module leaves sys.modules, its children stay": {
        "p/__init__.py": "import p.a\nfrom p.a import nope\n",
        "p/a.py": "x = 1\n",
        "q.py": "try:\n    import p\nexcept ImportError:\n    pass\nimport p.a\n",
        "r.py": "try:\n    import p\nexcept ImportError:\n    pass\n"
        "from p.a import x\n",
        "s.py": "try:\n    import p\nexcept ImportError:\n    pass\nimport p.a as m\n",
    },
    "module that raises": {"a.py": "raise RuntimeError('no')\n", "b.py": "import a\n"},
    "module that exits": {"a.py": "import sys\nsys.exit(3)\n", "b.py": "import a\n"},
    "except Exception does not catch an exit": {
        "a.py": "import sys\nsys.exit(3)\n",
        "b.py": "try:\n    import a\nexcept Exception:\n    pass\n",
        "c.py": "try:\n    import a\nexcept BaseException:\n    pass\n",
    },
    "module __getattr__": {
        "p/__init__.py": "def __getattr__(name):\n    if name == 'x':\n"
        "        from p.a import x\n        return x\n"
        "    raise AttributeError(name)\n",
        "p/a.py": "x = 1\n",
        "p/b.py": "from p import x\n",
        "p/c.py": "from p import a\n",
        "p/d.py": "from p import nope\n",
        "p/e.py": "import p\ny = p.x\n",
    },
    "module __getattr__ in a cycle": {
        "p/__init__.py": "from p.b import y\ndef __getattr__(name):\n"
        "    if name in ('x', 'z'):\n        return 1\n    raise AttributeError\n",
        "p/b.py": "from p import x\ny = 1\n",
    },
    "module __getattr__ that answers everything hides a submodule": {
        "p/__init__.py": "def __getattr__(name):\n    return 1\n",
        "p/a.py": "raise ValueError\n",
        "q.py": "from p import a\n",
    },
    "call of a function that imports": {
        "a.py": "from b import f\nf()\nx = 1\n",
        "b.py": "def f():\n    from a import x\n    return x\n",
    },
    "call of a function that imports, late enough": {
        "a.py": "from b import f\nx = 1\nf()\n",
        "b.py": "def f():\n    from a import x\n    return x\n",
    },
    "call of a function that uses a global bound later": {
        "a.py": "import b\n",
        "b.py": "def f(): return G\nimport c\nG = 1\n",
        "c.py": "import b\nb.f()\n",
    },
    "call through another function": {
        "a.py": "from b import g\ng()\nx = 1\n",
        "b.py": "def f():\n    import a\n    return a.x\ndef g():\n    return f()\n",
    },
    "function that returns early": {
        "a.py": "def f():\n    return 1\n    import nope_a\nf()\n",
    },
    "generator function does not run": {
        "a.py": "def f():\n    from b import nope\n    yield 1\nf()\n",
        "b.py": "",
    },
    "coroutine does not run": {
        "a.py": "async def f():\n    from b import nope\nc = f()\nc.close()\n",
        "b.py": "",
    },
    "decorator factory": {
        "a.py": "from b import register\n@register('k')\ndef f(): pass\nx = 1\n",
        "b.py": "def register(key):\n    def wrap(f):\n        from a import x\n"
        "        return f\n    return wrap\n",
    },
    "class with __init__ that imports": {
        "a.py": "from b import C\nc = C()\nx = 1\n",
        "b.py": "class C:\n    def __init__(self):\n        from a import x\n",
    },
    "inherited __init__": {
        "a.py": "from b import D\nd = D()\nx = 1\n",
        "b.py": "class C:\n    def __init__(self):\n        from a import x\n"
        "class D(C): pass\n",
    },
    "__init_subclass__": {
        "a.py": "from b import C\nclass D(C): pass\nx = 1\n",
        "b.py": "class C:\n    def __init_subclass__(cls):\n        from a import x\n",
    },
    "metaclass": {
        "a.py": "from b import M\nclass D(metaclass=M): pass\nx = 1\n",
        "b.py": "class M(type):\n    def __init__(cls, *a):\n        from a import x\n",
    },
    "method of a module-level object": {
        "a.py": "from b import C\nc = C()\nc.go()\nx = 1\n",
        "b.py": "class C:\n    def go(self):\n        from a import x\n",
    },
    "import_module": {
        "a.py": "import importlib\nimportlib.import_module('b')\nx = 1\n",
        "b.py": "from a import x\n",
    },
    "if TYPE_CHECKING does not run": {
        "a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
        "    from b import y\nelse:\n    y = 1\nx = y\n",
        "b.py": "from a import nope\n",
    },
    "if not TYPE_CHECKING": {
        "a.py": "import typing\nif not typing.TYPE_CHECKING:\n    from b import y\n",
        "b.py": "",
    },
    "if name is main": {
        "a.py": "if __name__ == '__main__':\n    from b import nope\n",
        "b.py": "",
    },
    "del takes a name away": {
        "a.py": "x = 1\ndel x\n",
        "b.py": "from a import x\n",
    },
    "assigning to a module's attribute": {
        "a.py": "import b\nb.late = 1\n",
        "b.py": "",
        "c.py": "import a\nfrom b import late\n",
        "d.py": "from b import late\n",
    },
    "namespace package": {
        "n/a.py": "from n import b\nimport n.b\n",
        "n/b.py": "import n.a\nx = 1\n",
        "m.py": "from n import a, nope\n",
    },
    "getattr with and without a default": {
        "a.py": "import b\nx = 1\n",
        "b.py": "import a\ny = getattr(a, 'x', None)\n",
        "c.py": "import d\nx = 1\n",
        "d.py": "import c\ny = getattr(c, 'x')\n",
        "e.py": "import f\nx = 1\n",
        "f.py": "import e\ny = hasattr(e, 'x')\n",
    },
    "one name of two is there": {
        "a.py": "x = 1\nimport b\ny = 2\n",
        "b.py": "from a import x, y\n",
    },
    "cycle seen only when another module is imported first": {
        "p/__init__.py": "",
        "p/a.py": "from p.b import f\nx = 1\n",
        "p/b.py": "def f(): pass\nfrom p.c import z\n",
        "p/c.py": "from p.a import x\nz = 1\n",
    },
    "walrus at module level": {
        "a.py": "import b\nif (n := 1):\n    x = n\n",
        "b.py": "from a import n\n",
        "c.py": "from a import n\n",
    },
    "match statement binds": {
        "a.py": "match 1:\n    case n:\n        x = n\n",
        "c.py": "from a import n, x\n",
    },
    "class keyword argument": {
        "a.py": "import b\nx = 1\n",
        "b.py": "import a\nclass K:\n    def __init_subclass__(cls, k): pass\n"
        "class C(K, k=a.x): pass\n",
    },
    "parent is imported first": {
        "p/__init__.py": "from p.q.r import z\n",
        "p/q/__init__.py": "",
        "p/q/r.py": "from p import w\nz = 1\n",
    },
    "star binds functions that can be called": {
        "a.py": "from b import *\nf()\nx = 1\n",
        "b.py": "def f():\n    from a import x\n",
    },
    "alias of a module": {
        "a.py": "import b\nm = b\nx = 1\n",
        "b.py": "import a\nm = a\ny = m.x\n",
    },
    "with statement at module level": {
        "a.py": "import b\nx = 1\n",
        "b.py": "import a, contextlib\nwith contextlib.nullcontext(a.x) as c:\n"
        "    pass\n",
    },
    "chain too deep for the recursion limit": {
        **{f"m{i}.py": f"import m{i + 1}\n" for i in range(170)},
        "m170.py": "",
    },
}


@pytest.mark.parametrize("name", CASES)
def test_simulation_is_what_python_does(name: str, tmp_path: Path) -> None:
    files = CASES[name]
    support.write(tmp_path, files)
    modules = [support.module_of(path)[0] for path in files]
    if len(modules) > 20:
        modules = [modules[0], modules[-30]]
    said = {m: support.kind(support.simulated(files, m)) for m in modules}
    for python in support.interpreters():
        found = support.imported(tmp_path, modules, python)
        assert {m: o.kind for m, o in found.items()} == said, python


def test_cases_cover_both_outcomes() -> None:
    kinds = {
        support.kind(support.simulated(files, support.module_of(path)[0]))
        for files in CASES.values()
        if len(files) < 20
        for path in files
    }
    assert {"", "ImportError", "AttributeError", "NameError"} <= kinds
    assert {"ModuleNotFoundError", "SystemExit", "RuntimeError"} <= kinds
