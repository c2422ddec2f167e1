"""The whole table: pack and record checked against each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.packs import PackError, load_pack
from codemod.project import open_project
from codemod.routing import RouteTable, build_routes

PACK = """\
[record]
class = "app.args:Args"
calls = ["app.ctx:get_args"]

[accessors]
exec = "app.ctx:get_exec"
model = { call = "app.ctx:get_model", alias = "get_model_ns" }
"""

ARGS = """\
from typing import Annotated as A
from app.markers import NS

class Args:
    backend: A[str, NS("exec.kernel")] = "x"
    topk: A[int, NS("exec.moe")] = 1
    path: A[str, NS("model")] = ""
    debug: bool = False

    @property
    def big(self):
        return self.topk > 9
"""


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def build(
    root: Path,
    pack: str = PACK,
    routes_from: str | None = None,
    args: str | None = ARGS,
    strict: bool = True,
) -> RouteTable:
    files = {"app/__init__.py": "", "app/ctx.py": "", "nsroute.toml": pack}
    if args is not None:
        files["app/args.py"] = args
    write(root, files)
    return build_routes(open_project(root), load_pack(None, root), routes_from, strict)


def test_the_table(tmp_path: Path) -> None:
    table = build(tmp_path)
    assert table.fields == {
        "backend": "exec.kernel",
        "topk": "exec.moe",
        "path": "model",
        "debug": None,
    }
    assert table.lines["topk"] == ("app/args.py", 6)
    assert table.members == {"big": "property"}
    assert table.unused_accessors == ()
    assert table.missing_accessors == ()


@pytest.mark.parametrize(
    ("namespace", "name", "rest"),
    [
        ("exec", "get_exec", ()),
        ("exec.kernel", "get_exec", ("kernel",)),
        ("exec.moe", "get_moe", ()),
        ("exec.moe.ep.x", "get_moe", ("ep", "x")),
        ("exec.moex", "get_exec", ("moex",)),
        ("model", "get_model", ()),
    ],
)
def test_the_longest_root_wins(
    tmp_path: Path, namespace: str, name: str, rest: tuple[str, ...]
) -> None:
    table = build(tmp_path, PACK + '"exec.moe" = "app.ctx:get_moe"\n')
    accessor, path = table.accessor_for(namespace)
    assert (accessor.name, path) == (name, rest)


def test_a_namespace_without_an_accessor_is_a_key_error(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        build(tmp_path).accessor_for("other.kernel")


class TestByHand:
    def test_it_wins_over_metadata(self, tmp_path: Path) -> None:
        hand = '[routes.fields]\ndebug = "model"\ntopk = "model.top"\n'
        table = build(tmp_path, PACK + hand)
        assert table.fields["debug"] == "model"
        assert table.fields["topk"] == "model.top"
        assert table.lines["debug"] == ("app/args.py", 8)

    def test_a_field_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(PackError) as error:
            build(tmp_path, PACK + '[routes.fields]\nbackned = "exec"\n')
        assert (error.value.line, error.value.key) == (9, "routes.fields.backned")
        assert error.value.message == (
            "the record has no such field; did you mean 'backend'?"
        )

    def test_a_property_is_no_field(self, tmp_path: Path) -> None:
        with pytest.raises(PackError, match="is a property of the record") as error:
            build(tmp_path, PACK + '[routes.fields]\nbig = "exec"\n')
        assert error.value.line == 9

    def test_without_a_class_the_pack_is_all_there_is(self, tmp_path: Path) -> None:
        pack = (
            '[record]\nobjects = ["django.conf:settings"]\n[routes.fields]\n'
            'EMAIL_HOST = "mail"\n[accessors]\nmail = { object = "app.ctx:mail" }\n'
        )
        table = build(tmp_path, pack, args=None)
        assert table.fields == {"EMAIL_HOST": "mail"}
        assert table.lines == {"EMAIL_HOST": (str(tmp_path / "nsroute.toml"), 4)}
        assert table.members == {}

    def test_the_class_of_an_installed_library_is_not_asked_for(
        self, tmp_path: Path
    ) -> None:
        pack = PACK.replace("app.args:Args", "library.config:Config")
        hand = '[routes.fields]\na = "exec"\nb = "model"\n'
        assert build(tmp_path, pack + hand).fields == {"a": "exec", "b": "model"}


# A change to the pack or the record → file, line, key, words of the message.
DISAGREEMENTS: dict[str, tuple[str, str, tuple[str, int, str], str]] = {
    "a route without an accessor": (
        PACK,
        ARGS.replace('"model"', '"modle"'),
        ("app/args.py", 7, "path"),
        "is routed to 'modle', and [accessors] has no 'modle'; did you mean 'model'?",
    ),
    "a route by hand without one": (
        PACK + '[routes.fields]\ndebug = "memory"\n',
        ARGS,
        ("nsroute.toml", 9, "routes.fields.debug"),
        "[accessors] has no 'memory'",
    ),
    "an accessor without a route": (
        PACK + 'kernel = "app.ctx:get_kernel"\n',
        ARGS,
        ("nsroute.toml", 8, "accessors.kernel"),
        "no field is routed to it",
    ),
    "an accessor hidden by longer ones": (
        PACK.replace(
            "exec =", '"exec.kernel" = "app.ctx:a"\n"exec.moe" = "app.ctx:b"\nexec ='
        ),
        ARGS,
        ("nsroute.toml", 8, "accessors.exec"),
        "no field is routed to it",
    ),
    "a record in no module": (
        PACK.replace("app.args", "app.arsg"),
        ARGS,
        ("nsroute.toml", 2, "record.class"),
        "there is no module 'app.arsg' below the root; did you mean 'app.args'?",
    ),
    "a record that is no class": (
        PACK.replace(":Args", ":Arg"),
        ARGS,
        ("nsroute.toml", 2, "record.class"),
        "app/args.py has no class 'Arg'; did you mean 'Args'?",
    ),
    "routes from no module": (
        PACK + '[routes]\nfrom = "app.nothing:Args"\n',
        ARGS,
        ("nsroute.toml", 9, "routes.from"),
        "there is no module 'app.nothing'",
    ),
    "routes from no class": (
        PACK + '[routes]\nfrom = "app.ctx:Args"\n',
        ARGS,
        ("nsroute.toml", 9, "routes.from"),
        "app/ctx.py has no class 'Args'",
    ),
    "routes from no file": (
        PACK + '[routes]\nfrom = "app/nothing.py:Args"\n',
        ARGS,
        ("nsroute.toml", 9, "routes.from"),
        "there is no file",
    ),
    "a record that cannot be parsed": (
        PACK,
        ARGS + "def broken(:\n",
        ("app/args.py", 13, "routes"),
        "syntax error",
    ),
    "a record that cannot be decoded": (
        PACK,
        "# coding: klingon\n" + ARGS,
        ("app/args.py", 1, "routes"),
        "unknown encoding",
    ),
    "a field with the name of a namespace": (
        PACK,
        ARGS.replace("    debug: bool", '    moe: A[int, NS("exec")]'),
        ("app/args.py", 8, "moe"),
        "the attribute cannot be both",
    ),
}


@pytest.mark.parametrize(
    ("pack", "args", "place", "words"), DISAGREEMENTS.values(), ids=DISAGREEMENTS
)
def test_disagreement(
    tmp_path: Path, pack: str, args: str, place: tuple[str, int, str], words: str
) -> None:
    with pytest.raises(PackError) as error:
        build(tmp_path, pack, args=args)
    file, line, key = place
    assert Path(tmp_path, error.value.file) == tmp_path / file
    assert (error.value.line, error.value.key) == (line, key)
    assert words in error.value.message


def test_what_disagrees_can_be_shown(tmp_path: Path) -> None:
    pack = PACK.replace("model =", "memory =") + 'cfg = { object = "lib.conf:cfg" }\n'
    table = build(tmp_path, pack, strict=False)
    assert table.unused_accessors == ("cfg", "memory")
    assert table.fields["path"] == "model"
    assert table.missing_accessors == ("cfg",)


def test_no_routes_at_all_is_no_fault_of_the_accessors(tmp_path: Path) -> None:
    table = build(tmp_path, args="class Args:\n    a: int = 1\n")
    assert table.fields == {"a": None}
    assert table.unused_accessors == ("exec", "model")


class TestRoutesFrom:
    """Routes of another release, whose tree is not below the root."""

    NEXT = ARGS.replace("    debug: bool = False\n", "")

    def next_release(self, folder: Path, args: str = NEXT) -> Path:
        files = {
            "pkg/app/__init__.py": "",
            "pkg/app/sub/args.py": args,
            "pkg/app/markers.py": "class Space: ...\nNS = Space\n",
        }
        return write(folder, files) / "pkg/app/sub/args.py"

    def test_a_file_outside_the_root(self, tmp_path: Path) -> None:
        path = self.next_release(tmp_path / "next")
        old = "class Args:\n    backend = 'x'\n    path = ''\n    gone = 1\n"
        table = build(tmp_path / "root", routes_from=f"{path}:Args", args=old)
        assert table.fields == {
            "backend": "exec.kernel",
            "topk": "exec.moe",
            "path": "model",
            "gone": None,
        }
        assert table.lines["backend"] == (str(path), 5)
        assert table.lines["gone"] == ("app/args.py", 4)

    def test_members_are_those_of_both(self, tmp_path: Path) -> None:
        path = self.next_release(tmp_path / "next")
        old = (
            "class Args:\n    def old(self): ...\n    big: int = 1\n"
            "    @property\n    def topk(self): ...\n"
        )
        table = build(tmp_path / "root", routes_from=f"{path}:Args", args=old)
        assert table.members == {"old": "method"}
        assert table.fields["big"] is None
        assert table.fields["topk"] == "exec.moe"

    def test_imports_resolve_beside_the_file(self, tmp_path: Path) -> None:
        """Absolute and relative ones, to where the file's own package starts."""
        source = (
            "from ..markers import NS as Where, KERNEL\nfrom app.base import Base\n"
            "class Args(Base):\n    backend: A[str, Where(KERNEL)] = ''\n"
        )
        path = self.next_release(tmp_path / "next", source)
        markers = "class NS: ...\nKERNEL = 'exec.kernel'\n"
        base = (
            "from app.markers import NS\nclass Base:\n    path: A[str, NS('model')]\n"
        )
        write(path.parents[1], {"markers.py": markers, "base.py": base})
        write(tmp_path / "root", {"app/base.py": "class Base:\n    wrong: int\n"})
        table = build(
            tmp_path / "root", routes_from=f"{path}:Args", args="class Args: ..."
        )
        assert table.fields == {"path": "model", "backend": "exec.kernel"}

    def test_a_file_on_its_own(self, tmp_path: Path) -> None:
        path = write(tmp_path / "x", {"args.py": ARGS}) / "args.py"
        table = build(tmp_path / "root", routes_from=f"{path}:Args", args=None)
        assert table.fields["backend"] == "exec.kernel"
        assert table.members == {"big": "property"}

    def test_a_colon_in_the_path(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a:b", {"args.py": ARGS}) / "args.py"
        table = build(tmp_path / "root", routes_from=f"{path}:Args", args=None)
        assert table.fields["backend"] == "exec.kernel"

    def test_without_a_class_it_is_the_record_s(self, tmp_path: Path) -> None:
        path = write(tmp_path / "x", {"args.py": ARGS}) / "args.py"
        table = build(tmp_path / "root", routes_from=str(path), args=None)
        assert table.fields["backend"] == "exec.kernel"

    def test_a_path_in_the_pack_is_below_the_root(self, tmp_path: Path) -> None:
        write(tmp_path, {"meta/routes.py": ARGS.replace("class Args", "class Routes")})
        pack = PACK + '[routes]\nfrom = "meta/routes.py:Routes"\n'
        table = build(tmp_path, pack, args="class Args:\n    backend: str = ''\n")
        assert table.fields["backend"] == "exec.kernel"
        assert table.lines["backend"] == ("meta/routes.py", 5)

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ("{}/no.py:Args", "there is no file"),
            ("{}/args.py:Arg", "has no class 'Arg'; did you mean 'Args'?"),
            ("{}:Args", "there is no file"),
            ("", "there is no file"),
        ],
    )
    def test_what_cannot_be_read(self, tmp_path: Path, given: str, words: str) -> None:
        folder = write(tmp_path / "x", {"args.py": ARGS})
        with pytest.raises(PackError) as error:
            build(tmp_path / "root", routes_from=given.format(folder))
        assert error.value.key == "--routes-from"
        assert words in error.value.message


