"""``[publish]`` and ``[guards]``: what they say, and every mistake by its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.packs import GUARD_NAMES, GuardRule, PackError, Publish, load_pack

HEAD = """\
[record]
calls = ["app.ctx:get"]
"""


def load(folder: Path, text: str) -> object:
    (folder / "nsroute.toml").write_text(HEAD + text)
    return load_pack(None, folder)


def test_a_pack_without_them_runs_every_guard(tmp_path: Path) -> None:
    pack = load(tmp_path, "")
    assert pack.publish is None
    assert pack.guards.skip == frozenset()
    assert [pack.guards.rule(name) for name in GUARD_NAMES] == [GuardRule()] * 12


def test_they_say_what_they_say(tmp_path: Path) -> None:
    pack = load(
        tmp_path,
        """\
[publish]
call = "app.ctx:Context.publish"
entries = ["app.main:main"]
[guards]
skip = ["writers"]
[guards.legacy]
calls = ["app.ctx:old"]
[guards.local-imports]
modules = ["app.ctx", "app.sub.*"]
except_modules = ["app.plugin.*"]
[guards.shadowing]
names = "imports"
""",
    )
    assert pack.publish == Publish("app.ctx:Context.publish", ("app.main:main",))
    assert pack.guards.skip == {"writers"}
    assert pack.guards.rule("legacy").calls == ("app.ctx:old",)
    rule = pack.guards.rule("local-imports")
    assert rule.modules == ("app.ctx", "app.sub.*")
    assert not rule.covers("app.plugin.one") and rule.covers("app.main")
    assert pack.guards.rule("shadowing").names == "imports"


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("[guards.redas]\n", "3: guards.redas", "did you mean 'reads'"),
        ('[guards]\nskip = ["writer"]\n', "4: guards.skip[0]", "'writers'"),
        ('[guards]\nskip = "writers"\n', "4: guards.skip", "list of guards"),
        ("[guards.reads]\ncalls = []\n", "4: guards.reads.calls", "unknown key"),
        ('[guards.legacy]\ncalls = ["x"]\n', "4: guards.legacy.calls", "module:name"),
        (
            '[guards.shadowing]\nnames = "all"\n',
            "4: guards.shadowing.names",
            "'all' is not one of accessors, imports",
        ),
        (
            '[guards.reads]\nexcept_modules = ["a..b"]\n',
            "4: guards.reads.except_modules",
            "bad glob",
        ),
        ('[publish]\nentries = ["a:b"]\n', "3: publish", "has no 'call'"),
        ('[publish]\ncall = "a:b"\n', "3: publish", "has no 'entries'"),
        (
            '[publish]\ncall = "a.b"\nentries = ["a:b"]\n',
            "4: publish.call",
            "is not 'module:name'",
        ),
        (
            '[publish]\ncall = "a:B.c"\nentries = ["main"]\n',
            "5: publish.entries",
            "is not 'module:name'",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place(
    text: str, place: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(PackError) as caught:
        load(tmp_path, text)
    message = str(caught.value)
    assert place in message and words in message, message
