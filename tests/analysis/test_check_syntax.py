"""The quick check of files that mention no word says what the parser would say."""

from __future__ import annotations

import ast

import pytest

from codemod.analysis.summarise import check_syntax

_TEXTS = [
    "def f(:\n",
    "  x = 1\n",
    "\x0c  x = 1\n",
    "\n\nx = = 2\n",
    "'''abc\n",
    "x = (\n",
    "if x:\npass\n",
    "a\\",
    "\tx\n  y\n",
    "def f():\n\tx\n        y\n",
    "print 'x'\n",
    "'\\N{no such character}'\n",
    "f'{'\n",
    "import *\n",
    "1 = x\n",
    "x = 1\r\ny = (\r\n",
    "x = 1\ry = (\r",
    "(" * 300 + ")" * 300,
    # What parses.
    "",
    "# only a comment",
    '"""Docstring."""\nfrom __future__ import annotations\n',
    "x = 1",
    "\x0cx = 1\n",
    "é = 1; \ufb01 = 2\n",
    "match x:\n    case 1: pass\n",
    "return 5\n",
]


@pytest.mark.parametrize("text", _TEXTS)
def test_says_what_the_parser_says(text: str) -> None:
    problem = check_syntax(text).problem
    try:
        ast.parse(text)
    except SyntaxError as error:
        assert problem == (error.lineno, f"syntax error: {error.msg}")
    else:
        assert problem is None


@pytest.mark.parametrize(
    ("text", "line"),
    [("x = 1\nnonlocal x\n", 2), ("def f(a, a): pass\n", 1)],
)
def test_says_what_scopes_forbid(text: str, line: int) -> None:
    problem = check_syntax(text).problem
    assert problem is not None
    assert problem[0] == line


def test_nesting_too_deep_for_the_parser_is_a_problem_of_the_file() -> None:
    problem = check_syntax("-" * 100_000 + "1").problem
    assert problem is not None
    line, message = problem
    assert line == 1
    assert message.removeprefix("cannot be parsed: ")
