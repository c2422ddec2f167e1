"""What nothing reads goes, and what somebody else may see stays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from transforms_support import Done, run, write

from codemod.transforms.samples import PACK, RECORD

HEAD = "from app.config import Config, get_config\n\n\n"
CALL = "from app.low import f\n\n\ndef g(config):\n    return f(1, config)\n"

GONE = {
    "positional": (
        "def f(n, config):\n    return n\n\n\n"
        "def g():\n    config = get_config()\n    return f(1, config)\n",
        "def f(n):\n    return n\n\n\ndef g():\n    return f(1)\n",
    ),
    "keyword": (
        "def f(n, *, config=None, more=0):\n    return n\n\n\n"
        "def g():\n    return f(1, config=get_config(), more=2) + f(3)\n",
        "def f(n, *, more=0):\n    return n\n\n\n"
        "def g():\n    return f(1, more=2) + f(3)\n",
    ),
    "first of several": (
        "def f(config, n, *rest):\n    return n, rest\n\n\n"
        "def g():\n    return f(get_config(), 1, 2, 3)\n",
        "def f(n, *rest):\n    return n, rest\n\n\ndef g():\n    return f(1, 2, 3)\n",
    ),
    "positional only": (
        "def f(config, /, n):\n    return n\n\n\n"
        "def g():\n    return f(get_config(), n=1)\n",
        "def f(n):\n    return n\n\n\ndef g():\n    return f(n=1)\n",
    ),
    "by annotation": (
        'def f(n, c: "Config | None" = None):\n    return n\n\n\n'
        "def g():\n    return f(1, get_config())\n",
        "def f(n):\n    return n\n\n\ndef g():\n    return f(1)\n",
    ),
    "a chain": (
        "def a(config):\n    return 1\n\n\ndef b(config):\n    return a(config)\n\n\n"
        "def c():\n    config = get_config()\n    return b(config=config)\n",
        "def a():\n    return 1\n\n\ndef b():\n    return a()\n\n\n"
        "def c():\n    return b()\n",
    ),
    "a circle": (
        "def a(n, config):\n    return n and b(n - 1, config)\n\n\n"
        "def b(n, config):\n    return n and a(n - 1, config)\n\n\n"
        "def c():\n    return a(3, get_config())\n",
        "def a(n):\n    return n and b(n - 1)\n\n\n"
        "def b(n):\n    return n and a(n - 1)\n\n\n"
        "def c():\n    return a(3)\n",
    ),
    "a call in a call": (
        "def f(n, config):\n    return n\n\n\n"
        "def g():\n    config = get_config()\n    return f(f(1, config), config)\n",
        "def f(n):\n    return n\n\n\ndef g():\n    return f(f(1))\n",
    ),
    "a method": (
        "class C:\n    def f(self, config, n):\n        return n\n\n"
        "    @staticmethod\n    def s(config):\n        return 1\n\n"
        "    @classmethod\n    def k(cls, n, config):\n        return n\n\n"
        "    def g(self, config):\n"
        "        return self.f(config, 1) + C.s(config) + C.k(2, config)\n\n"
        "    def h(self):\n        return self.g(get_config())\n",
        "class C:\n    def f(self, n):\n        return n\n\n"
        "    @staticmethod\n    def s():\n        return 1\n\n"
        "    @classmethod\n    def k(cls, n):\n        return n\n\n"
        "    def g(self):\n"
        "        return self.f(1) + C.s() + C.k(2)\n\n"
        "    def h(self):\n        return self.g()\n",
    ),
    "unread bindings": (
        "def f():\n    config = get_config()\n    return 1\n",
        "def f():\n    return 1\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), GONE.values(), ids=GONE)
def test_goes(before: str, after: str, tmp_path: Path) -> None:
    done = _run(tmp_path, {"app/low.py": HEAD + before})
    assert not done.failed
    text = done.after["app/low.py"]
    assert text.removeprefix("from app.config import Config\n\n\n") == after
    _compiles(tmp_path / "project", done)


def test_the_packs_public_functions_and_entry_points(tmp_path: Path) -> None:
    low = "def f(n, config):\n    return n\n\n\ndef main(config=None):\n    return 1\n"
    files = {
        "app/low.py": low,
        "app/high.py": CALL,
        "pyproject.toml": '[project.scripts]\nrun = "app.low:main"\n',
    }
    public = '\n[cleanup]\npublic = ["app.low.f"]\n'
    done = run(tmp_path / "project", {**RECORD, **files}, PACK + public, "cleanup")
    assert done.after == {}
    assert [site.why.partition("but ")[2] for site in done.plan.kept] == [
        "the pack says that its signature is public.",
        "it is an entry point.",
    ]


def test_across_files_and_re_exports(tmp_path: Path) -> None:
    files = {
        "app/low.py": "def f(n, config):\n    return n\n",
        "app/pub.py": "from app.low import f as g\n",
        "app/high.py": "import app.low\nfrom app import pub\n"
        "from app.config import get_config\n\n\n"
        "def h():\n    return app.low.f(1, get_config()) + pub.g(2, config=None)\n",
    }
    done = _run(tmp_path, files)
    assert done.after["app/low.py"] == "def f(n):\n    return n\n"
    assert done.after["app/high.py"] == (
        "import app.low\nfrom app import pub\n\n\n"
        "def h():\n    return app.low.f(1) + pub.g(2)\n"
    )


KEPT_BINDINGS = {
    "meant to be unused": {
        "app/low.py": "from app.config import get_config  # noqa: F401\n",
        "app/high.py": "from app.config import get_config as get_config\n",
    },
    "read by others": {
        "app/low.py": "from app.config import get_config\n",
        "app/high.py": "from app.low import get_config\n\nX = [get_config]\n",
    },
    "a package re-exports": {
        "app/sub/__init__.py": "from app.config import get_config\n"
    },
    "patched by a test": {
        "app/low.py": "from app.config import get_config\n",
        "tests/test_low.py": "from unittest.mock import patch\n\n"
        "patch('app.low.get_config')\n",
    },
    "a value with an effect": {
        "app/low.py": "from app.config import get_config\n\n\n"
        "def f(n):\n    config = n() or get_config()\n"
    },
    "not the record": {
        "app/low.py": "import os\n\n\ndef f(n):\n    config = n.size\n    return 1\n"
    },
    "only some of its bindings": {
        "app/low.py": "from app.config import get_config\n\n\n"
        "def f(n):\n    config = get_config()\n    config = n\n"
    },
}


@pytest.mark.parametrize("files", KEPT_BINDINGS.values(), ids=KEPT_BINDINGS)
def test_bindings_that_stay(files: dict[str, str], tmp_path: Path) -> None:
    assert _run(tmp_path, files).after == {}


def _run(tmp_path: Path, files: dict[str, str]) -> Done:
    return run(tmp_path / "project", {**RECORD, **files}, PACK, "cleanup")


def _compiles(root: Path, done: Done) -> None:
    """The functions that are called without arguments give what they gave."""
    before = _values(root)
    write(root, done.after)
    assert _values(root) == before


def _values(root: Path) -> str:
    code = (
        "import inspect\nfrom app import low\n"
        "for name, f in sorted(vars(low).items()):\n"
        "    if inspect.isclass(f) and name == 'C': print(f().h())\n"
        "    if inspect.isfunction(f) and name in ('c', 'g', 'f'):\n"
        "        names = list(inspect.signature(f).parameters)\n"
        "        if set(names) <= {'config'}:\n"
        "            print(name, f(*(None for _ in names)))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


LOW = "from app.config import Config\n\n\ndef f(n, config: Config):\n    return n\n"
HIGH = (
    "from app import low\nfrom app.config import Config, get_config\n"
    "from app.low import f\n\n\ndef g():\n    return f(1, get_config())\n"
)
#: What another file says of ``app.low``, and whether that takes the name off it.
MENTIONS = {
    "its own import of the class": ("x: Config\n", False),
    "a quoted annotation": ("x: 'Config'\n", False),
    "an import of another name": ("from app.low import f as h\n", False),
    "an import of it": (
        "from app.low import (\n    f,  # (f)\n    Config as C,\n)\n",
        True,
    ),
    "an import on two lines": ("from app.low import f, \\\n    Config\n", True),
    "an import of everything": ("from app.low import *\n", True),
    "an attribute": ("x = low.Config\n", True),
    "a patch by text": ("x = patch('app.low.Config')\n", True),
    "a patch by name": ("x = patch.object(low, 'Config')\n", True),
    "getattr": ('x = getattr(low, "Config")\n', True),
}


@pytest.mark.parametrize(("more", "stays"), MENTIONS.values(), ids=MENTIONS)
def test_an_import_for_an_annotation_that_goes(
    more: str, stays: bool, tmp_path: Path
) -> None:
    done = _run(tmp_path, {"app/low.py": LOW, "app/high.py": HIGH + more})
    assert "def f(n):" in done.after["app/low.py"]
    assert done.after["app/low.py"].startswith("from app.config") == stays


#: The head of ``app.low`` before and after its function loses the annotated parameter.
TYPED = {
    "a block that is emptied": (
        "import os\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "    from app.config import Config\n\nSEP = os.sep\n",
        "import os\n\nSEP = os.sep\n",
    ),
    "one of two imports": (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "    from app.config import Config\n    from os import PathLike\n\n"
        "at: 'PathLike | None' = None\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "    from os import PathLike\n\nat: 'PathLike | None' = None\n",
    ),
    "another block": (
        "import typing\nfrom typing import TYPE_CHECKING\n\n"
        "if typing.TYPE_CHECKING:\n    from app.config import Config\n\n"
        "if TYPE_CHECKING:\n    from os import PathLike\n\n"
        "at: 'PathLike | None' = None\n",
        "import typing\nfrom typing import TYPE_CHECKING\n\n"
        "if TYPE_CHECKING:\n    from os import PathLike\n\n"
        "at: 'PathLike | None' = None\n",
    ),
    "a block with a comment": (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    # for mypy\n"
        "    from app.config import Config\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    # for mypy\n"
        "    pass\n",
    ),
    "a block with an else": (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "    from app.config import Config\nelse:\n    Other = None\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    pass\n"
        "else:\n    Other = None\n",
    ),
}


@pytest.mark.parametrize("annotation", ["Config", "'Config'", "'Config | None'"])
@pytest.mark.parametrize(("before", "after"), TYPED.values(), ids=TYPED)
def test_blocks_for_the_type_checker(
    before: str, after: str, annotation: str, tmp_path: Path
) -> None:
    low = f"\n\ndef f(n, config: {annotation}):\n    return n\n"
    done = _run(tmp_path, {"app/low.py": before + low, "app/high.py": HIGH})
    assert done.after["app/low.py"] == after + "\n\ndef f(n):\n    return n\n"


#: What else a file with a quoted annotation says, and whether its import stays.
QUOTED = {
    "nothing": ("", False),
    "a docstring": ('def d():\n    """Of Config."""\n', False),
    "a comment": ("# the 'Config'\n", False),
    "another annotation": ("def d(x: 'list[Config]'): ...\n", True),
    "a string": ("kind = 'Config'\n", True),
    "an f-string": ("kind = f'{1} Config'\n", True),
    "a longer word": ("kind = 'MyConfig'\n", False),
    "a name": ("kind = Config\n", True),
}


@pytest.mark.parametrize(("more", "stays"), QUOTED.values(), ids=QUOTED)
def test_an_import_for_a_quoted_annotation(
    more: str, stays: bool, tmp_path: Path
) -> None:
    low = LOW.replace("config: Config", "config: 'Config'") + more
    done = _run(tmp_path, {"app/low.py": low, "app/high.py": HIGH})
    assert "def f(n):" in done.after["app/low.py"]
    assert done.after["app/low.py"].startswith("from app.config") == stays
