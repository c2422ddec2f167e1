"""Every spelling of a route, read as text and checked against what Python makes of it.

Each case is a module ``app/args.py`` with the record ``Args``; the field is ``x``.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from codemod.packs import PackError, load_pack
from codemod.project import open_project
from codemod.routing import RouteTable, build_routes

MARKERS = """\
from typing import Annotated
A = Annotated
class NS:
    def __init__(self, path, note=""):
        self.path = path
class Other:
    def __init__(self, path):
        pass
ROOT = "exec"
class Spaces:
    MOE = "exec.moe"
Exec = Annotated[int, NS("exec.moe")]
"""

PACK = """\
[record]
class = "app.args:Args"
calls = ["app.ctx:get_args"]
[routes]
metadata = "ns"
[accessors]
exec = "app.ctx:get_exec"
"""

HEAD = """\
from dataclasses import dataclass
from typing import Annotated, Optional, Union
from app.markers import A, NS, Other
@dataclass
class Args:
    x: """

FUTURE = "from __future__ import annotations\n"

# What makes the module, and what x is routed to.
SPELLINGS: dict[str, tuple[str, str | None]] = {
    "Annotated": (HEAD + 'Annotated[int, NS("exec.moe")] = 1', "exec.moe"),
    "an alias of it, imported": (HEAD + 'A[int, NS("exec.moe")] = 1', "exec.moe"),
    "other metadata around": (
        HEAD + 'A[int, "help", Other("q"), NS("exec.moe"), 3] = 1',
        "exec.moe",
    ),
    "over lines": (
        HEAD + 'A[\n    int,\n    NS(\n        "exec.moe"\n    ),\n] = 1',
        "exec.moe",
    ),
    "the future import": (FUTURE + HEAD + 'A[int, NS("exec.moe")] = 1', "exec.moe"),
    "a string": (HEAD + "\"A[int, NS('exec.moe')]\" = 1", "exec.moe"),
    "a string of lines": (HEAD + "'''A[int,\n  NS('exec.moe')]''' = 1", "exec.moe"),
    "a string within": (HEAD + "Optional[\"A[int, NS('exec.moe')]\"] = 1", "exec.moe"),
    "a string for the type": (HEAD + "A[\"int\", NS('exec.moe')] = 1", "exec.moe"),
    "optional inside": (HEAD + 'A[Optional[int], NS("exec.moe")] = 1', "exec.moe"),
    "optional around": (HEAD + 'Optional[A[int, NS("exec.moe")]] = 1', "exec.moe"),
    "union around": (HEAD + 'Union[A[int, NS("exec.moe")], None] = 1', "exec.moe"),
    "a bar around": (FUTURE + HEAD + 'A[int, NS("exec.moe")] | None = 1', "exec.moe"),
    "nested": (HEAD + 'A[A[int, NS("exec.moe")], "more"] = 1', "exec.moe"),
    "the same twice": (
        HEAD + 'A[A[int, NS("exec.moe")], NS("exec.moe")] = 1',
        "exec.moe",
    ),
    "an alias of the type": (
        HEAD.replace("@dataclass", 'E = A[int, NS("exec.moe")]\n@dataclass') + "E = 1",
        "exec.moe",
    ),
    "an alias of the type, imported": (
        HEAD.replace("A, NS", "A, NS, Exec") + "Optional[Exec] = 1",
        "exec.moe",
    ),
    "Annotated as": (
        HEAD.replace("import Annotated", "import Annotated as Ann")
        + 'Ann[int, NS("exec.moe")] = 1',
        "exec.moe",
    ),
    "typing as": (
        "import typing as t\n" + HEAD + 't.Annotated[int, NS("exec.moe")] = 1',
        "exec.moe",
    ),
    "typing_extensions": (
        "import typing as typing_extensions\n"
        + HEAD
        + 'typing_extensions.Annotated[int, NS("exec.moe")] = 1',
        "exec.moe",
    ),
    "an alias assigned here": (
        HEAD.replace("@dataclass", "B = A\n@dataclass") + 'B[int, NS("exec.moe")] = 1',
        "exec.moe",
    ),
    "the marker under another name": (
        HEAD.replace("NS,", "NS as Where,") + 'A[int, Where("exec.moe")] = 1',
        "exec.moe",
    ),
    "the marker assigned another name": (
        HEAD.replace("@dataclass", "Where = NS\n@dataclass")
        + 'A[int, Where("exec.moe")] = 1',
        "exec.moe",
    ),
    "the marker in its module": (
        "from app import markers\n" + HEAD + 'A[int, markers.NS("exec.moe")] = 1',
        "exec.moe",
    ),
    "the marker in its module, in full": (
        "import app.markers\n" + HEAD + 'A[int, app.markers.NS("exec.moe")] = 1',
        "exec.moe",
    ),
    "another class under the marker's name": (
        HEAD.replace("NS, Other", "Other as NS") + 'A[int, NS("exec.moe")] = 1',
        None,
    ),
    "a keyword": (HEAD + 'A[int, NS(path="exec.moe")] = 1', "exec.moe"),
    "a keyword among others": (
        HEAD + 'A[int, NS(note="n", path="exec.moe")] = 1',
        "exec.moe",
    ),
    "strings side by side": (HEAD + 'A[int, NS("exec" ".moe")] = 1', "exec.moe"),
    "a constant": (
        HEAD.replace("@dataclass", 'MOE = "exec.moe"\n@dataclass')
        + "A[int, NS(MOE)] = 1",
        "exec.moe",
    ),
    "a final constant": (
        HEAD.replace(
            "@dataclass",
            'from typing import Final\nMOE: Final[str] = "exec.moe"\n@dataclass',
        )
        + "A[int, NS(MOE)] = 1",
        "exec.moe",
    ),
    "constants added": (
        HEAD.replace("@dataclass", 'E = "exec"\nM = E + "." + "moe"\n@dataclass')
        + "A[int, NS(M)] = 1",
        "exec.moe",
    ),
    "an f-string": (
        HEAD.replace("@dataclass", 'E = "exec"\n@dataclass')
        + 'A[int, NS(f"{E}.moe")] = 1',
        "exec.moe",
    ),
    "a constant imported": (
        HEAD.replace("A, NS", "A, NS, ROOT") + 'A[int, NS(ROOT + ".moe")] = 1',
        "exec.moe",
    ),
    "a constant of a class": (
        HEAD.replace("A, NS", "A, NS, Spaces") + "A[int, NS(Spaces.MOE)] = 1",
        "exec.moe",
    ),
    "a constant of the record": (
        HEAD.replace("    x: ", '    MOE = "exec.moe"\n    x: ')
        + "A[int, NS(MOE)] = 1",
        "exec.moe",
    ),
    "a member of an enum": (
        HEAD.replace(
            "@dataclass",
            "from enum import Enum\nclass S(Enum):\n    MOE = 'exec.moe'\n@dataclass",
        )
        + "A[int, NS(S.MOE.value)] = 1",
        "exec.moe",
    ),
    "no marker": (HEAD + "A[int, \"NS('exec.moe')\"] = 1", None),
    "no annotation to speak of": (HEAD + "int = 1", None),
    "a marker in a Literal is a word": (
        "from typing import Literal\n" + HEAD + "Literal[\"A[int, NS('exec')]\"] = 1",
        None,
    ),
    "field(metadata=…)": (
        "from dataclasses import field\n"
        + HEAD
        + 'int = field(default=1, metadata={"ns": "exec.moe"})',
        "exec.moe",
    ),
    "dataclasses.field": (
        "import dataclasses as dc\n"
        + HEAD
        + 'int = dc.field(default=1, metadata=dict(help="h", ns="exec.moe"))',
        "exec.moe",
    ),
    "metadata by name": (
        "from dataclasses import field\n"
        + HEAD.replace("@dataclass", 'META = {"ns": "exec.moe"}\n@dataclass')
        + "int = field(default=1, metadata=META)",
        "exec.moe",
    ),
    "metadata spread": (
        "from dataclasses import field\n"
        + HEAD.replace("@dataclass", 'META = {"ns": "exec"}\nK = "ns"\n@dataclass')
        + 'int = field(default=1, metadata={**META, K: "exec." + "moe"})',
        "exec.moe",
    ),
    "metadata joined": (
        "from dataclasses import field\n"
        + HEAD.replace("@dataclass", 'META = {"ns": "exec.moe"}\n@dataclass')
        + 'int = field(default=1, metadata={"ns": "exec"} | META)',
        "exec.moe",
    ),
    "metadata without the key": (
        "from dataclasses import field\n"
        + HEAD
        + 'int = field(default=1, metadata={"other": "exec.moe"})',
        None,
    ),
    "both, and the same": (
        "from dataclasses import field\n"
        + HEAD
        + 'A[int, NS("exec.moe")] = field(default=1, metadata={"ns": "exec.moe"})',
        "exec.moe",
    ),
}

# What Python itself makes of the module: the markers of x, in any depth of its
# annotation, and the metadata of its dataclass field.
ORACLE = """\
import dataclasses, typing
from app import args, markers
found = []
def walk(hint):
    if typing.get_origin(hint) is typing.Annotated:
        found.extend(m.path for m in hint.__metadata__ if type(m) is markers.NS)
    if typing.get_origin(hint) is not typing.Literal:
        for part in typing.get_args(hint):
            walk(part)
