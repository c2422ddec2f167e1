"""The line of each key, against documents that tomllib reads."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemod.packs.positions import key_lines
from codemod.project.toml import loads

# A document, and the line of each key in it.
DOCUMENTS: dict[str, tuple[str, dict[tuple[str | int, ...], int]]] = {
    "keys and comments": (
        "# x = 1\n\na = 1 # b = 2\n  c\t=  'd'\n",
        {("a",): 3, ("c",): 4},
    ),
    "dotted and quoted keys": (
        'a.b = 1\na . c = 2\n"d.e".\'f g\' = 3\n"\\u00e9" = 4\n',
        {
            ("a",): 1,
            ("a", "b"): 1,
            ("a", "c"): 2,
            ("d.e",): 3,
            ("d.e", "f g"): 3,
            ("é",): 4,
        },
    ),
    "tables": (
        "[a]\nx = 1\n[ b . c ]\ny = 1\n[a.d]\n",
        {
            ("a",): 1,
            ("a", "x"): 2,
            ("b",): 3,
            ("b", "c"): 3,
            ("b", "c", "y"): 4,
            ("a", "d"): 5,
        },
    ),
    "arrays of tables": (
        "[[k]]\na = 1\n[k.sub]\nb = 1\n[[k]]\na = 2\n[[k.in]]\nc = 1\n[[k.in]]\n",
        {
            ("k",): 1,
            ("k", 0): 1,
            ("k", 0, "a"): 2,
            ("k", 0, "sub"): 3,
            ("k", 0, "sub", "b"): 4,
            ("k", 1): 5,
            ("k", 1, "a"): 6,
            ("k", 1, "in"): 7,
            ("k", 1, "in", 0): 7,
            ("k", 1, "in", 0, "c"): 8,
            ("k", 1, "in", 1): 9,
        },
    ),
    "arrays": (
        "a = [\n  1, # two ], three\n\n  'x]',\n  [ 2,\n 3 ],\n]\nb = []\n",
        {
            ("a",): 1,
            ("a", 0): 2,
            ("a", 1): 4,
            ("a", 2): 5,
            ("a", 2, 0): 5,
            ("a", 2, 1): 6,
            ("b",): 8,
        },
    ),
    "inline tables": (
        'a = { x = 1, "y z" = { b.c = "}" }, w = [ { v = 1 } ] }\nb = {}\n',
        {
            ("a",): 1,
            ("a", "x"): 1,
            ("a", "y z"): 1,
            ("a", "y z", "b"): 1,
            ("a", "y z", "b", "c"): 1,
            ("a", "w"): 1,
            ("a", "w", 0): 1,
            ("a", "w", 0, "v"): 1,
            ("b",): 2,
        },
    ),
    "an inline table in a list over lines": (
        "s = [\n  { m = 'a', w = 'b' },\n  { m = 'c' },\n]\n",
        {
            ("s",): 1,
            ("s", 0): 2,
            ("s", 0, "m"): 2,
            ("s", 0, "w"): 2,
            ("s", 1): 3,
            ("s", 1, "m"): 3,
        },
    ),
    "multi-line strings": (
        'a = """\n[no]\nno = 1\n\\"""\n"""\n'
        "b = '''\nno = 2 # ''\nx'''\nc = 1\n",
        {("a",): 1, ("b",): 6, ("c",): 9},
    ),
    "strings that end in quotes": (
        'a = """x"""""\nb = \'\'\'y\'\'\'\'\nc = ""\nd = "\\"#"\n',
        {("a",): 1, ("b",): 2, ("c",): 3, ("d",): 4},
    ),
    "other values": (
        "a = 1979-05-27 07:32:00Z\nb = -inf\nc = 0x1F\nd = false # no\n",
        {("a",): 1, ("b",): 2, ("c",): 3, ("d",): 4},
    ),
    "crlf": ("[a]\r\nb = 1\r\nc = [\r\n 1,\r\n]\r\n", {}),
}


@pytest.mark.parametrize(("text", "expected"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_lines(text: str, expected: dict[tuple[str | int, ...], int]) -> None:
    loads(text)  # the document is valid
    if expected:
        assert key_lines(text) == expected
    else:
        assert key_lines(text)["a", "b"] == 2
        assert key_lines(text)["a", "c", 0] == 4


def paths(value: Any, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    found = {path} if path else set()
    items = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else items
    for key, item in items:
        found |= paths(item, (*path, key))
    return found


@pytest.mark.parametrize("text", [d[0] for d in DOCUMENTS.values()], ids=DOCUMENTS)
def test_every_value_has_a_line(text: str) -> None:
    assert set(key_lines(text)) == paths(loads(text))


keys = st.text(min_size=1, max_size=5).map(
    lambda s: '"' + "".join(f"\\U{ord(c):08x}" for c in s) + '"'
) | st.from_regex(r"[A-Za-z0-9_-]{1,4}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6)
scalars = st.one_of(
    st.integers(-9, 9).map(str),
    st.sampled_from(["true", "1979-05-27", "1.5e3", "nan"]),
    texts.map(lambda s: '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'),
    texts.map(lambda s: '"""\n' + s.replace("\\", "/").replace('"', "'") + '\n"""'),
    texts.map(lambda s: "'" + s.replace("'", "") + "'"),
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda v: "[\n" + ", # ]\n".join(v) + "\n]")
        | st.dictionaries(keys, inner, max_size=3).map(
            lambda v: "{ " + ", ".join(f"{k} = {x}" for k, x in v.items()) + " }"
        )
    ),
    max_leaves=8,
)


@given(st.lists(st.tuples(keys, values), max_size=5))
def test_any_document(pairs: list[tuple[str, str]]) -> None:
    text = "".join(f"# {n}\n[[t]]\n{k} = {v}\n" for n, (k, v) in enumerate(pairs))
    try:
        data = loads(text)
    except ValueError:  # a key twice in one inline table, under two spellings
        return
    lines = key_lines(text)
    assert set(lines) == paths(data)
    rows = text.split("\n")
    for path, line in lines.items():
        if len(path) == 2:
            assert rows[line - 1] == "[[t]]"
