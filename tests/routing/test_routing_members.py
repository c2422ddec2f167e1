"""Which names of the record are fields, which properties, which methods."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codemod.packs import load_pack
from codemod.project import open_project
from codemod.routing import RouteTable, build_routes

PACK = '[record]\nclass = "app.args:Args"\ncalls = ["app.ctx:get_args"]\n'


def table(root: Path, **modules: str) -> RouteTable:
    for name, text in {"__init__": "", **modules}.items():
        path = root / "app" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "nsroute.toml").write_text(PACK)
    return build_routes(open_project(root), load_pack(None, root))


DATACLASS = "from dataclasses import dataclass\n@dataclass\nclass Args:\n"

# The module → its fields in order, and its members.
CLASSES: dict[str, tuple[str, list[str], dict[str, str]]] = {
    "fields": (DATACLASS + "    a: int\n    b: str = 'x'\n", ["a", "b"], {}),
    "an empty class": (DATACLASS + "    pass\n", [], {}),
    "constants are neither": (
        DATACLASS + "    LIMIT = 3\n    a: int = LIMIT\n    b, c = 1, 2\n",
        ["a"],
        {},
    ),
    "ClassVar": (
        "from typing import ClassVar\nimport typing as t\n"
        "from typing import ClassVar as CV\n" + DATACLASS + "    a: ClassVar[int] = 1\n"
        "    b: t.ClassVar = 1\n    c: CV[int] = 1\n    d: 'ClassVar[int]' = 1\n"
        "    e: int = 1\n",
        ["e"],
        {},
    ),
    "InitVar and KW_ONLY": (
        "import dataclasses\nfrom dataclasses import InitVar, KW_ONLY\n"
        + DATACLASS
        + "    a: int\n    _: KW_ONLY\n    b: InitVar[int]\n"
        "    c: dataclasses.InitVar[int] = 1\n    d: int = 1\n",
        ["a", "d"],
        {},
    ),
    "Final is a field": (
        "from typing import Final\n" + DATACLASS + "    a: Final[int] = 1\n",
        ["a"],
        {},
    ),
    "properties and methods": (
        "from functools import cached_property\nimport functools\n"
        + DATACLASS
        + "    a: int = 1\n"
        "    @property\n    def p(self): return 1\n"
        "    @p.setter\n    def p(self, value): pass\n"
        "    @cached_property\n    def c(self): return 1\n"
        "    @functools.cached_property\n    def f(self): return 1\n"
        "    def m(self): return 1\n"
        "    async def am(self): return 1\n"
        "    @staticmethod\n    def s(): return 1\n"
        "    @classmethod\n    def k(cls): return 1\n"
        "    @functools.lru_cache(maxsize=None)\n    def l(self): return 1\n",
        ["a"],
        {
            "p": "property",
            "c": "property",
            "f": "property",
            "m": "method",
            "am": "method",
            "s": "method",
            "k": "method",
            "l": "method",
        },
    ),
    "properties by call": (
        DATACLASS + "    def _p(self): return 1\n    p = property(_p)\n"
        "    m = lambda self: 1\n    s = staticmethod(_p)\n",
        [],
        {"_p": "method", "p": "property", "m": "method", "s": "method"},
    ),
    "a property of another library": (
        "import lib\n"
        + DATACLASS
        + "    @lib.lazy_property\n    def p(self): return 1\n",
        [],
        {"p": "property"},
    ),
    "blocks in the body": (
        "import sys\nfrom typing import TYPE_CHECKING\n"
        + DATACLASS
        + "    if TYPE_CHECKING:\n"
        "        a: int\n    else:\n        a: object = 1\n"
        "    if sys.platform == 'x':\n        def m(self): return 1\n"
        "    else:\n        def m(self): return 2\n"
        "    try:\n        b: int = 1\n    except Exception:\n        c: int = 1\n",
        ["a", "b", "c"],
        {"m": "method"},
    ),
    "nested things stay inside": (
        DATACLASS + "    a: int = 1\n    class Inner:\n        b: int = 1\n"
        "    def m(self):\n        c: int = 1\n        def d(): pass\n",
        ["a"],
        {"m": "method"},
    ),
    "a field that a property defaults": (
        DATACLASS + "    a: int = 1\n    @property\n    def a(self): return 1\n",
        ["a"],
        {},
    ),
    "a plain class": (
        "class Args:\n    a = 1\n    b: int = 2\n    c: str\n    __slots__ = ()\n"
        "    @property\n    def p(self): return 1\n    def m(self): return self.z\n",
        ["a", "b", "c"],
        {"p": "property", "m": "method"},
    ),
    "a plain class that is filled on construction": (
        "class Args:\n    def __init__(me, path):\n        me.a = me.b = path\n"
        "        if path:\n            me.c: int = 1\n        other.d = 1\n"
        "        (me.e, me.f[0]) = 1, 2\n        me.g += 1\n",
        ["a", "b", "c", "e", "g"],
        {"__init__": "method"},
    ),
    "what a dataclass sets on construction is no field": (
        DATACLASS
        + "    a: int = 1\n    def __post_init__(self):\n        self.b = 1\n",
        ["a"],
        {"__post_init__": "method"},
    ),
    "a decorator called": (
        "import dataclasses\n@dataclasses.dataclass(frozen=True, slots=True)\n"
        "class Args:\n    A = 1\n    a: int = 1\n",
        ["a"],
        {},
    ),
    "a decorator renamed": (
        "from dataclasses import dataclass as dc\n@dc\nclass Args:\n"
        "    A = 1\n    a: int = 1\n",
        ["a"],
        {},
    ),
    "a named tuple": (
        "from typing import NamedTuple\nclass Args(NamedTuple):\n    a: int = 1\n"
        "    def m(self): return 1\n",
        ["a"],
        {"m": "method"},
    ),
    "a pydantic model, through a base": (
        "from pydantic import BaseModel\nclass Base(BaseModel):\n"
        "    model_config = {}\nclass Args(Base):\n    CONSTANT = 1\n    a: int = 1\n",
        ["a"],
        {},
    ),
    "old attrs": (
        "import attr\n@attr.s\nclass Args:\n    a = attr.ib()\n    B = 1\n",
        ["a"],
        {},
    ),
    "defined twice, the last counts": (
        "class Args:\n    old = 1\n" + DATACLASS + "    new: int = 1\n",
        ["new"],
        {},
    ),
    "defined in a block": (
        "from dataclasses import dataclass\nif True:\n    @dataclass\n    class Args:\n"
        "        a: int = 1\n",
        ["a"],
        {},
    ),
}


@pytest.mark.parametrize(("source", "fields", "members"), CLASSES.values(), ids=CLASSES)
def test_class(
    tmp_path: Path, source: str, fields: list[str], members: dict[str, str]
) -> None:
    found = table(tmp_path, args=source)
    assert list(found.fields) == fields
    assert found.members == members


ORACLE = """\
import dataclasses, functools, inspect
from app.args import Args
print([f.name for f in dataclasses.fields(Args)])
"""
STANDARD = [
    case
    for case, (source, _, _) in CLASSES.items()
    if "dataclass" in source and "import lib" not in source
]


@pytest.mark.parametrize("case", STANDARD)
def test_dataclasses_has_the_same_fields(tmp_path: Path, case: str) -> None:
    source, fields, _ = CLASSES[case]
    table(tmp_path, args=source)
    done = subprocess.run(
        [sys.executable, "-c", ORACLE], cwd=tmp_path, capture_output=True, text=True
    )
    expected = [name for name in fields if name != "c"] if "blocks" in case else fields
    assert done.stdout.strip() == str(expected), done.stderr


class TestInheritance:
    def test_from_another_module(self, tmp_path: Path) -> None:
        found = table(
            tmp_path,
            base=DATACLASS.replace("Args", "Base")
            + "    a: int = 1\n    def m(self): ...\n",
            args=DATACLASS.replace("Args", "Args(Base)").replace(
                "@", "from app.base import Base\n@"
            )
            + "    b: int = 1\n",
        )
        assert list(found.fields) == ["a", "b"]
        assert found.lines == {"a": ("app/base.py", 4), "b": ("app/args.py", 5)}
        assert found.members == {"m": "method"}

    IMPORTS = {
        "relative": "from .base import Base",
        "renamed": "from app.base import Base as Root\nBase = Root",
        "a module": "import app.base\nBase = app.base.Base",
        "a module renamed": "import app.base as b\nBase = b.Base",
        "a module from the package": "from app import base\nBase = base.Base",
        "re-exported": "from app.api import Base",
        "re-exported with a star": "from app.stars import Base",
        "with a star": "from app.base import *",
        "for type checking too": (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
            "    from app.base import Base\nelse:\n    from .base import Base"
        ),
    }

    @pytest.mark.parametrize("imports", IMPORTS.values(), ids=IMPORTS)
    def test_by_every_import(self, tmp_path: Path, imports: str) -> None:
        args = f"{imports}\nclass Args(Base):\n    b: int = 1\n"
        found = table(
            tmp_path,
            base="class Base:\n    a: int = 1\n",
            api="from app.base import Base\n",
            stars="from app.base import *\n",
            args=args,
        )
        assert list(found.fields) == ["a", "b"]
        code = "import app.args; print(app.args.Args.a)"
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)

    def test_the_order_is_python_s(self, tmp_path: Path) -> None:
        """A diamond: fields come in reverse method resolution order."""
        source = "from dataclasses import dataclass\n" + "".join(
            f"@dataclass\nclass {head}:\n    {name}: int = 1\n"
            for head, name in [
                ("Root", "a"),
                ("Left(Root)", "b"),
                ("Right(Root)", "c"),
                ("Args(Left, Right)", "d"),
            ]
        )
        found = table(tmp_path, args=source)
        done = subprocess.run(
            [sys.executable, "-c", ORACLE], cwd=tmp_path, capture_output=True, text=True
        )
        assert str(list(found.fields)) == done.stdout.strip() == "['a', 'c', 'b', 'd']"

    def test_overriding(self, tmp_path: Path) -> None:
        source = (
            "class Base:\n    a: int = 1\n    b: int = 1\n"
            "    def c(self): ...\n    def d(self): ...\n"
            "class Args(Base):\n    @property\n    def a(self): ...\n"
            "    c: int = 1\n    @property\n    def d(self): ...\n"
        )
        found = table(tmp_path, args=source)
        assert list(found.fields) == ["b", "c"]
        assert found.members == {"a": "property", "d": "property"}

    def test_a_circle_ends(self, tmp_path: Path) -> None:
        found = table(
            tmp_path,
            args="from app.other import Other\nclass Args(Other):\n    a: int = 1\n",
            other="from app.args import Args\nclass Other(Args):\n    b: int = 1\n",
        )
        assert set(found.fields) == {"a", "b"}

    def test_a_class_that_is_its_own_base(self, tmp_path: Path) -> None:
        found = table(tmp_path, args="class Args(Args):\n    a: int = 1\n")
        assert set(found.fields) == {"a"}

    def test_bases_that_contradict_each_other(self, tmp_path: Path) -> None:
        source = (
            "class A:\n    a: int\nclass B(A):\n    b: int\n"
            "class Args(A, B):\n    c: int\n"
        )
        assert set(table(tmp_path, args=source).fields) == {"a", "b", "c"}

    def test_generic_and_unknown_bases(self, tmp_path: Path) -> None:
        source = (
            "from typing import Generic, TypeVar\nfrom gone import Missing\n"
            "T = TypeVar('T')\nclass Base(Generic[T]):\n    a: int = 1\n"
            "class Args(Base[int], Missing, make(), metaclass=type):\n    b: int = 1\n"
        )
        assert list(table(tmp_path, args=source).fields) == ["a", "b"]

    def test_the_record_may_be_imported_where_the_pack_says(
        self, tmp_path: Path
    ) -> None:
        found = table(
            tmp_path,
            args="from app.real import Args\n",
            real="class Args:\n    a = 1\n",
        )
        assert found.lines == {"a": ("app/real.py", 2)}
