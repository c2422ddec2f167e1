"""What a pack file means, where it is found, and how packs extend one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.packs import (
    Accessor,
    Configured,
    Derived,
    Keep,
    Pack,
    PackError,
    Record,
    Routes,
    Site,
    builtin_packs,
    load_pack,
)

SMALL = '[record]\ncalls = ["app.ctx:get_args"]\n'

WHOLE = """\
[pack]
name = "whole"
description = "every key"

[record]
class = "app.args:Args"
calls = ["app.ctx:get_args"]
objects = ["app.conf:settings"]
attributes = ["args"]
access = ["attribute", "subscript", "get"]
unpublished = "ValueError"
owners = ["app.ctx", "app.args.*"]

[routes]
from = "app.args:Args"
marker = "Space"
metadata = "ns"
[routes.fields]
some_field = "exec.moe"

[accessors]
unpublished = "LookupError"
exec = "app.ctx:get_exec"
exec.moe = "app.ctx:get_moe"
model = { call = "app.ctx:get_model", alias = "get_model_ns", unpublished = "KeyError" }

[accessors.cfg]
object = "app.config:cfg"

[[keep]]
reason = "per-instance"
why = "Each has its own."
modules = ["app.web.*"]
functions = ["Server.*"]
fields = ["port_*"]
namespaces = ["serving.*"]
forms = ["self", "alias:attribute"]
except_fields = ["port_range"]
except_modules = ["app.web.pool"]

[derived]
is_big = { call = "app.ctx:is_big", kind = "property" }

