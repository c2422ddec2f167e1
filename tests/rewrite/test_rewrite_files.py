"""Whole files: bytes outside the edits stay, and what cannot be done is refused."""

from __future__ import annotations

import gc
import pickle
import re
import subprocess
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor

import pytest
from rewrite_support import Drop, Import, Read, Unimport, Wish, plan_for, rewritten

from codemod.model import Anchor
from codemod.plan import (
    AddImport,
    FilePlan,
    ReadEdit,
    RemoveArguments,
    RemoveImportName,
    RemoveParameters,
    RemoveStatement,
    ReplaceExpression,
    SplitCall,
    UnwrapWalrus,
)
from codemod.rewrite import RewriteError, rewrite

READ = [Read("sa.x"), Import("get_exec")]

BYTES: dict[str, tuple[str, list[Wish], str]] = {
    "carriage returns": (
        "import os\r\n\r\n\r\ndef f():\r\n    return sa.x\r\n",
        READ,
        "import os\r\n\r\nfrom app.context import get_exec\r\n\r\n\r\n"
        "def f():\r\n    return get_exec().kernel.x\r\n",
    ),
    "mixed newlines": (
        "from app.context import a\ndef f():\r\n    return sa.x\r\n# end\n",
        READ,
        "from app.context import a, get_exec\ndef f():\r\n"
        "    return get_exec().kernel.x\r\n# end\n",
    ),
    "newlines of old": (
        "y = 1\rx = sa.x\nz = 2\r",
        [Read("sa.x")],
        "y = 1\rx = get_exec().kernel.x\nz = 2\r",
    ),
    "tabs and odd indents": (
        "if a:\n\tif b:\n\t   x = sa.x\n\telse:\n\t\tpass\n",
        [Read("sa.x")],
        "if a:\n\tif b:\n\t   x = get_exec().kernel.x\n\telse:\n\t\tpass\n",
    ),
    "form feed between": (
        "x = 1\n\x0c\ndef f():\n    return sa.x\n",
        [Read("sa.x")],
        "x = 1\n\x0c\ndef f():\n    return get_exec().kernel.x\n",
    ),
    "form feed before a statement": (
        "import os\n\x0cdef f():\n    return sa.x\n\x0cdef g(): pass\n",
        [Read("sa.x")],
        "import os\n\x0cdef f():\n    return get_exec().kernel.x\n\x0cdef g(): pass\n",
    ),
    "form feed on the edited line": (
        "import os\n\x0cy = sa.x\n\x0cz = 1\n",
        [Read("sa.x")],
        "import os\n\x0cy = get_exec().kernel.x\n\x0cz = 1\n",
    ),
    "a lonely backslash": (
        "import os\n\\\ny = 1\nx = sa.x\n",
        [Read("sa.x")],
        "import os\n\\\ny = 1\nx = get_exec().kernel.x\n",
    ),
    "a lonely backslash above a new line": (
        "x = 1\n\\\ny = 2\ndef f():\n    return 1\n",
        [Import("get_exec", function="f")],
        "x = 1\n\\\ny = 2\ndef f():\n    from app.context import get_exec\n\n"
        "    return 1\n",
    ),
    "a lonely backslash below a new first line": (
        "x = 1\n\\\ny = 2\n",
        [Import("get_exec")],
        "from app.context import get_exec\n\nx = 1\n\\\ny = 2\n",
    ),
    "a lonely backslash right below a new line": (
        "import os\n\\\nx = 1\n",
        [Import("get_exec")],
        "import os\n\nfrom app.context import get_exec\n\n\\\nx = 1\n",
    ),
    "a lonely backslash and lines that are often there": (
        "\\\n" + "a = 1\n" * 200 + "x = sa.x\n" + "a = 1\n" * 200,
        [Read("sa.x")],
        "\\\n" + "a = 1\n" * 200 + "x = get_exec().kernel.x\n" + "a = 1\n" * 200,
    ),
    "byte order mark": (
        "\ufeff# head\nx = sa.x\n",
        [Read("sa.x")],
        "\ufeff# head\nx = get_exec().kernel.x\n",
    ),
    "no last newline": ("x = sa.x", [Read("sa.x")], "x = get_exec().kernel.x"),
    "spaces at ends of lines": (
        "x = 1  \n   \n\t\ny = sa.x \t\n",
        [Read("sa.x")],
        "x = 1  \n   \n\t\ny = get_exec().kernel.x \t\n",
    ),
    "a cookie for another encoding": (
        "# -*- coding: latin-1 -*-\ns = 'é'\nx = sa.x\n",
        [Read("sa.x")],
        "# -*- coding: latin-1 -*-\ns = 'é'\nx = get_exec().kernel.x\n",
    ),
    "identifiers beyond ASCII": (
        "ﬁeld = µ = sa.ﬁeld\nx = sa.x\n",
        [Read("sa.x")],
        "ﬁeld = µ = sa.ﬁeld\nx = get_exec().kernel.x\n",
    ),
    "strings and comments that look alike": (
        'x = "#" + sa.x  # not "this" #\n',
        [Read("sa.x")],
        'x = "#" + get_exec().kernel.x  # not "this" #\n',
    ),
}


