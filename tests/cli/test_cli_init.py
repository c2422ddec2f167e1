"""``nsroute init``: what it finds, what it writes, and that the pack then works."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.packs import load_pack
from codemod.starter.candidates import find_candidates, is_clear
from codemod.starter.evidence import evidence_of

from . import support
from .support import nsroute, result_of

WITHOUT_PACK = {k: v for k, v in support.FILES.items() if k != "nsroute.toml"}


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """The small project before nsroute."""
    return support.write(tmp_path / "shop", WITHOUT_PACK)


def test_the_pack_it_writes_finds_the_same_reads_as_one_by_hand(
    bare: Path, shop: Path
) -> None:
    support.write(shop, {"nsroute.toml": support.PACK})
    by_hand = result_of(shop, "scan")["reads"]
    (bare / "nsroute.toml").unlink(missing_ok=True)
    done = nsroute(bare, "init")
    assert done.returncode == 0, done.stderr
    pack = load_pack(None, bare)
    assert pack.record.cls == "app.config:Config"
    assert pack.record.calls == ("app.context:get_config",)
    assert pack.record.owners == ("app.config", "app.context")
    assert pack.routes.marker == "NS"
    assert {a.root: a.name for a in pack.accessors} == {
        "cache": "get_cache",
        "net": "get_net",
    }
    found = result_of(bare, "scan")["reads"]
    # By hand a parameter called `config` is taken for the record, too.
    assert found == [read for read in by_hand if read["reason"] != "parameter"]


def test_what_it_says(bare: Path) -> None:
    assert nsroute(bare, "init").stdout == (
        "Wrote nsroute.toml.\n"
        "\n"
        "The record is app.config:Config, read through\n"
        "\n"
        "| reads | way                      |\n"
        "| ----: | ------------------------ |\n"
        "|     7 | app.context:get_config() |\n"
        "\n"
        "4 fields of 5 say their namespace (NS).\n"
        "\n"
        "Next\n"
        "  1. Read nsroute.toml: it is a guess, above all which attributes hold the "
        "record.\n"
        "  2. `nsroute routes`: 4 of 5 fields have a namespace.\n"
        "  3. `nsroute scan`: 8 reads, 5 of them convert; the rest says why not.\n"
        "  4. `nsroute diff`: the change, before anything is written.\n"
    )


def test_nothing_is_overwritten_without_force(bare: Path) -> None:
    support.write(bare, {"nsroute.toml": "# mine\n"})
    done = nsroute(bare, "init")
    assert done.returncode == 2
    assert done.stderr.startswith("error: nsroute.toml: is there already; nothing was")
    assert (bare / "nsroute.toml").read_text() == "# mine\n"
    printed = nsroute(bare, "init", "--print")
    assert printed.returncode == 0
    assert (bare / "nsroute.toml").read_text() == "# mine\n"
    assert nsroute(bare, "init", "--force").returncode == 0
    assert (bare / "nsroute.toml").read_text() == printed.stdout


def test_a_table_in_pyproject_is_a_pack_too(bare: Path) -> None:
    support.write(bare, {"pyproject.toml": '[tool.nsroute]\nextends = "demo"\n'})
    done = nsroute(bare, "init", "--force")
    assert done.returncode == 2
    assert "[tool.nsroute] is there already" in done.stderr
    assert not (bare / "nsroute.toml").exists()


def test_a_project_without_a_config_object_is_told_so(tmp_path: Path) -> None:
    support.write(tmp_path, {"a.py": "def f(x):\n    return x.y\n"})
    done = nsroute(tmp_path, "init")
    assert done.returncode == 2
    assert done.stderr.startswith("error: nothing in 1 file looks like a config object")
    assert "--record MODULE:CLASS" in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["a.py"]


TWO = {
    f"{name}/{file}": text
    for name in ("one", "two")
    for file, text in {
        "__init__.py": "",
        "conf.py": "from dataclasses import dataclass\n\n\n@dataclass\n"
        "class Settings:\n"
        + "".join(f"    {field}: int = 1\n" for field in "abcde")
        + "\n\nsettings = Settings()\n",
        "use.py": f"from {name}.conf import settings\n\n\ndef f():\n    return ("
        + "".join(f"settings.{field}, " for field in "abcdeabcde")
        + ")\n",
    }.items()
}


def test_when_several_may_be_it_they_are_listed_and_one_can_be_named(
    tmp_path: Path,
) -> None:
    support.write(tmp_path, TWO)
    done = nsroute(tmp_path, "init")
    assert done.returncode == 2
    assert done.stdout == (
        "| reads | record            | read through      |\n"
        "| ----: | ----------------- | ----------------- |\n"
        "|    10 | one.conf:Settings | one.conf:settings |\n"
        "|    10 | two.conf:Settings | two.conf:settings |\n"
    )
    assert done.stderr == (
        "error: several objects may be the record; nothing was written\n"
        "hint: choose one, for example `nsroute init --record one.conf:Settings`\n"
    )
    assert not (tmp_path / "nsroute.toml").exists()
    assert nsroute(tmp_path, "init", "--record", "two.conf:Settings").returncode == 0
    record = load_pack(None, tmp_path).record
    assert (record.cls, record.objects) == ("two.conf:Settings", ("two.conf:settings",))
    assert result_of(tmp_path, "scan")["summary"]["reads"] == 10


def test_a_getter_or_an_object_leads_to_the_class(tmp_path: Path) -> None:
    support.write(tmp_path, TWO)
    assert nsroute(tmp_path, "init", "--object", "two.conf:settings").returncode == 0
    assert load_pack(None, tmp_path).record.cls == "two.conf:Settings"


# Options, and the beginning of what is said.
WRONG = [
    (["--record", "app.config:Confg"], "there is no such class; did you mean"),
    (["--record", "app.config"], "there is no such class"),
    (["--record", "app.config:NS"], "nothing was found that returns it or is it"),
    (["--getter", "get_config"], "is not MODULE:NAME"),
    (["--object", "a:b.c"], "is not MODULE:NAME"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_a_wrong_name_is_an_error(bare: Path, arguments: list[str], said: str) -> None:
    done = nsroute(bare, "init", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (bare / "nsroute.toml").exists()


def test_a_built_in_pack_that_fits_is_extended(tmp_path: Path) -> None:
    support.write(
        tmp_path,
        {
            "shop/__init__.py": "",
            "shop/mail.py": "from django.conf import settings\n\n\ndef f():\n"
            "    return (settings.EMAIL_HOST, settings.EMAIL_PORT, settings.DEBUG,\n"
            "            settings.SECRET_KEY, settings.SHOP_NAME, settings.SHOP_URL,\n"
            "            settings.SHOP_TAX, settings.DEBUG, settings.DEBUG,\n"
            "            settings.get)\n" * 2,
        },
    )
    done = nsroute(tmp_path, "init")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "nsroute.toml").read_text()
    assert 'extends = "django"\n' in text
    # What the pack routes already is not asked for again; a name that three share is
    # proposed as their namespace.
    assert "EMAIL_HOST" not in text
    assert '# SHOP_TAX = "shop"  # 2 reads\n' in text
    assert '# DEBUG = ""  # 6 reads\n' in text
    assert "# get = " not in text
    assert "Write config.namespaces" in done.stdout
    assert nsroute(tmp_path, "scan").returncode == 0


FIELDS = "".join(f"    f{n}: int = {n}\n" for n in range(6))
READS = "".join(f"{{0}}.f{n}, " for n in range(6))
CLASS = f"@dataclass\nclass Config:\n{FIELDS}"
CALLED = f"def use():\n    return ({READS.format('get_config()')})\n"

# Source of a module `m` that holds everything, and the ways to its record.
WAYS = [
    (
        f"{CLASS}\n_held = Config()\ndef get_config():\n    return _held\n{CALLED}",
        ["m:get_config()"],
    ),
    (
        f"{CLASS}\n_held: 'Config | None' = None\ndef get_config():\n"
        f"    if _held is None:\n        raise LookupError\n    return _held\n{CALLED}",
        ["m:get_config()"],
    ),
    (
        f"{CLASS}\n@lru_cache\ndef get_config():\n    return Config()\n{CALLED}",
        ["m:get_config()"],
    ),
    (
        f"{CLASS}\n@functools.cache\ndef get_config() -> Config:\n    return Config()\n"
        + CALLED,
        ["m:get_config()"],
    ),
    (
        f"{CLASS}\ndef get_config() -> Optional['Config']:\n    return ctx.args\n"
        + CALLED,
        ["m:get_config()"],
    ),
    # A new object each time is no record.
    (f"{CLASS}\ndef get_config() -> Config:\n    return Config()\n{CALLED}", []),
    (
        f"{CLASS}\nsettings = Config()\ndef use():\n"
        f"    return ({READS.format('settings')})\n",
        ["m:settings"],
    ),
    (
        f"class Config(BaseSettings):\n{FIELDS}\nsettings = Config()\ndef use():\n"
        f"    return ({READS.format('settings')})\n",
        ["m:settings"],
    ),
    (
        f"{CLASS}\nclass User:\n    def use(self):\n"
        f"        return ({READS.format('self.conf') * 2})\n",
        ["….conf"],
    ),
    # An attribute that mostly holds something else does not hold the record.
    (
        f"{CLASS}\nclass User:\n    def use(self):\n"
        f"        return ({READS.format('self.state')}"
        + "".join(f"self.state.g{n}, " for n in range(9))
        + ")\n",
        [],
    ),
    (
        "class Config:\n    def __init__(self):\n"
        + "".join(f"        self.f{n} = {n}\n" for n in range(8))
        + f"settings = Config()\ndef use():\n    return ({READS.format('settings')})\n",
        ["m:settings"],
    ),
    # An alias of the result, and a getter with an argument that may be left out.
    (
        f"{CLASS}\n_held = Config()\ndef get_config(strict=True):\n    return _held\n"
        f"def use():\n    c = get_config()\n    return ({READS.format('c')})\n",
        ["m:get_config()"],
    ),
]


@pytest.mark.parametrize(("source", "ways"), WAYS)
def test_ways_to_the_record(source: str, ways: list[str]) -> None:
    found = find_candidates([evidence_of(source, "m", False)])
    assert [str(way) for one in found for way in one.ways] == ways
    assert all(one.cls == "m:Config" for one in found)
    assert is_clear(found) is bool(ways)


# An annotation or a default, and what it says of the field's namespace.
MARKS = [
    ("Annotated[int, NS('a.b')] = 1", ("NS", None)),
    ("A[int, Help('how many of them'), NS('a.b')] = 1", ("NS", None)),
    ("'Annotated[int, markers.Where(\"a.b\")]' = 1", ("Where", None)),
    ("int = field(default=1, metadata={'ns': 'a.b'})", (None, "ns")),
    ("int = Field(1, json_schema_extra={'space': 'a.b'})", (None, "space")),
    ("int = 1", (None, None)),
    ("Annotated[int, Range(1, 2), NS(name)] = 1", (None, None)),
]


@pytest.mark.parametrize(("declaration", "said"), MARKS)
def test_namespaces_that_fields_say(
    declaration: str, said: tuple[str | None, str | None]
) -> None:
    source = (
        f"@dataclass\nclass Config:\n    size: {declaration}\n{FIELDS}\n"
        f"settings = Config()\nx = [{READS.format('settings')}]\n"
    )
    (found,) = find_candidates([evidence_of(source, "m", False)])
    assert (found.marker, found.metadata) == said
    assert found.namespaces == ({"size": "a.b"} if any(said) else {})


def test_names_are_followed_through_imports_and_re_exports() -> None:
    modules = {
        "pkg": "from .conf import get_config, Config\n",
        "pkg.conf": f"{CLASS}\n_held = Config()\ndef get_config():\n    return _held\n",
        "pkg.deep.use": "from .. import get_config as g\n"
        f"x = [{READS.format('g()')}]\n",
        "use": f"import pkg\ny = [{READS.format('pkg.get_config()')}]\n",
        "other": f"def get_config(): ...\nz = [{READS.format('get_config()')}]\n",
    }
    found = find_candidates(
        [evidence_of(text, name, name == "pkg") for name, text in modules.items()]
    )
    assert [(c.cls, c.total()) for c in found] == [("pkg.conf:Config", 12)]


def test_a_file_that_does_not_parse_says_nothing() -> None:
    found = evidence_of("def (:", "m", False)
    assert (found.classes, found.functions, found.reads) == ((), (), {})