[configured.size]
call = "app.ctx:configured_size"
sites = [{ module = "app.pool", function = "Pool.grow", why = "Before start." }]
"""


def write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def test_every_key(tmp_path: Path) -> None:
    # A dotted key may not follow a key of its first part in one file: quote it.
    text = WHOLE.replace("exec.moe = ", '"exec.moe" = ')
    pack = load_pack(write(tmp_path / "p.toml", text), tmp_path)
    assert pack == Pack(
        name="whole",
        description="every key",
        source=str(tmp_path / "p.toml"),
        digest=pack.digest,
        record=Record(
            cls="app.args:Args",
            calls=("app.ctx:get_args",),
            objects=("app.conf:settings",),
            attributes=("args",),
            access=frozenset({"attribute", "subscript", "get"}),
            unpublished="ValueError",
            owners=("app.ctx", "app.args.*"),
        ),
        routes=Routes("app.args:Args", "Space", "ns", {"some_field": "exec.moe"}),
        accessors=(
            Accessor("cfg", "app.config", "cfg", "object", None, "LookupError"),
            Accessor("exec", "app.ctx", "get_exec", "call", None, "LookupError"),
            Accessor("exec.moe", "app.ctx", "get_moe", "call", None, "LookupError"),
            Accessor(
                "model", "app.ctx", "get_model", "call", "get_model_ns", "KeyError"
            ),
        ),
        accessors_unpublished="LookupError",
        keeps=(
            Keep(
                reason="per-instance",
                why="Each has its own.",
                modules=("app.web.*",),
                functions=("Server.*",),
                fields=("port_*",),
                namespaces=("serving.*",),
                forms=("self", "alias:attribute"),
                except_fields=("port_range",),
                except_modules=("app.web.pool",),
            ),
        ),
        derived={"is_big": Derived("is_big", "app.ctx:is_big", "property")},
        configured={
            "size": Configured(
                "size",
                "app.ctx:configured_size",
                (Site("app.pool", "Pool.grow", "Before start."),),
            )
        },
    )


def test_what_is_not_said_has_a_default(tmp_path: Path) -> None:
    pack = load_pack(write(tmp_path / "p.toml", SMALL), tmp_path)
    assert pack.record == Record(calls=("app.ctx:get_args",))
    assert pack.record.access == {"attribute", "getattr"}
    assert pack.routes == Routes(None, "NS", None, {})
    assert pack.accessors == ()


def test_an_accessor_below_another_may_be_a_table(tmp_path: Path) -> None:
    text = SMALL + (
        '[accessors.exec]\ncall = "a:get_exec"\nmoe = "a:get_moe"\n'
        '[accessors.exec.graph]\nobject = "a:graph"\nalias = "g"\n'
    )
    pack = load_pack(write(tmp_path / "p.toml", text), tmp_path)
    assert pack.accessors == (
        Accessor("exec", "a", "get_exec"),
        Accessor("exec.graph", "a", "graph", "object", "g"),
        Accessor("exec.moe", "a", "get_moe"),
    )
    assert pack.where("accessors", "exec.moe").line == 5
    assert pack.where("accessors", "exec.graph", "alias").line == 8


KEEP = Keep(
    "r",
    "w",
    modules=("a.*",),
    fields=("x*",),
    namespaces=("exec.*",),
    forms=("self", "alias:attribute"),
    except_fields=("xx",),
    except_modules=("a.b",),
)


@pytest.mark.parametrize(
    ("read", "kept"),
    [
        (("a.c", "f", "x1", "exec.moe", "self"), True),
        (("a", "", "x", "exec", "self"), True),
        (("b.c", "f", "x1", "exec.moe", "self"), False),
        (("a.c", "f", "y", "exec.moe", "self"), False),
        (("a.c", "f", "x1", "model", "self"), False),
        (("a.c", "f", "x1", None, "self"), False),
        (("a.c", "f", "x1", "exec", "call"), False),
        (("a.c", "f", "xx", "exec", "self"), False),
        (("a.b", "f", "x1", "exec", "self"), False),
        (("a.c", "f", "x1", "exec", "alias"), False),
        (("a.c", "f", "x1", "exec", "alias", "attribute"), True),
        (("a.c", "f", "x1", "exec", "alias", "call"), False),
    ],
)
def test_a_keep_is_the_and_of_its_lists(read: tuple[str, ...], kept: bool) -> None:
    assert KEEP.matches(*read) is kept


def test_a_keep_for_every_alias() -> None:
    keep = Keep("r", "w", forms=("alias",))
    assert keep.matches("a", "f", "x", None, "alias", "call")
    assert keep.matches("a", "f", "x", None, "alias")


def test_functions_match_with_what_is_inside() -> None:
    keep = Keep("r", "w", functions=("Class.method.*", "main"))
    assert keep.matches("a", "Class.method.inner", "x", None, "call")
    assert not keep.matches("a", "main.inner", "x", None, "call")
    assert not keep.matches("a", "", "x", None, "call")


class TestWhichPack:
    def test_a_built_in_by_name(self, tmp_path: Path) -> None:
        pack = load_pack("sglang", tmp_path)
        assert (pack.name, pack.source) == ("sglang", "sglang")

    def test_a_file_by_path(self, tmp_path: Path) -> None:
        path = write(tmp_path / "my.toml", SMALL)
        assert load_pack(path, Path("/nowhere")).source == path

    def test_nsroute_toml(self, tmp_path: Path) -> None:
        write(tmp_path / "nsroute.toml", "[pack]\nname = 'own'\n" + SMALL)
        write(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n")
        assert load_pack(None, tmp_path).name == "own"

    def test_pyproject(self, tmp_path: Path) -> None:
        text = '[tool.nsroute.record]\ncalls = ["a:b"]\n[tool.other]\nx = 1\n'
        write(tmp_path / "pyproject.toml", text)
        pack = load_pack(None, tmp_path)
        assert pack.record.calls == ("a:b",)
        assert pack.where("record", "calls").line == 2
        assert load_pack(str(tmp_path / "pyproject.toml"), tmp_path) == pack

    @pytest.mark.parametrize("key", ["rules", "extends"])
    def test_pyproject_may_only_name_one(self, tmp_path: Path, key: str) -> None:
        write(tmp_path / "pyproject.toml", f'[tool.nsroute]\n{key} = "sglang"\n')
        assert load_pack(None, tmp_path).name == "sglang"

    def test_a_broken_pyproject_of_others_does_not_matter(self, tmp_path: Path) -> None:
        write(tmp_path / "pyproject.toml", "[tool\n")
        write(tmp_path / "nsroute.toml", SMALL)
        assert load_pack(None, tmp_path).record.calls == ("app.ctx:get_args",)


class TestExtends:
    BASE = """\