@pytest.mark.parametrize("name", BYTES)
def test_everything_else_stays(name: str) -> None:
    before, wishes, after = BYTES[name]
    assert rewritten(before, *wishes) == after


def test_a_plan_without_edits_changes_nothing() -> None:
    text = "this is no Python"
    assert rewrite(text, FilePlan("x.py", "x", False, ())).text == text


def _refusal(text: str, plan: FilePlan) -> RewriteError:
    with pytest.raises(RewriteError) as caught:
        rewrite(text, plan)
    return caught.value


def _plan(*edits: object) -> FilePlan:
    return FilePlan("app/x.py", "app.x", False, edits)  # type: ignore[arg-type]


def test_text_that_is_not_python_is_refused_with_its_line() -> None:
    error = _refusal("x = 1\ny = (\n", _plan(AddImport("m", "n")))
    assert (error.file, error.line) == ("app/x.py", 2)
    assert "cannot parse" in error.message
    assert str(error).startswith("app/x.py:2: ")


def test_text_that_only_libcst_cannot_parse_is_refused_with_its_line() -> None:
    text = "x = 1\nclass A(m=1, *b): pass\n"
    error = _refusal(text, _plan(AddImport("m", "n")))
    assert error.line == 2
    assert "LibCST cannot parse" in error.message


@pytest.mark.parametrize(
    ("text", "wishes", "line"),
    [
        ("\\\na = 1\nz = sa.x\r", [Read("sa.x")], 3),
        ("\x0ca = 1\nimport os\r", [Import("get_exec")], 2),
        ("import re\nimport os\r", [Import("get_exec")], 2),
        ("x = sa.x\n\\\ny = sa.y\n", [Read("sa.x"), Read("sa.y")], 1),
        ("a = 1\n\nx = sa.x\n\\\ny = sa.y\n", [Read("sa.x"), Read("sa.y")], 3),
    ],
)
def test_a_line_that_libcst_changes_is_refused(
    text: str, wishes: list[Wish], line: int
) -> None:
    error = _refusal(text, plan_for(text, *wishes))
    assert "does not give this line back" in error.message
    assert error.line == line


