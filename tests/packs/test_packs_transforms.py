"""The tables of writers, probes and the clean-up: what they say, and every mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.packs import Cleanup, PackError, ProbeKeep, Probes, Writer, load_pack

HEAD = '[record]\ncalls = ["a.b:get"]\n'
PROBES = HEAD + '[probes]\ncall = "a.m:get"\n'


def load(tmp_path: Path, text: str) -> object:
    path = tmp_path / "pack.toml"
    path.write_text(text, encoding="utf-8")
    return load_pack(str(path), tmp_path)


def test_what_the_tables_say(tmp_path: Path) -> None:
    text = PROBES + (
        'override = "a.m:override"\n'
        "[probes.facts]\n"
        'is_fast = ["a.m:is_fast", "a.m:fast"]\n'
        'lanes = "a.m:count"\n'
        "[[probes.keep]]\n"
        'reason = "low"\nwhy = "It is."\nmodules = ["a.low.*"]\n'
        "[writers]\n"
        'override = { call = "a.b:ctx" }\n'
        'put = { call = "a.b:ctx", target = "set", source = "" }\n'
        "[cleanup]\n"
        'public = ["a.api.*"]\n'
    )
    pack = load(tmp_path, text)
    facts = {"a.m:is_fast": "is_fast", "a.m:fast": "is_fast", "a.m:count": "lanes"}
    keeps = (ProbeKeep("low", "It is.", ("a.low.*",)),)
    assert pack.probes == Probes("a.m:get", facts, "a.m:override", keeps)  # type: ignore[attr-defined]
    assert pack.writers == {  # type: ignore[attr-defined]
        "override": Writer("override", "a.b:ctx", "override", "source"),
        "put": Writer("put", "a.b:ctx", "set", None),
    }
    assert pack.cleanup == Cleanup(("a.api.*",))  # type: ignore[attr-defined]


def test_a_pack_takes_entries_of_another_away(tmp_path: Path) -> None:
    text = 'extends = "demo"\n[writers]\noverride = false\n'
    text += "[probes.facts]\nis_fast = false\n"
    pack = load(tmp_path, text)
    assert pack.writers == {}  # type: ignore[attr-defined]
    assert sorted(pack.probes.facts.values()) == ["generation", "has_wide_lanes"]  # type: ignore[attr-defined]


MISTAKES = {
    "no call of a writer": (HEAD + "[writers]\nput = {}\n", 4, "writers.put", "'call'"),
    "a writer's call": (
        HEAD + "[writers]\nput = { call = 'a.b' }\n",
        4,
        "writers.put.call",
        "module:name",
    ),
    "a writer's target": (
        HEAD + "[writers]\nput = { call = 'a:b', target = 'a.b' }\n",
        4,
        "writers.put.target",
        "not a Python name",
    ),
    "no call of the probes": (HEAD + "[probes]\n", 3, "probes", "has no 'call'"),
    "no facts": (PROBES, 3, "probes", "names no probe"),
    "a fact that is no name": (
        PROBES + "[probes.facts]\n'is-fast' = 'a:b'\n",
        6,
        "probes.facts.is-fast",
        "not a Python name",
    ),
    "a probe that is no place": (
        PROBES + "[probes.facts]\nfast = 'a.b.c'\n",
        6,
        "probes.facts.fast",
        "did you mean 'a.b:c'?",
    ),
    "a probe of two facts": (
        PROBES + "[probes.facts]\nfast = 'a:b'\nslow = 'a:b'\n",
        7,
        "probes.facts.slow",
        "already answers 'fast'",
    ),
    "a reason that is no code": (
        PROBES + "[probes.facts]\nfast = 'a:b'\n[[probes.keep]]\n"
        "reason = 'It is'\nwhy = 'x'\nmodules = []\n",
        8,
        "probes.keep[0].reason",
        "words of a-z",
    ),
    "a bad glob": (
        HEAD + "[cleanup]\npublic = ['a..b']\n",
        4,
        "cleanup.public[0]",
        "bad glob",
    ),
}


@pytest.mark.parametrize(
    ("text", "line", "key", "words"), MISTAKES.values(), ids=MISTAKES
)
def test_mistakes(text: str, line: int, key: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(PackError) as caught:
        load(tmp_path, text)
    message = str(caught.value)
    assert f"pack.toml:{line}: {key}: " in message
    assert words in message
