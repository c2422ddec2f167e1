"""``[[step]]`` and ``[verify]``: what they mean, and every mistake with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.packs import External, PackError, Step, Verify, load_pack
from codemod.packs.steps import TRANSFORM_NAMES
from codemod.series.steps import chosen, parts_by_namespace, series_of
from codemod.transforms import TRANSFORMS

HEAD = "[record]\ncalls = ['a:b']\n"
FIRST_LINE = HEAD.count("\n") + 1


def load(folder: Path, text: str):
    path = folder / "nsroute.toml"
    path.write_text(HEAD + text)
    return load_pack(str(path), folder)


CASES = [
    ("[[step]]\nname = 'x'", Step("x")),
    (
        "[[step]]\nname = 'x'\ntransform = ['reads', 'writers']\nnamespaces = ['e.*']\n"
        "modules = ['m.*']\nfields = ['f']\nmessage = 'Do {part}'\nsplit = 'namespace'",
        Step(
            "x",
            ("reads", "writers"),
            ("e.*",),
            ("m.*",),
            ("f",),
            "Do {part}",
            "namespace",
        ),
    ),
    ("[[step]]\nname = 'x'\nsplit = { files = 4 }", Step("x", split=4)),
    (
        "[[step]]\nname = 'x'\ntransform = 'hoist'\nimports = ['m.*']",
        Step("x", ("hoist",), imports=("m.*",)),
    ),
    (
        "[[step]]\nname = 'x'\ncommand = 'make fmt'\ntimeout = 5",
        Step("x", ("external",), external=External("command", "make fmt", timeout=5.0)),
    ),
    (
        "[[step]]\nname = 'x'\ncodemod = 'a.b:C'\narguments = ['--y']\npython = 'py'",
        Step("x", ("external",), external=External("codemod", "a.b.C", ("--y",), "py")),
    ),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_step(tmp_path: Path, text: str, expected: Step) -> None:
    assert load(tmp_path, text).steps == (expected,)


def test_verify(tmp_path: Path) -> None:
    text = "[verify]\ncommand = 'pytest -q'\ntimeout = 60"
    assert load(tmp_path, text).verify == Verify("pytest -q", 60.0)
    assert load(tmp_path, "").verify is None


MISTAKES = [
    ("[step]\nname = 'x'", 1, "step: must be a list of tables"),
    ("[[step]]\ntransform = 'reads'", 1, "step[0]: has no 'name'"),
    ("[[step]]\nname = 'a b'", 2, "step[0].name: 'a b' must be letters"),
    ("[[step]]\nname = 'x'\n[[step]]\nname = 'x'", 4, "a step before is called 'x'"),
    (
        "[[step]]\nname = 'x'\ntransform = 'reeds'",
        3,
        "no transform is called 'reeds'; did you mean 'reads'?",
    ),
    (
        "[[step]]\nname = 'x'\ntransform = ['reads', 'reads']",
        3,
        "'reads' is named twice",
    ),
    ("[[step]]\nname = 'x'\ntransform = []", 3, "must name a transform"),
    (
        "[[step]]\nname = 'x'\ntransform = 'external'",
        3,
        "needs one of command, codemod",
    ),
    (
        "[[step]]\nname = 'x'\ntransform = 'reads'\ncommand = 'c'",
        3,
        "a step with a tool of your own is 'external' alone",
    ),
    ("[[step]]\nname = 'x'\ncommand = 'c'\nbowler = 'b'", 4, "keep one"),
    ("[[step]]\nname = 'x'\ncommand = ' '", 3, "must not be empty"),
    ("[[step]]\nname = 'x'\ncodemod = 'Thing'", 3, "not the import path of a class"),
    ("[[step]]\nname = 'x'\ncommand = 'c'\nfields = ['f']", 4, "no meaning for an ext"),
    ("[[step]]\nname = 'x'\ncommand = 'c'\narguments = ['f']", 4, "into the command"),
    ("[[step]]\nname = 'x'\ntimeout = 4", 3, "needs one of command, codemod, bowler"),
    ("[[step]]\nname = 'x'\ncommand = 'c'\ntimeout = 0", 4, "seconds above 0"),
    ("[[step]]\nname = 'x'\nsplit = 'file'", 3, "must be 'namespace', 'module' or"),
    (
        "[[step]]\nname = 'x'\nsplit = { files = 0 }",
        3,
        "must be a whole number above 0",
    ),
    ("[[step]]\nname = 'x'\nsplit = { files = true }", 3, "whole number above 0"),
    ("[[step]]\nname = 'x'\nmessage = 'Do {parts}'", 3, "did you mean 'part'?"),
    ("[[step]]\nname = 'x'\nmessage = 'Do {part.x}'", 3, "{part.x} means nothing"),
    ("[[step]]\nname = 'x'\nmessage = 'Do {part!r}'", 3, "{part} takes no format"),
    ("[[step]]\nname = 'x'\nmessage = 'Do {'", 3, "is no template"),
    ("[[step]]\nname = 'x'\nmessage = ''", 3, "must start with the commit's title"),
    ("[[step]]\nname = 'x'\nmodules = ['a..b']", 3, "bad glob"),
    (
        "[[step]]\nname = 'x'\ntransform = 'hoist'\nimports = ['a..b']",
        4,
        "bad glob",
    ),
    ("[[step]]\nname = 'x'\nimports = ['a']", 3, "imports: is for a hoist"),
    (
        "[[step]]\nname = 'x'\ntransform = 'hoist'\nsplit = 'module'",
        4,
        "has no meaning for a hoist",
    ),
    (
        "[[step]]\nname = 'x'\ntransform = ['reads', 'hoist']",
        3,
        "give it a step of its own",
    ),
    ("[[step]]\nname = 'x'\nmodule = 'a'", 3, "unknown key; did you mean 'modules'?"),
    ("[verify]\ntimeout = 4", 1, "verify: has no 'command'"),
    ("[verify]\ncommand = ''", 2, "verify.command: must be a command line"),
    ("[verify]\ncommand = 'c'\ntimeout = -1", 3, "seconds above 0"),
]


@pytest.mark.parametrize(("text", "line", "message"), MISTAKES)
def test_a_mistake(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(PackError) as caught:
        load(tmp_path, text)
    assert message in str(caught.value)
    assert caught.value.line == FIRST_LINE + line - 1


def test_every_transform_can_be_named() -> None:
    assert {*TRANSFORM_NAMES} == {*TRANSFORMS, "external"}


ROUTED = """
[accessors]
net = "app:get_net"
cache = "app:get_cache"
"""


def test_the_default_series(tmp_path: Path) -> None:
    plain = load(tmp_path, ROUTED)
    names = [(s.name, s.transforms, s.split) for s in series_of(plain)]
    assert names == [
        ("reads", ("reads",), "namespace"),
        ("cleanup", ("cleanup",), None),
    ]
    rich = load(
        tmp_path,
        ROUTED + "[derived]\nbig = { call = 'app:big', kind = 'property' }\n",
    )
    assert [s.name for s in series_of(rich)] == ["reads", "derived", "cleanup"]


def test_parts_come_in_the_order_of_the_accessors(tmp_path: Path) -> None:
    pack = load(tmp_path, ROUTED)
    names = ["cache", "cache.page", "net.http", "other"]
    parts = parts_by_namespace(Step("x", split="namespace"), pack, names)
    assert [(part.name, part.step.namespaces) for part in parts] == [
        ("other", ("other",)),
        ("net", ("net.http",)),
        ("cache", ("cache", "cache.page")),
    ]
    some = Step("x", namespaces=("*.page", "net.*"), split="namespace")
    parts = parts_by_namespace(some, pack, names)
    assert [(part.name, part.step.namespaces) for part in parts] == [
        ("net", ("net.http",)),
        ("cache", ("cache.page",)),
    ]


def test_steps_that_are_asked_for() -> None:
    steps = (Step("a"), Step("b"), Step("c"))
    assert chosen(steps, ()) == steps
    assert chosen(steps, ("c", "a/x")) == (steps[0], steps[2])
    with pytest.raises(PackError, match="there is no such step"):
        chosen(steps, ("d",))
