"""Which files are looked at for the guards."""

from __future__ import annotations

import pytest

from codemod.analysis.guard_facts import Watched
from codemod.index.summary import watched_words

_WATCHED = Watched(
    names=frozenset({"get_pool"}),
    methods=frozenset({"override"}),
    parameters=frozenset({"config"}),
)


@pytest.mark.parametrize(
    ("text", "close", "wanted"),
    [
        ("get_pool()", False, True),
        ("x.get_pool", False, True),
        ("get_pool", False, True),
        ("\u00e9get_pool\u00e9", False, True),  # too many files, never too few
        ("get_pool_size() + my_get_pool()", False, False),
        ("get_pool_size() + get_pool()", False, True),
        ("def f(config): ...", False, True),
        ("config2 = reconfig", False, False),
        ("x = 1  # nsroute:keep[text] why", False, True),
        ("x = 1  # nsroute: keep[text] why", False, True),
        ("rec.override(a=1)", True, True),
        ("rec.override(a=1)", False, False),
        ("x = 1", True, False),
    ],
)
def test_a_whole_word_counts(text: str, close: bool, wanted: bool) -> None:
    assert bool(watched_words(text.encode(), close, _WATCHED)) is wanted
