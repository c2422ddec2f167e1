"""The words of a file are those that stand by themselves in its bytes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemod.analysis.words import Words

#: Four that begin alike and are looked for at once, and others.
WORDS = ("get_pool", "get_pool_size", "get_net", "get", "ServerArgs", "is_hip", "kk:")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", set()),
        ("get_pool()", {"get_pool"}),
        ("x.get_pool_size", {"get_pool_size"}),
        ("get_pools, my_get_pool", set()),
        ("my_get_net + get_nets + get_net", {"get_net"}),
        ("get(get_net)", {"get", "get_net"}),
        ("target, forget", set()),
        ("ServerArgs2, MyServerArgs", set()),
        ("'ServerArgs'", {"ServerArgs"}),
        ("this_is_hip", set()),
        ("(is_hip)", {"is_hip"}),
        ("kk:word", {"kk:"}),
        ("akk: b", set()),
        ("éget_poolé", {"get_pool"}),
    ],
)
def test_words_of_a_text(text: str, found: set[str]) -> None:
    assert Words(WORDS).found(text.encode()) == found


@given(st.lists(st.sampled_from([*WORDS, "_", "a", " ", ".", "(", "get_", "1"])))
def test_as_one_pattern_for_each_word_says(parts: list[str]) -> None:
    text = "".join(parts)
    wanted = {
        word
        for word in WORDS
        if re.search(rf"(?<!\w){word}" + ("" if word[-1] == ":" else r"(?!\w)"), text)
    }
    assert Words(WORDS).found(text.encode()) == wanted
