"""What pins a signature, so that a parameter that nothing reads has to stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from transforms_support import Done, run

from codemod.transforms.samples import PACK, RECORD

HEAD = "from app.config import Config, get_config\n\n\n"
CALL = "from app.low import f\n\n\ndef g(config):\n    return f(1, config)\n"

PINNED = {
    "called by itself only": "def k(n, config):\n    return n and k(n - 1, config)\n",
    "a test": "def test_it(config):\n    assert 1\n",
    "a decorator": "import functools\n\n\n@functools.cache\n"
    "def f(n, config):\n    return n\n",
    "handed over": "def f(n, config):\n    return n\n\n\nHOOKS = {'f': f}\n",
    "a stub": "def f(n, config):\n    raise NotImplementedError\n",
    "its own names": "def f(n, config):\n    return locals()\n",
    "bound again": "def f(n, config):\n    config = n\n    return n\n",
    "in __all__": "__all__ = ['f']\n\n\ndef f(n, config):\n    return n\n",
    "in a string": "def f(n, config):\n    return n\n\n\nNAME = 'app.low.f'\n",
    "defined twice": "def f(n, config):\n    return n\n\n\nif 1:\n\n"
    "    def f(n, config):\n        return n\n",
    "an argument with an effect": "def f(n, config):\n    return n\n\n\ndef h():\n"
    "    return f(1, print())\n",
    "unpacked arguments": "def f(n, config):\n    return n\n\n\ndef h(a):\n"
    "    return f(*a)\n",
    "unpacked keywords": "def f(n, config):\n    return n\n\n\ndef h(a):\n"
    "    return f(1, **a)\n",
    "assigned": "def f(n, config):\n    return n\n\n\nk = f\n",
    "a default that does something": "def f(n, config=print('made')):\n    return n\n",
    "its name is bound again": "def f(n, config):\n    return n\n\n\n"
    "def k(n, c=None):\n    return c\n\n\nif 1:\n    f = k\n",
    "bound again by a function": "def f(n, config):\n    return n\n\n\n"
    "def k():\n    global f\n    f = print\n",
    "a call that fails": "def f(n, config):\n    return n\n\n\n"
    "def h():\n    return f(1)\n",
    "a failure that is caught": "def f(n, config):\n    return n\n\n\n"
    "def h():\n    try:\n        return f(1, get_config())\n"
    "    except ValueError:\n        return 0\n",
    "an example in its docstring": "def f(n, config):\n"
    "    '''\n    >>> f(1, None)\n    1\n    '''\n    return n\n",
    "a call in a string": "def f(n, config):\n    return n\n\n\n"
    "def h():\n    return eval('f(1, None)')\n",
    "an entry point in a string": "def f(n, config):\n    return n\n\n\n"
    "ENTRY = 'app.low:f'\n",
    "globals()": "def f(n, config):\n    return n\n\n\n"
    "def h(name):\n    return globals()[name](1, None)\n",
}


@pytest.mark.parametrize("low", PINNED.values(), ids=PINNED)
def test_pinned(low: str, tmp_path: Path) -> None:
    done = _run(tmp_path, {"app/low.py": HEAD + low, "app/high.py": CALL})
    assert "app/high.py" not in done.after
    assert "config" in done.after.get("app/low.py", "config")
    assert done.kept[:1] == ["pinned"]


#: What another file does, beside the call in ``app.high``.
ELSEWHERE = {
    "a name that begins so": "from app import low\n\n\n"
    "def h(c):\n    return getattr(low, 'f' + c)(1, None)\n",
    "a name of an f-string": "from app import low\n\n\n"
    "def h(c):\n    return getattr(low, f'f{c}')(1, None)\n",
    "every name of a module": "from app import low\n\n\n"
    "def h():\n    return [v(1, None) for v in vars(low).values()]\n",
    "every member": "import inspect\nfrom app import low\n\n\n"
    "def h():\n    return inspect.getmembers(low)\n",
    "a keyword of patch.multiple": "from unittest.mock import patch\n\n\n"
    "def h():\n    return patch.multiple('app.high', f=print)\n",
    "set where it is imported": "import app.high\n\n\n"
    "def h():\n    app.high.f = print\n",
    "filled in where it is imported": "import app.high\n\n\n"
    "def h():\n    app.high.__dict__.update(f=print)\n",
    "bound otherwise where it is imported": "from app.low import f\n\n\n"
    "def k(n, c):\n    return c\n\n\nif 1:\n    f = k\n\n\n"
    "def h():\n    return f(1, None)\n",
}


@pytest.mark.parametrize("other", ELSEWHERE.values(), ids=ELSEWHERE)
def test_pinned_from_elsewhere(other: str, tmp_path: Path) -> None:
    low = "def f(n, config):\n    return n\n"
    files = {"app/low.py": low, "app/high.py": CALL, "app/other.py": other}
    done = _run(tmp_path, files)
    assert done.after == {}
    assert set(done.kept) == {"pinned"}


@pytest.mark.parametrize(
    "name", ["'other_' + c", "'%s_run' % c", "'on_{}'.format(c)", "f'{c}x'"]
)
def test_a_computed_name_that_is_another(name: str, tmp_path: Path) -> None:
    low = "def f(n, config):\n    return n\n"
    high = CALL + "\n\ndef run():\n    return g(None)\n"
    other = f"from app import low\n\n\ndef h(c):\n    return getattr(low, {name})()\n"
    files = {"app/low.py": low, "app/high.py": high, "app/other.py": other}
    assert "app/low.py" in _run(tmp_path, files).after


METHODS = {
    "a computed name": "class B:\n    def f(self, config):\n        return 2\n\n"
    "    def g(self):\n        return self.f(get_config())\n\n"
    "    def h(self, name):\n        return getattr(self, name)(1)\n",
    "a computed name of a base": "class A:\n    def h(self, name):\n"
    "        return getattr(self, 'f' + name)(1)\n\n\n"
    "class B(A):\n    def f(self, config):\n        return 2\n\n"
    "    def g(self):\n        return self.f(get_config())\n",
    "a name for operator": "from operator import methodcaller\n\n\n"
    "class B:\n    def f(self, config):\n        return 2\n\n"
    "    def g(self):\n        return self.f(get_config())\n\n\n"
    "def h(name):\n    return methodcaller(name, 1)(B())\n",
    "a child binds it": "class A:\n    def f(self, config):\n        return 1\n\n"
    "    def g(self):\n        return self.f(get_config())\n\n\n"
    "class B(A):\n    f = print\n",
    "a sibling of a child has it": "class A:\n    def f(self, config):\n"
    "        return 1\n\n    def g(self):\n        return self.f(get_config())\n\n\n"
    "class M:\n    def f(self, config):\n        return config.other\n\n\n"
    "class B(M, A):\n    pass\n",
    "a child of what is no known class": "class A:\n    def f(self, config):\n"
    "        return 1\n\n    def g(self):\n        return self.f(get_config())\n\n\n"
    "def k(base):\n    class B(base):\n        def f(self, config):\n"
    "            return config.other\n\n    return B\n",
    "a child of what a call gives": "class A:\n    def f(self, config):\n"
    "        return 1\n\n    def g(self):\n        return self.f(get_config())\n\n\n"
    "def k():\n    return A\n\n\nclass B(k()):\n    def f(self, config):\n"
    "        return config.other\n",
    "a child by another name": "class A:\n    def f(self, config):\n"
    "        return 1\n\n    def g(self):\n        return self.f(get_config())\n\n\n"
    "Base = A\n\n\nclass B(Base):\n    def f(self, config):\n"
    "        return config.other\n",
    "a metaclass": "class M(type):\n    pass\n\n\nclass A(metaclass=M):\n"
    "    def f(self, config):\n        return 1\n\n"
    "    def g(self):\n        return self.f(get_config())\n",
    "a class made by type()": "class A:\n    def f(self, config):\n"
    "        return 1\n\n    def g(self):\n        return self.f(get_config())\n\n\n"
    "B = type('B', (A,), dict(f=print))\n",
    "a base class has it": "class A:\n    def f(self, config):\n        return 1\n\n\n"
    "class B(A):\n    def f(self, config):\n        return 2\n\n"
    "    def g(self):\n        return self.f(get_config())\n",
    "a base class that nobody knows": "import threading\n\n\n"
    "class B(threading.Thread):\n    def f(self, config):\n        return 2\n\n"
    "    def g(self):\n        return self.f(get_config())\n",
    "an object of unknown class": "class B:\n    def f(self, config):\n"
    "        return 2\n\n\ndef g(b):\n    return b.f(get_config())\n",
    "called off its class": "class B:\n    def f(self, config):\n"
    "        return 2\n\n\ndef g(b):\n    return B.f(b, get_config())\n",
    "a special method": "class B:\n    def __call__(self, config):\n"
    "        return 2\n\n\ndef g():\n    return B()(get_config())\n",
    "inside a function": "def g():\n    def f(config):\n        return 1\n\n"
    "    return f(get_config())\n",
}


@pytest.mark.parametrize("low", METHODS.values(), ids=METHODS)
def test_pinned_methods(low: str, tmp_path: Path) -> None:
    done = _run(tmp_path, {"app/low.py": HEAD.replace("Config, ", "") + low})
    assert done.after == {}
    assert set(done.kept) == {"pinned"}


def _run(tmp_path: Path, files: dict[str, str]) -> Done:
    return run(tmp_path / "project", {**RECORD, **files}, PACK, "cleanup")