def test_an_anchor_beyond_the_file_is_refused() -> None:
    read = ReadEdit(Anchor("attribute", 3), "attribute", "x", "get()", ())
    assert "no attribute number 3" in _refusal("sa.x\n", _plan(read)).message


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("f(sa)\n", ReadEdit(Anchor("call", 0), "getattr", "x", "get()", ())),
        ("f(*sa, 'x')\n", ReadEdit(Anchor("call", 0), "getattr", "x", "get()", ())),
        (
            "getattr(sa, 'x', 1, 2)\n",
            ReadEdit(Anchor("call", 0), "getattr", "x", "get()", ()),
        ),
        (
            "sa.get('x', 1, 2)\n",
            ReadEdit(Anchor("call", 0), "get", "x", "get()", ()),
        ),
        (
            "sa['x', 1]\n",
            ReadEdit(Anchor("subscript", 0), "subscript", "x", "get()", ()),
        ),
        (
            "sa[1:2, 'x']\n",
            ReadEdit(Anchor("subscript", 0), "subscript", "x", "get()", ()),
        ),
        ("sa.get(*x)\n", ReadEdit(Anchor("call", 0), "get", "x", "get()", ())),
        ("sa[1:2]\n", ReadEdit(Anchor("subscript", 0), "subscript", "x", "get()", ())),
        ("sa['a-b']\n", ReadEdit(Anchor("subscript", 0), "subscript", "a-b", "s", ())),
        ("f(a, b=1)\n", RemoveArguments(Anchor("call", 0), ("b", "1"))),
        ("x = f(a=1)\n", SplitCall(Anchor("call", 0), "g", ("a",), True)),
        ("def f(a): ...\n", RemoveParameters(Anchor("function", 0), ("a", "b"))),
        ("f()\n", RemoveStatement(Anchor("call", 0))),
        ("def f(): ...\n", ReplaceExpression(Anchor("function", 0), "g()")),
        ("f(\n)\n", UnwrapWalrus(Anchor("call", 0))),
        (
            "f'{a:{sa.x=}}'\n",
            ReadEdit(Anchor("attribute", 0), "attribute", "x", "s", ()),
        ),
        ("import a\n", RemoveImportName(Anchor("import", 0), "b")),
        ("from a import *\n", RemoveImportName(Anchor("import", 0), "b")),
    ],
)
def test_an_edit_that_does_not_fit_its_node_is_refused(text: str, edit: object) -> None:
    error = _refusal(f"# first line\n{text}", _plan(edit))
    assert error.line == 2


def test_two_edits_that_disagree_are_refused() -> None:
    anchor = Anchor("attribute", 0)
    one = ReadEdit(anchor, "attribute", "x", "get()", ())
    other = ReadEdit(anchor, "attribute", "x", "get()", ("a",))
    assert rewrite("sa.x\n", _plan(one, one)).text == "get().x\n"
    assert "disagree" in _refusal("sa.x\n", _plan(one, other)).message


def test_a_line_is_that_of_the_whole_file() -> None:
    """Also where functions of many lines are left out above it."""
    text = "def f():\n    a = 1\n\n\n\n    return a\n\n\nf(*sa, 'x')\n"
    read = ReadEdit(Anchor("call", 0), "getattr", "x", "get()", ())
    assert _refusal(text, _plan(read)).line == 9


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("f(\n    a,\n    b,  # about b\n    c)\n", 3),
        ("f(\n    # about b\n    b)\n", 2),
    ],
)
def test_a_comment_that_would_be_lost_is_named_with_its_line(
    text: str, line: int
) -> None:
    number = str(text.count("a,"))
    plan = _plan(RemoveArguments(Anchor("call", 0), (number,)))
    error = _refusal(text, plan)
    assert "# about b" in error.message
    assert error.line == line


@pytest.mark.parametrize("many", ["", "a and " * 1_200 + "a\n"])
def test_what_no_python_parses_is_refused_however_many_operands_it_has(
    many: str,
) -> None:
    error = _refusal(f"{many}x = (\n", _plan(AddImport("m", "n")))
    assert "cannot parse" in error.message
    assert error.line == 1 + bool(many)
    error = _refusal(f"{many}x = 1\0\n", _plan(AddImport("m", "n")))
    assert "cannot parse" in error.message
    assert "null bytes" in error.message
    # Not every Python names a line here.
    assert error.line in (0, 1 + bool(many))


def test_what_would_not_parse_afterwards_is_refused_with_its_line() -> None:
    plan = _plan(ReplaceExpression(Anchor("attribute", 0), "g()"))
    error = _refusal("x = 1\nsa.x = 1\n", plan)
    assert "edited code does not parse" in error.message
    assert error.line == 2