[pack]
name = "base"
[record]
calls = ["a:get"]
owners = ["a.*", "b"]
[routes.fields]
x = "exec"
[accessors]
exec = "a:get_exec"
mm = "a:get_mm"
[[keep]]
reason = "first"
why = "w"
fields = ["x"]
"""

    def test_tables_merge_lists_of_tables_grow_the_rest_is_replaced(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path / "base.toml", self.BASE)
        text = """\
extends = "base.toml"
[record]
owners = ["c"]
[routes.fields]
y = "exec.moe"
[accessors]
exec.moe = "a:get_moe"
mm = { object = "a:mm" }
[[keep]]
reason = "second"
why = "w"
modules = ["m"]
"""
        pack = load_pack(write(tmp_path / "top.toml", text), tmp_path)
        assert pack.name == "base"
        assert pack.record == Record(calls=("a:get",), owners=("c",))
        assert pack.routes.fields == {"x": "exec", "y": "exec.moe"}
        assert [(a.root, a.name, a.kind) for a in pack.accessors] == [
            ("exec", "get_exec", "call"),
            ("exec.moe", "get_moe", "call"),
            ("mm", "mm", "object"),
        ]
        assert [keep.reason for keep in pack.keeps] == ["first", "second"]

    def test_every_key_keeps_its_place(self, tmp_path: Path) -> None:
        base = write(tmp_path / "base.toml", self.BASE)
        text = (
            'extends = "base.toml"\n\n[[keep]]\nreason = "s"\nwhy = "w"\nforms = []\n'
        )
        top = write(tmp_path / "top.toml", text + 'fields = ["y"]\n')
        pack = load_pack(top, tmp_path)

        def place(*path: str | int) -> tuple[str, int]:
            where = pack.where(*path)
            return where.file, where.line

        assert place("record", "owners", 1) == (base, 5)
        assert place("keep", 0, "fields") == (base, 14)
        assert place("keep", 1, "fields") == (top, 7)
        assert place("keep", 1, "modules") == (top, 3)

    def test_a_chain_through_a_built_in(self, tmp_path: Path) -> None:
        write(
            tmp_path / "packs/fork.toml", 'extends = "sglang"\n[pack]\nname = "fork"\n'
        )
        write(tmp_path / "nsroute.toml", 'extends = "packs/fork.toml"\n')
        pack = load_pack(None, tmp_path)
        assert pack.name == "fork"
        assert pack.keeps == load_pack("sglang", tmp_path).keeps

    def test_false_takes_an_entry_away(self, tmp_path: Path) -> None:
        write(tmp_path / "base.toml", self.BASE)
        text = 'extends = "base.toml"\naccessors.mm = false\nroutes.fields.x = false\n'
        pack = load_pack(write(tmp_path / "top.toml", text), tmp_path)
        assert [a.root for a in pack.accessors] == ["exec"]
        assert pack.routes.fields == {}

    def test_the_digest_is_of_what_is_said(self, tmp_path: Path) -> None:
        def digest(base: str, top: str = 'extends = "b.toml"\n') -> str:
            write(tmp_path / "b.toml", base)
            return load_pack(write(tmp_path / "t.toml", top), tmp_path).digest

        first = digest(self.BASE)
        assert first == digest("# a comment\n" + self.BASE.replace(" = ", "  =  "))
        assert first == digest(self.BASE, "# another\nextends = 'b.toml'")
        assert first != digest(self.BASE.replace("get_mm", "get_mm2"))
        assert first != digest(
            self.BASE, 'extends = "b.toml"\n[routes]\nmarker = "N"\n'
        )


@pytest.mark.parametrize("name", builtin_packs())
def test_built_in_packs_are_whole(name: str, tmp_path: Path) -> None:
    pack = load_pack(name, tmp_path)
    assert pack.name == name
    assert pack.description
    assert pack.accessors


def test_there_are_built_in_packs() -> None:
    assert {"demo", "django", "sglang"} <= set(builtin_packs())


def test_pack_error_says_where(tmp_path: Path) -> None:
    path = write(tmp_path / "p.toml", SMALL + "color = 1\n")
    with pytest.raises(PackError) as error:
        load_pack(path, tmp_path)
    assert str(error.value) == f"{path}:3: record.color: unknown key"
    assert (error.value.line, error.value.key) == (3, "record.color")
