"""Which reads stand inside what another one is taken from."""

from __future__ import annotations

import pytest

from codemod.analysis.summarise import summarise
from codemod.analysis.vocabulary import Vocabulary
from codemod.series.nested import on_the_way

WORDS = Vocabulary(
    attributes=frozenset({"sa"}), access=frozenset({"attribute", "getattr", "get"})
)

# An expression, and the reads in it that others are taken from.
CASES = {
    "o.sa.a": [],
    "o.sa.a + o.sa.b": [],
    "o.sa.a.sa.b": ["o.sa.a"],
    "o.sa.a.sa.b.sa.c": ["o.sa.a", "o.sa.a.sa.b"],
    "o[o.sa.a].sa.b": ["o.sa.a"],
    "o[\n o.sa.a].sa.b": ["o.sa.a"],
    "o.sa.a.sa\\\n.b": ["o.sa.a"],
    "o.sa.a.sa.\\\nb": ["o.sa.a"],
    "'é' + o.sa.a.sa.b": ["o.sa.a"],
    "getattr(o.sa.a.sa, 'b')": ["o.sa.a"],
    "getattr(o.sa.a.sa, 'b', o.sa.c)": ["o.sa.a"],
    "getattr(o.sa, 'b', o.sa.c)": [],
    "getattr(o['é'].sa.a.sa, 'b', o.sa.c)": ["o['é'].sa.a"],
    "getattr(\n o.sa.a.sa,\n 'b',\n o.sa.c)": ["o.sa.a"],
    "getattr(\n o[o\n .sa.a].sa, 'b', o.sa.c)": ["o\n .sa.a"],
    "o.sa.a.sa.get('b', o.sa.c)": ["o.sa.a"],
    "o.sa.get('b', o.sa.c)": [],
    "f(o.sa.a)(o.sa.b).sa.c": ["o.sa.a", "o.sa.b"],
}


@pytest.mark.parametrize("text", CASES)
def test_on_the_way(text: str) -> None:
    facts = summarise(f"x = ({text})\n", "m", False, WORDS, close=True)
    inside = on_the_way(facts.candidates, facts.candidates)
    assert sorted(c.text for c in inside) == CASES[text]
