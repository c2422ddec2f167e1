"""Every mistake in a pack is named with its line, its key, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.packs import PackError, load_pack

HEAD = '[record]\ncalls = ["a.b:get"]\n'

# The text of a pack → the line, the key, and words of the message.
MISTAKES: dict[str, tuple[str, int, str, str]] = {
    "toml syntax": ("[record]\ncalls = [\n\nx = 1\n", 4, "", "not valid TOML"),
    "toml ends too soon": ('[record]\ncalls = ["a"', 2, "", "not valid TOML"),
    "a key twice": ("[pack]\nname = 'a'\nname = 'b'\n", 3, "", "not valid TOML"),
    "unknown table": (HEAD + "[acessors]\n", 3, "acessors", "mean 'accessors'?"),
    "unknown key": (
        HEAD + "atributes = []\n",
        3,
        "record.atributes",
        "unknown key; did you mean 'attributes'?",
    ),
    "unknown key of a keep": (
        HEAD + "[[keep]]\nreason = 'a'\nwhy = 'b'\nmodule = ['x']\n",
        6,
        "keep[0].module",
        "did you mean 'modules'?",
    ),
    "unknown key of the second keep": (
        HEAD + "[[keep]]\nreason='a'\nwhy='b'\nfields=['x']\n[[keep]]\nfoo = 1\n",
        8,
        "keep[1].foo",
        "unknown key",
    ),
    "unknown key of an accessor": (
        HEAD + "[accessors]\nx = { call = 'a:b', alais = 'c' }\n",
        4,
        "accessors.x.alais",
        "did you mean 'alias'?",
    ),
    "unknown key of a site": (
        HEAD
        + "[configured.x]\ncall = 'a:b'\nsites = [\n  { modul = 'm', why = 'w' },\n]",
        6,
        "configured.x.sites[0].modul",
        "did you mean 'module'?",
    ),
    "a string for a list": (
        "[record]\ncalls = 'a:b'\n",
        2,
        "record.calls",
        "must be a list, not a string",
    ),
    "a number in a list": (
        "[record]\ncalls = [\n  'a:b',\n  3,\n]\n",
        4,
        "record.calls[1]",
        "must be a string, not a whole number",
    ),
    "a table for a string": (
        HEAD + "[pack]\nname = { x = 1 }\n",
        4,
        "pack.name",
        "must be a string, not a table",
    ),
    "a string for a table": ("record = 'x'\n", 1, "record", "must be a table"),
    "a table for keep": (HEAD + "[keep]\nreason='a'\n", 3, "keep", "write [[keep]]"),
    "a list for accessors": (
        "accessors = []\n" + HEAD,
        1,
        "accessors",
        "write [accessors]",
    ),
    "a number for an accessor": (
        HEAD + "[accessors]\nx = 1\n",
        4,
        "accessors.x",
        "must be 'module:name' or a table",
    ),
    "a number for a route": (
        HEAD + "[routes.fields]\na = 'x'\nb = 1\n",
        5,
        "routes.fields.b",
        "must be a string",
    ),
    "no reason": (
        HEAD + "[[keep]]\nwhy = 'b'\nfields=['x']\n",
        3,
        "keep[0]",
        "'reason'",
    ),
    "no why": (HEAD + "[[keep]]\nreason = 'b'\nfields=['x']\n", 3, "keep[0]", "'why'"),
    "an empty why": (
        HEAD + "[[keep]]\nreason = 'b'\nwhy = ' '\nfields=['x']\n",
        5,
        "keep[0].why",
        "a sentence",
    ),
    "a reason in words": (
        HEAD + "[[keep]]\nreason = 'Per Runner'\nwhy = 'b'\nfields=['x']\n",
        4,
        "keep[0].reason",
        "joined by '-'",
    ),
    "a keep for everything": (
        HEAD + "[[keep]]\nreason = 'b'\nwhy = 'w'\nexcept_fields = ['x']\n",
        3,
        "keep[0]",
        "would keep every read",
    ),
    "a bad glob": (
        HEAD + "[[keep]]\nreason='a'\nwhy='b'\nmodules = ['ok', 'a/b']\n",
        6,
        "keep[0].modules[1]",
        "bad glob: 'a/b'",
    ),
    "a bad owner": (HEAD + "owners = ['a..b']\n", 3, "record.owners[0]", "bad glob"),
    "an unknown form": (
        HEAD + "[[keep]]\nreason='a'\nwhy='b'\nforms = ['self', 'atribute']\n",
        6,
        "keep[0].forms[1]",
        "did you mean 'attribute'?",
    ),
    "an unknown access": (
        HEAD + "access = ['getitem']\n",
        3,
        "record.access[0]",
        "'getitem' is not one of attribute, getattr, subscript, get",
    ),
    "a target with a dot": (
        "[record]\ncalls = ['a.b.get']\n",
        2,
        "record.calls[0]",
        "did you mean 'a.b:get'?",
    ),
    "a target with two names": (
        "[record]\nobjects = ['a:b.c']\n",
        2,
        "record.objects[0]",
        "'a:b.c' is not 'module:name'",
    ),
    "a keyword for a name": (
        "[record]\ncalls = ['a:class']\n",
        2,
        "record.calls[0]",
        "is not 'module:name'",
    ),
    "a class that is no target": (
        HEAD + "class = 'Args'\n",
        3,
        "record.class",
        "is not 'module:name'",
    ),
    "an attribute that is no name": (
        HEAD + "attributes = ['self.args']\n",
        3,
        "record.attributes[0]",
        "not a Python name",
    ),
    "no way to the record": (
        "[pack]\nname = 'x'\n[record]\nclass = 'a:B'\n",
        3,
        "record",
        "give calls, objects or attributes",
    ),
    "an exception that is no name": (
        HEAD + "unpublished = 'Value Error'\n",
        3,
        "record.unpublished",
        "not a dotted Python name",
    ),
    "both kinds of accessor": (
        HEAD + "[accessors.x]\ncall = 'a:b'\nobject = 'a:c'\n",
        3,
        "accessors.x",
        "one of 'call' and 'object'",
    ),
    "neither kind of accessor": (
        HEAD + "[accessors]\n\nx = { alias = 'c' }\n",
        5,
        "accessors.x",
        "one of 'call' and 'object'",
    ),
    "an alias that is no name": (
        HEAD + "[accessors]\nx = { call = 'a:b', alias = '1x' }\n",
        4,
        "accessors.x.alias",
        "not a Python name",
    ),
    "an accessor for no name": (
        HEAD + "[accessors]\n'a-b' = 'a:b'\n",
        4,
        "accessors.a-b",
        "not a dotted Python name",
    ),
    "a route to no name": (
        HEAD + "[routes.fields]\nx = 'exec.1'\n",
        4,
        "routes.fields.x",
        "'exec.1' is not a dotted Python name",
    ),
    "a derived member of no kind": (
        HEAD + "[derived]\nx = { call = 'a:b', kind = 'field' }\n",
        4,
        "derived.x.kind",
        "'field' is not one of property, method",
    ),
    "a derived member without a call": (
        HEAD + "[derived]\nx = { kind = 'method' }\n",
        4,
        "derived.x",
        "has no 'call'",
    ),
    "a site without why": (
        HEAD + "[configured]\nx = { call = 'a:b', sites = [{ module = 'm' }] }\n",
        4,
        "configured.x.sites[0]",
        "has no 'why'",
    ),
    "extends of a number": ("extends = 1\n" + HEAD, 1, "extends", "must be a string"),
    "extends of nothing": (
        "\nextends = 'sglag'\n",
        2,
        "extends",
        "did you mean 'sglang'?",
    ),
    "extends of no file": ("extends = 'no.toml'\n", 1, "extends", "there is no file"),
    "extends and rules": (
        "extends = 'sglang'\nrules = 'sglang'\n",
        2,
        "rules",
        "the same as 'extends'",
    ),
    "extends itself": ("extends = 'p.toml'\n", 1, "extends", "circle: p.toml → p.toml"),
    "nothing to take away": (
        "extends = 'sglang'\n[accessors]\nexce = false\n",
        3,
        "accessors.exce",
        "no such entry to remove; did you mean 'exec'?",
    ),
    "false without a base": (
        HEAD + "[accessors]\nx = false\n",
        4,
        "accessors.x",
        "must be 'module:name' or a table",
    ),
}


@pytest.mark.parametrize(
    ("text", "line", "key", "words"), MISTAKES.values(), ids=MISTAKES
)
def test_mistakes(tmp_path: Path, text: str, line: int, key: str, words: str) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(PackError) as error:
        load_pack(str(path), tmp_path)
    assert (error.value.line, error.value.key) == (line, key)
    assert words in error.value.message
    assert str(error.value).startswith(f"{path}:{line}: ")


def test_a_mistake_in_pyproject_has_the_key_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\nname = 'x'\n\n[tool.nsroute.record]\ncals = []\n")
    with pytest.raises(PackError) as error:
        load_pack(None, tmp_path)
    assert str(error.value) == (
        f"{path}:5: tool.nsroute.record.cals: unknown key; did you mean 'calls'?"
    )


def test_a_mistake_in_the_base_names_the_base(tmp_path: Path) -> None:
    base = tmp_path / "base.toml"
    base.write_text(HEAD + "[[keep]]\nreason = 'a'\nwhy = 'b'\nfield = ['x']\n")
    top = tmp_path / "top.toml"
    top.write_text(f"extends = 'base.toml'\n{HEAD}")
    with pytest.raises(PackError) as error:
        load_pack(str(top), tmp_path)
    assert (error.value.file, error.value.line) == (str(base), 6)


def test_packs_that_extend_one_another(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("extends = 'b.toml'\n")
    (tmp_path / "b.toml").write_text("# round we go\nextends = 'a.toml'\n")
    with pytest.raises(PackError, match=r"b\.toml:2: .*a\.toml → b\.toml → a\.toml"):
        load_pack(str(tmp_path / "a.toml"), tmp_path)


def test_two_configurations(tmp_path: Path) -> None:
    (tmp_path / "nsroute.toml").write_text(HEAD)
    (tmp_path / "pyproject.toml").write_text("[tool.nsroute]\nrules = 'sglang'\n")
    with pytest.raises(PackError) as error:
        load_pack(None, tmp_path)
    assert "nsroute.toml" in str(error.value)
    assert "pyproject.toml" in str(error.value)


def test_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(PackError) as error:
        load_pack(None, tmp_path)
    assert "nsroute init" in error.value.message
    assert "--rules" in error.value.message


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("sglnag", "did you mean 'sglang'?"),
        ("missing.toml", "nor a file"),
        (".", "is a directory"),
        ("../sglang", "nor a file"),
    ],
)
def test_rules_that_are_not_there(tmp_path: Path, rules: str, words: str) -> None:
    with pytest.raises(PackError) as error:
        load_pack(rules, tmp_path)
    assert error.value.key == "--rules"
    assert words in error.value.message


def test_a_pack_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_bytes(b"# fine\n# \xff\n")
    with pytest.raises(PackError, match="not UTF-8") as error:
        load_pack(str(path), tmp_path)
    assert error.value.line == 2


def test_a_broken_pyproject_that_speaks_of_us(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.nsroute]\nrules = \n")
    with pytest.raises(PackError, match=r"pyproject\.toml:2: is not valid TOML"):
        load_pack(None, tmp_path)