def test_the_digest_is_of_what_decides(tmp_path: Path) -> None:
    first = build(tmp_path).digest
    assert first == build(tmp_path, args="# moved down\n" + ARGS).digest
    assert first != build(tmp_path, args=ARGS.replace("exec.moe", "exec.moes")).digest
    assert first != build(tmp_path, args=ARGS.replace("@property", "")).digest
    assert first != build(tmp_path, PACK.replace("get_model_ns", "get_m")).digest


def test_nothing_is_imported_or_run(tmp_path: Path) -> None:
    args = "open('ran', 'w')\nraise SystemExit\n" + ARGS
    assert build(tmp_path, args=args).fields["backend"] == "exec.kernel"
    assert not (tmp_path / "ran").exists()


def test_only_what_is_needed_is_parsed(tmp_path: Path) -> None:
    """A file beside the record that does not parse is nobody's business here."""
    write(tmp_path, {"app/markers.py": "def broken(:\n", "app/other.py": "][\n"})
    assert build(tmp_path).fields["backend"] == "exec.kernel"


def test_the_django_pack_as_it_is_and_extended(tmp_path: Path) -> None:
    write(tmp_path, {"shop/conf.py": "", "shop/views.py": ""})
    table = build_routes(open_project(tmp_path), load_pack("django", tmp_path))
    assert table.accessor_for(table.fields["EMAIL_HOST"] or "")[0].kind == "object"
    assert set(table.missing_accessors) == {a.root for a in table.accessors}
    own = (
        'extends = "django"\n[routes.fields]\nSTRIPE_KEY = "payments"\n[accessors]\n'
        'payments = { object = "shop.conf:payment_settings" }\n'
        'email = { object = "shop.conf:email_settings" }\n'
    )
    write(tmp_path, {"nsroute.toml": own})
    table = build_routes(open_project(tmp_path), load_pack(None, tmp_path))
    assert table.fields["STRIPE_KEY"] == "payments"
    assert table.accessor_for("email")[0].module == "shop.conf"
    assert "email" not in table.missing_accessors