walk(typing.get_type_hints(args.Args, include_extras=True)["x"])
field = args.Args.__dataclass_fields__["x"]
found += [field.metadata["ns"]] if "ns" in field.metadata else []
assert len(set(found)) <= 1
print(found[0] if found else None)
"""


def project(root: Path, **modules: str) -> Path:
    for name, text in {"__init__": "", "markers": MARKERS, **modules}.items():
        path = root / "app" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


def routes(root: Path, pack: str = PACK, strict: bool = True) -> RouteTable:
    (root / "nsroute.toml").write_text(pack)
    return build_routes(open_project(root), load_pack(None, root), strict=strict)


@pytest.mark.parametrize(("source", "namespace"), SPELLINGS.values(), ids=SPELLINGS)
def test_spelling(tmp_path: Path, source: str, namespace: str | None) -> None:
    table = routes(project(tmp_path, args=source))
    assert table.fields == {"x": namespace}
    row = next(n for n, s in enumerate(source.splitlines(), 1) if "    x: " in s)
    assert table.lines == {"x": ("app/args.py", row)}


@pytest.mark.parametrize("case", SPELLINGS)
def test_python_reads_it_the_same_way(tmp_path: Path, case: str) -> None:
    source, namespace = SPELLINGS[case]
    root = project(tmp_path, args=source)
    done = subprocess.run(
        [sys.executable, "-c", ORACLE], cwd=root, capture_output=True, text=True
    )
    assert done.stdout.strip() == str(namespace), done.stderr


# Libraries that need not be installed: their spelling is all there is to read.
LIBRARIES: dict[str, tuple[str, str | None]] = {
    "pydantic": (
        "from pydantic import BaseModel, Field\nclass Args(BaseModel):\n"
        '    x: int = Field(1, json_schema_extra={"ns": "exec.moe"})',
        "exec.moe",
    ),
    "pydantic in Annotated": (
        "from typing import Annotated\nimport pydantic as p\nclass Args(p.BaseModel):\n"
        '    x: Annotated[int, p.Field(json_schema_extra={"ns": "exec.moe"})] = 1',
        "exec.moe",
    ),
    "pydantic with a function for the schema": (
        "from pydantic import BaseModel, Field\nclass Args(BaseModel):\n"
        "    x: int = Field(1, json_schema_extra=extend)",
        None,
    ),
    "pydantic 1": (
        "from pydantic import BaseModel, Field\nclass Args(BaseModel):\n"
        '    x: int = Field(1, ns="exec.moe")',
        "exec.moe",
    ),
    "pydantic dataclass": (
        "from pydantic.dataclasses import dataclass\nfrom app.markers import A, NS\n"
        '@dataclass\nclass Args:\n    x: A[int, NS("exec.moe")] = 1',
        "exec.moe",
    ),
    "attrs": (
        "from attrs import define, field\n@define\nclass Args:\n"
        '    x: int = field(default=1, metadata={"ns": "exec.moe"})',
        "exec.moe",
    ),
    "attr, old": (
        "import attr\n@attr.s\nclass Args:\n"
        '    x = attr.ib(default=1, metadata={"ns": "exec.moe"})',
        "exec.moe",
    ),
    "msgspec": (
        "import msgspec\nfrom typing import Annotated\nclass Args(msgspec.Struct):\n"
        '    x: Annotated[int, msgspec.Meta(extra={"ns": "exec.moe"})] = 1',
        "exec.moe",
    ),
    "a module that is nowhere": (
        "from elsewhere.args import A, NS as Where\nclass Args:\n"
        '    x: A[int, Where("exec.moe")] = 1',
        "exec.moe",
    ),
    "a plain class": (
        'from app.markers import A, NS\nclass Args:\n    x: A[int, NS("exec.moe")] = 1',
        "exec.moe",
    ),
}


@pytest.mark.parametrize(("source", "namespace"), LIBRARIES.values(), ids=LIBRARIES)
def test_libraries(tmp_path: Path, source: str, namespace: str | None) -> None:
    assert routes(project(tmp_path, args=source)).fields == {"x": namespace}


# A namespace that is there and cannot be read: the rest of the line after ``x: ``.
UNREADABLE = {
    "a call": ("A[int, NS(find())] = 1", "NS find()", "cannot be read"),
    "a name of nothing": ("A[int, NS(MISSING)] = 1", "MISSING", "cannot be read"),
    "assigned twice": ("A[int, NS(TWICE)] = 1", "TWICE", "cannot be read"),
    "added to": ("A[int, NS(GROWN)] = 1", "GROWN", "cannot be read"),
    "in a circle": ("A[int, NS(ROUND)] = 1", "ROUND", "cannot be read"),
    "a number": ("A[int, NS(3)] = 1", "3", "cannot be read"),
    "bytes": ("A[int, NS(b'exec')] = 1", "exec", "cannot be read"),
    "nothing": ("A[int, NS()] = 1", "", "cannot be read"),
    "arguments spread": ("A[int, NS(*PARTS)] = 1", "PARTS", "cannot be read"),
    "an f-string with a format": ("A[int, NS(f'{ONE:>9}')] = 1", "", "cannot be read"),
    "an empty one": ("A[int, NS('')] = 1", "''", "not a dotted name"),
    "not a name": ("A[int, NS('exec/moe')] = 1", "'exec/moe'", "not a dotted name"),
    "two": ("A[A[int, NS('exec')], NS('exec.moe')] = 1", "'exec'", "routed twice"),
    "two of two kinds": (
        "A[int, NS('exec')] = field(metadata={'ns': 'exec.moe'})",
        "'exec.moe'",
        "routed twice",
    ),
    "metadata": ("int = field(metadata={'ns': find()})", "find()", "cannot be read"),
}


@pytest.mark.parametrize(
    ("declaration", "shown", "problem"), UNREADABLE.values(), ids=UNREADABLE
)
def test_unreadable(tmp_path: Path, declaration: str, shown: str, problem: str) -> None:
    source = (
        "from dataclasses import dataclass, field\n"
        "from app.markers import A, NS\n"
        "TWICE = 'exec'\nTWICE = 'exec.moe'\nGROWN = 'exec'\nGROWN += '.moe'\n"
        "ROUND = TRIP\nTRIP = ROUND\nONE = 'exec'\n"
        f"@dataclass\nclass Args:\n    ok: int = 1\n    x: {declaration}"
    )
    with pytest.raises(PackError) as error:
        routes(project(tmp_path, args=source))
    assert (error.value.file, error.value.line) == ("app/args.py", 13)
    assert error.value.key == "Args.x"
    assert shown.removeprefix("NS ") in error.value.message
    assert problem in error.value.message


def test_the_line_is_the_marker_s_own(tmp_path: Path) -> None:
    source = HEAD + "A[\n    int,\n    'help',\n    NS(find()),\n] = 1"
    with pytest.raises(PackError) as error:
        routes(project(tmp_path, args=source))
    assert error.value.line == 9


def test_the_line_in_a_string_is_the_annotation_s(tmp_path: Path) -> None:
    with pytest.raises(PackError) as error:
        routes(project(tmp_path, args=HEAD + "'A[int, NS(find())]' = 1"))
    assert error.value.line == 6


#: The body of the record's class, and the route of ``x``; None for a mistake.
AGAIN = {
    "the last one counts": (
        "x: A[int, NS('exec.b')] = 1\nx: A[int, NS('exec.c')] = 1",
        "exec.c",
    ),
    "the last one has none": ("x: A[int, NS('exec.b')] = 1\nx: int = 1", "unrouted"),
    "one branch has none": (
        "if ON:\n    x: A[int, NS('exec.b')] = 1\nelse:\n    x: int = 1",
        "exec.b",
    ),
    "both branches say the same": (
        "if ON:\n    x: A[int, NS('exec.b')] = 1\n"
        "else:\n    x: A[str, NS('exec.b')] = 1",
        "exec.b",
    ),
    "branches contradict each other": (
        "if ON:\n    x: A[int, NS('exec.b')] = 1\n"
        "else:\n    x: A[int, NS('exec.c')] = 1",
        None,
    ),
    "a branch contradicts what was before": (
        "x: A[int, NS('exec.b')] = 1\nif ON:\n    x: A[int, NS('exec.c')] = 1",
        None,
    ),
    "a branch is written over": (
        "if ON:\n    x: A[int, NS('exec.b')] = 1\nx: A[int, NS('exec.c')] = 1",
        "exec.c",
    ),
}


@pytest.mark.parametrize("name", AGAIN)
def test_a_field_that_is_declared_again(tmp_path: Path, name: str) -> None:
    body, expected = AGAIN[name]
    head = HEAD.removesuffix("    x: ")
    root = project(tmp_path, args=head + textwrap.indent(body, "    ") + "\n")
    if expected is None:
        with pytest.raises(
            PackError, match=r"routed to 'exec\.c' here and to 'exec\.b' at"
        ):
            routes(root)
    else:
        assert routes(root).fields == {
            "x": None if expected == "unrouted" else expected
        }


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("class Args:\n    x = 1\nclass Args:\n    y = 1\n", False),
        ("if ON:\n    class Args:\n        x = 1\nclass Args:\n    y = 1\n", False),
        ("try:\n    class Args:\n        y = 1\nexcept E:\n    Args = None\n", False),
        ("class Args:\n    x = 1\nif ON:\n    class Args:\n        y = 1\n", True),
        (
            "if ON:\n    class Args:\n        x = 1\nelse:\n    class Args:\n"
            "        y = 1\n",
            True,
        ),
        (
            "try:\n    class Args:\n        x = 1\nexcept E:\n    class Args:\n"
            "        y = 1\n",
            True,
        ),
    ],
)
def test_two_classes_of_one_name(tmp_path: Path, text: str, fails: bool) -> None:
    root = project(tmp_path, args=text)
    if fails:
        with pytest.raises(PackError, match=r"a class 'Args' at line \d and another"):
            routes(root)
    else:
        assert list(routes(root).fields) == ["y"]


def test_newer_syntax_in_the_record_s_module(tmp_path: Path) -> None:
    source = "type X = int\n" + HEAD + 'A[X, NS("exec.moe")] = 1'
    root = project(tmp_path, args=source)
    if sys.version_info >= (3, 12):
        assert routes(root).fields == {"x": "exec.moe"}
    else:
        with pytest.raises(PackError, match=r"app/args\.py:1: routes: syntax error"):
            routes(root)