@pytest.mark.parametrize(
    "text",
    [
        'f"{sa["x"]=}"',
        'f"{sa.x + chr(92) + "\\n"=}"',
        'f"{sa.x\n=}"',
        "f'''{sa.x  # why\n=}'''",
    ],
)
def test_a_printed_source_that_cannot_be_written_out_is_refused(text: str) -> None:
    if "[" in text:
        edit = ReadEdit(Anchor("subscript", 0), "subscript", "x", "s", ())
    else:
        edit = ReadEdit(Anchor("attribute", 0), "attribute", "x", "s", ())
    expected = "prints the source"
    if sys.version_info < (3, 12):
        # PEP 701: neither its own quote nor a backslash could stand in a field.
        expected = "cannot parse"
    assert expected in _refusal(f"{text}\n", _plan(edit)).message


def test_notes_tell_what_a_reviewer_should_know() -> None:
    plan = plan_for('f"{sa.x=}"\n', Read("sa.x"))
    (note,) = rewrite('f"{sa.x=}"\n', plan).notes
    assert "written out" in note
    assert rewrite("sa.x\n", plan_for("sa.x\n", Read("sa.x"))).notes == ()


def test_it_runs_in_another_process() -> None:
    text = "x = sa.x\n"
    plan = plan_for(text, Read("sa.x"))
    broken = plan_for("x = sa.x\n", Read("sa.x"))
    with ProcessPoolExecutor(1) as pool:
        assert pool.submit(rewrite, text, plan).result().text.endswith("kernel.x\n")
        error = pool.submit(rewrite, "x = (\n", broken).exception()
    assert isinstance(error, RewriteError)
    assert error.line == 1
    assert pickle.loads(pickle.dumps(error)).message == error.message


@pytest.mark.parametrize(
    "deep",
    [
        " + ".join(["'a'"] * 600),
        "\n".join(["if a:\n    pass", *["elif b:\n    pass"] * 450]),
        "a" + ".b()" * 300,
        "-" * 3_000 + "1",
    ],
)
def test_deep_code_is_done_and_leaves_no_trace(deep: str) -> None:
    limit = sys.getrecursionlimit()
    anchor = Anchor("attribute", deep.count("."))
    plan = _plan(ReadEdit(anchor, "attribute", "x", "settings", ()))
    after = rewrite(f"{deep}\nx = sa.x\n", plan).text
    assert after == f"{deep}\nx = settings.x\n"
    assert sys.getrecursionlimit() == limit


def test_many_operands_are_done_where_python_can_go_so_deep() -> None:
    text = "y = " + "a and " * 12_000 + "a\nx = sa.x\n"
    plan = _plan(ReadEdit(Anchor("attribute", 0), "attribute", "x", "settings", ()))
    if sys.version_info < (3, 12):
        assert rewrite(text, plan).text == text.replace("sa.x", "settings.x")
    else:
        assert "nested too deeply" in _refusal(text, plan).message


def test_more_operands_than_libcst_can_parse_are_refused() -> None:
    read = ReadEdit(Anchor("attribute", 0), "attribute", "x", "settings", ())
    error = _refusal("y = " + "a and " * 100_000 + "a\nx = sa.x\n", _plan(read))
    assert "100,001 operands" in error.message
    assert error.line == 0


def test_it_leaves_the_collector_and_the_warnings_alone() -> None:
    text = "x = '\\d'\nx is 1\ny = sa.x\n"
    assert gc.isenabled()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Made before: the plan's own parse would warn.
        plan = _plan(ReadEdit(Anchor("attribute", 0), "attribute", "x", "s", ()))
        assert rewrite(text, plan).text == "x = '\\d'\nx is 1\ny = s.x\n"
    assert gc.isenabled()


def test_importing_the_package_does_not_load_libcst() -> None:
    program = "import codemod.rewrite, sys; sys.exit('libcst' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_all_edits_are_one_pass_whatever_their_order() -> None:
    text = (
        "from app.args import get_args\n\n\ndef f():\n    sa = get_args()\n"
        "    return sa.x, sa.y, [sa.z for _ in sa.x]\n"
    )
    wishes = [
        Unimport("get_args"),
        Import("get_exec"),
        Drop("sa = get_args()"),
        Read("sa.x"),
        Read("sa.y"),
        Read("sa.z"),
    ]
    forward, backward = rewritten(text, *wishes), rewritten(text, *wishes[::-1])
    assert forward == backward
    assert not re.search(r"\bsa\b|get_args", forward)
