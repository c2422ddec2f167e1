"""What a dotted glob matches."""

from __future__ import annotations

import pytest

from codemod.packs import BadGlobError, module_matches
from codemod.packs.globs import translate

# glob → what it matches, what it does not.
GLOBS: dict[str, tuple[list[str], list[str]]] = {
    "a.b": (["a.b"], ["a", "a.b.c", "a.bc", "x.a.b", "a_b"]),
    "a.b.*": (["a.b", "a.b.c", "a.b.c.d"], ["a", "a.bc", "a.bc.d", "x.a.b.c"]),
    "a.b.**": (["a.b", "a.b.c", "a.b.c.d"], ["a", "a.bc"]),
    "a.*.c": (["a.b.c", "a.x.c"], ["a.c", "a.b.x.c", "a.b.c.d"]),
    "a.**.c": (["a.c", "a.b.c", "a.b.x.c"], ["a", "c", "a.bc"]),
    "**.tests.*": (["tests", "tests.x", "a.b.tests", "a.tests.x.y"], ["a.contests.x"]),
    "**.test_*": (["test_a", "a.b.test_c", "a.test_c.d"], ["a.contest_b", "a.b"]),
    "*.settings": (["a.settings"], ["settings", "a.b.settings"]),
    "a.tokenizer_*": (
        ["a.tokenizer_manager", "a.tokenizer_x.y"],
        ["a.tokenizer", "a.b.tokenizer_x"],
    ),
    "speculative_*": (["speculative_x", "speculative_"], ["speculative", "x"]),
    "*_backend": (["attention_backend", "_backend"], ["backend", "a.mm_backend"]),
    "a.*x*": (["a.x", "a.bxc", "a.xc.d"], ["a.b", "a.b.x"]),
    "tp_siz?": (["tp_size"], ["tp_siz", "tp_siz.", "tp_sizes"]),
    "v[12].x": (["v1.x", "v2.x"], ["v3.x", "v.x"]),
    "v[!12]": (["v3"], ["v1", "v."]),
    "v[0-9]*": (["v3", "v31", "v3.x"], ["v", "vx"]),
    "*": (["", "a", "a.b.c"], []),
    "**": (["", "a", "a.b.c"], []),
    "Class.method.*": (
        ["Class.method", "Class.method.inner"],
        ["Class", "Class.methods"],
    ),
    "größe": (["größe"], ["grosse"]),
}


@pytest.mark.parametrize(
    ("glob", "name"), [(glob, name) for glob in GLOBS for name in GLOBS[glob][0]]
)
def test_matches(glob: str, name: str) -> None:
    assert module_matches([glob], name)


@pytest.mark.parametrize(
    ("glob", "name"), [(glob, name) for glob in GLOBS for name in GLOBS[glob][1]]
)
def test_does_not_match(glob: str, name: str) -> None:
    assert not module_matches([glob], name)


def test_any_of_several_and_none_of_none() -> None:
    assert module_matches(("a", "b.*"), "b.c")
    assert not module_matches(("a", "b.*"), "c")
    assert not module_matches((), "a")


@pytest.mark.parametrize(
    ("glob", "word"),
    [
        ("", "empty"),
        ("a..b", "empty name"),
        (".a", "empty name"),
        ("a.", "empty name"),
        ("a/b", "'a/b'"),
        ("a b", "'a b'"),
        ("a:b", "'a:b'"),
        ("a.[bc", "'[bc'"),
        ("a.[]", "'[]'"),
        ("a**", "alone"),
        ("a.**b", "alone"),
        ("a.(b|c)", "neither"),
        ("a\n", "neither"),
    ],
)
def test_bad_globs(glob: str, word: str) -> None:
    with pytest.raises(BadGlobError) as error:
        translate(glob)
    assert word in str(error.value)
