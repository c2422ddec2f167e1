"""Text to syntax tree, once for those who ask about one text in a row."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache


@lru_cache(maxsize=1)
def parse(text: str) -> ast.Module:
    """The tree of a file's text; raises what ``ast.parse`` does.

    The last tree is kept: a scan and the guards look at a file in one go. Nobody may
    change it, but for positions in f-strings, which come out the same each time.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes are the linter's affair
        return ast.parse(text)
