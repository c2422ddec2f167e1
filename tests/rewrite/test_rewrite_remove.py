"""Names and statements that go: what a person wrote around them stays."""

from __future__ import annotations

from textwrap import dedent

import pytest
from rewrite_support import Drop, Import, Read, Unimport, Wish, rewritten

from codemod.rewrite import Style

NAMES: dict[str, tuple[str, list[Wish], str]] = {
    "first": ("from m import a, b, c\n", [Unimport("a")], "from m import b, c\n"),
    "middle": ("from m import a, b, c\n", [Unimport("b")], "from m import a, c\n"),
    "last": ("from m import a, b, c\n", [Unimport("c")], "from m import a, b\n"),
    "by the name it binds": (
        "import a.b as c, d\n",
        [Unimport("c")],
        "import d\n",
    ),
    "a dotted import binds its first part": (
        "import a.b, a.c, d\n",
        [Unimport("a")],
        "import d\n",
    ),
    "all names": (
        "import os\nfrom m import a, b  # noqa: F401\nx = 1\n",
        [Unimport("a", 1), Unimport("b", 1)],
        "import os\nx = 1\n",
    ),
    "the whole file": ("from m import a\n", [Unimport("a")], ""),
    "semicolons, middle": (
        "import a; from m import b; import c\n",
        [Unimport("b", 1)],
        "import a; import c\n",
    ),
    "semicolons, last": (
        "import a; from m import b\n",
        [Unimport("b", 1)],
        "import a\n",
    ),
    "semicolons, first": (
        "from m import b; import a;\n",
        [Unimport("b")],
        "import a;\n",
    ),
    "one name a line": (
        """
        from m import (
            a,  # beside a
            b,
            c,  # beside c
        )
        """,
        [Unimport("b")],
        """
        from m import (
            a,  # beside a
            c,  # beside c
        )
        """,
    ),
    "a comment beside it stays": (
        """
        from m import (
            a,
            # above b
            b,  # beside b
            c,
        )
        """,
        [Unimport("b")],
        """
        from m import (
            a,
            # above b
            # beside b
            c,
        )
        """,
    ),
    "a pragma beside it goes": (
        """
        from m import (
            a,  # noqa: F401
            b,  # noqa: F401
        )
        """,
        [Unimport("b")],
        """
        from m import (
            a,  # noqa: F401
        )
        """,
    ),
    "the magic trailing comma keeps its lines": (
        """
        from m import (
            a,
            b,
        )
        """,
        [Unimport("a")],
        """
        from m import (
            b,
        )
        """,
    ),
    "without it, one line is enough": (
        """
        from m import (
            a,
            b
        )
        """,
        [Unimport("b")],
        """
        from m import a
        """,
    ),
    "comments need their lines": (
        """
        from m import (
            a,  # beside a
            b
        )
        """,
        [Unimport("b")],
        """
        from m import (
            a  # beside a
        )
        """,
    ),
    "brackets on one line are a person's choice": (
        "from m import (a, b)\n",
        [Unimport("b")],
        "from m import (a)\n",
    ),
    "several names a line": (
        """
        from m import (
            a_name_of_some_length, another_name_as_long, a_third_name_of_that_kind,
            a_fourth_name_of_that_kind, last)
        """,
        [Unimport("a_fourth_name_of_that_kind")],
        """
        from m import (
            a_name_of_some_length, another_name_as_long, a_third_name_of_that_kind,
            last)
        """,
    ),
    "hanging names, first": (
        """
        from m import (a_name_of_some_length_that_fills_the_line,
                       another_name_as_long_as_the_first_one_was,
                       a_third_name_of_that_kind_that_is_longer)
        """,
        [Unimport("a_name_of_some_length_that_fills_the_line")],
        """
        from m import (another_name_as_long_as_the_first_one_was,
                       a_third_name_of_that_kind_that_is_longer)
        """,
    ),
    "hanging names, last": (
        """
        from m import (a_name_of_some_length_that_fills_the_line,
                       another_name_as_long_as_the_first_one_was,
                       a_third_name_of_that_kind_that_is_longer)
        """,
        [Unimport("a_third_name_of_that_kind_that_is_longer")],
        """
        from m import (a_name_of_some_length_that_fills_the_line,
                       another_name_as_long_as_the_first_one_was)
        """,
    ),
    "hanging names, the comment of the one before": (
        """
        from m import (a,  # beside a
                       b)
        """,
        [Unimport("b")],
        """
        from m import (a  # beside a
        )
        """,
    ),
    "hanging names, the comment of the first": (
        """
        from m import (a,  # beside a
                       b)
        """,
        [Unimport("a")],
        """
        from m import (  # beside a
                       b)
        """,
    ),
    "continued lines": (
        """
        from m import a, \\
            b, \\
            c
        """,
        [Unimport("b")],
        """
        from m import a, c
        """,
    ),
    "the only import of a try": (
        """
        try:
            from m import a
        except ImportError:
            pass
        """,
        [Unimport("a")],
        """
        try:
            pass
        except ImportError:
            pass
        """,
    ),
}

STATEMENTS: dict[str, tuple[str, list[Wish], str]] = {
    "first, then a blank line": (
        """
        def f():
            sa = get()

            x = 1
        """,
        [Drop("sa = get()")],
        """
        def f():
            x = 1
        """,
    ),
    "after a docstring": (
        '''
        def f():
            """Doc."""
            sa = get()

            x = 1
        ''',
        [Drop("sa = get()")],
        '''
        def f():
            """Doc."""
            x = 1
        ''',
    ),
    "after a docstring and a blank line": (
        '''
        def f():
            """Doc."""

            sa = get()
            x = 1
        ''',
        [Drop("sa = get()")],
        '''
        def f():
            """Doc."""

            x = 1
        ''',
    ),
    "blank lines on both sides": (
        """
        def f():
            a = 1

            sa = get()


            x = 1
        """,
        [Drop("sa = get()")],
        """
        def f():
            a = 1


            x = 1
        """,
    ),
    "several in a row": (
        """
        def f():
            a = 1

            sa = get()

            sb: T = get()  # type: ignore

            x = 1
        """,
        [Drop("sa = get()"), Drop("sb: T = get()")],
        """
        def f():
            a = 1

            x = 1
        """,
    ),
    "several in a row, ever further apart": (
        """
        def f():
            a = 1

            sa = get()


            sb = get()
            x = 1
        """,
        [Drop("sa = get()"), Drop("sb = get()")],
        """
        def f():
            a = 1


            x = 1
        """,
    ),
    "under a comment that is apart": (
        """
        def f():
            a = 1
            # why

            sa = get()

            x = 1
        """,
        [Drop("sa = get()")],
        """
        def f():
            a = 1
            # why

            x = 1
        """,
    ),
    "under a comment that has a blank line above": (
        """
        def f():
            a = 1

            # why
            sa = get()


            x = 1
        """,
        [Drop("sa = get()")],
        """
        def f():
            a = 1

            # why
            x = 1
        """,
    ),
    "under a head that two blank lines set apart": (
        """
        # head


        sa = get()


        # one
        # two
        x = 1
        """,
        [Drop("sa = get()")],
        """
        # head


        # one
        # two
        x = 1
        """,
    ),
    "under a head that is nearer than what follows": (
        """
        # head

        sa = get()


        x = 1
        """,
        [Drop("sa = get()")],
        """
        # head


        x = 1
        """,
    ),
    "under a head, right above what follows": (
        """
        # head

        sa = get()
        # one
        # two
        x = 1
        """,
        [Drop("sa = get()")],
        """
        # head

        # one
        # two
        x = 1
        """,
    ),
    "a comment beside it, on top of the file": (
        "sa = get()  # why\n\nx = 1\n",
        [Drop("sa = get()")],
        "# why\n\nx = 1\n",
    ),
    "the last of three on a line": (
        "a = 1; b = 2; sa = get()\n",
        [Drop("sa = get()")],
        "a = 1; b = 2\n",
    ),
    "last of a block": (
        """
        def f():
            a = 1

            sa = get()


        x = 1
        """,
        [Drop("sa = get()")],
        """
        def f():
            a = 1


        x = 1
        """,
    ),
    "the only one": (
        """
        def f():
            sa = get()
        """,
        [Drop("sa = get()")],
        """
        def f():
            pass
        """,
    ),
    "the only one beside a docstring": (
        '''
        def f():
            """Doc."""
            sa = get()
        ''',
        [Drop("sa = get()")],
        '''
        def f():
            """Doc."""
        ''',
    ),
    "comments go to the next statement": (
        """
        def f():
            a = 1

            # above
            sa = get()  # beside
            x = 1
        """,
        [Drop("sa = get()")],
        """
        def f():
            a = 1

            # above
            # beside
            x = 1
        """,
    ),
    "comments go to the end of the block": (
        """
        def f():
            a = 1
            # above
            sa = get()  # beside
            # below

        x = 1
        """,
        [Drop("sa = get()")],
        """
        def f():
            a = 1
            # above
            # beside
            # below

        x = 1
        """,
    ),
    "comments of the only statement": (
        """
        def f():
            # above
            sa = get()  # noqa: F841
        """,
        [Drop("sa = get()")],
        """
        def f():
            # above
            pass
        """,
    ),
    "comments inside": (
        """
        sa = (  # one
            get()  # two
        )
        x = 1
        """,
        [Drop("sa = get()")],
        """
        # one
        # two
        x = 1
        """,
    ),
    "head of the file": (
        """
        # head

        sa = get()


        def f(): pass
        """,
        [Drop("sa = get()")],
        """
        # head


        def f(): pass
        """,
    ),
    "start of the file": (
        "sa = get()\n\n\nx = 1\n",
        [Drop("sa = get()")],
        "x = 1\n",
    ),
    "end of a file without a last newline": (
        "x = 1\nsa = get()",
        [Drop("sa = get()")],
        "x = 1",
    ),
    "bodies on one line": (
        """
        if x: sa = get()
        else: sa = get(); y = 1
        """,
        [Drop("sa = get()")],
        """
        if x: pass
        else: y = 1
        """,
    ),
    "class body": (
        """
        class A:
            sa = get()

            def f(self): pass
        """,
        [Drop("sa = get()")],
        """
        class A:
            def f(self): pass
        """,
    ),
    "case of a match": (
        """
        match x:
            case 1:
                sa = get()
            case 2:
                y = 1
        """,
        [Drop("sa = get()")],
        """
        match x:
            case 1:
                pass
            case 2:
                y = 1
        """,
    ),
}

TOGETHER: dict[str, tuple[str, list[Wish], str]] = {
    "a name for a name in one statement": (
        """
        from app.context import (
            Config,
            get_args,
        )
        """,
        [Unimport("get_args"), Import("get_exec")],
        """
        from app.context import (
            Config,
            get_exec,
        )
        """,
    ),
    "a name for the only name": (
        "from ..context import get_args  # the record\n",
        [Import("get_exec"), Unimport("get_args")],
        "from ..context import get_exec  # the record\n",
    ),
    "a name for a name, which keeps its lines": (
        """
        from app.context import (
            Config,
            get_args
        )
        """,
        [Unimport("get_args"), Import("get_exec")],
        """
        from app.context import (
            Config,
            get_exec
        )
        """,
    ),
    "a name for a name, too long beside another that goes": (
        "from app.context import get_a_name_of_some_length, get_another_name_it"
        "; import os, re\n",
        [Import("get_exec"), Unimport("re", 1)],
        """
        from app.context import (
            get_a_name_of_some_length,
            get_another_name_it,
            get_exec,
        ); import os
        """,
    ),
    "laid out once: not wrapped for a name that goes": (
        """
        from app.context import get_another_name_of_length, get_server_arguments_of_it
        """,
        [Unimport("get_server_arguments_of_it"), Import("get_exec")],
        """
        from app.context import get_another_name_of_length, get_exec
        """,
    ),
    "a statement for a statement": (
        """
        import os

        from app.args import get_args

        x = 1
        """,
        [Unimport("get_args", 1), Import("get_exec")],
        """
        import os

        from app.context import get_exec

        x = 1
        """,
    ),
    "alias, import and reads": (
        """
        from app.args import get_args


        def f():
            sa = get_args()

            x = sa.x; y = sa.y
            return x
        """,
        [
            Unimport("get_args"),
            Import("get_exec"),
            Drop("sa = get_args()"),
            Read("sa.x"),
            Read("sa.y"),
        ],
        """
        from app.context import get_exec


        def f():
            x = get_exec().kernel.x; y = get_exec().kernel.y
            return x
        """,
    ),
    "alias and read on one line": (
        "def f(): sa = get_args(); return sa.x\n",
        [Drop("sa = get_args()"), Read("sa.x")],
        "def f(): return get_exec().kernel.x\n",
    ),
    "an import for the only statement on the line of its def": (
        "def f(): sa = get()\n",
        [Drop("sa = get()"), Import("get_exec", function="f")],
        "def f():\n    from app.context import get_exec\n",
    ),
    "an import for the only statement, which has a comment": (
        "def f(): sa = get()  # why\n",
        [Drop("sa = get()"), Import("get_exec", function="f")],
        """
        def f():
            from app.context import get_exec

            pass  # why
        """,
    ),
    "everything inside a function": (
        """
        def f():
            from app.args import get_args

            sa = get_args()
            return sa.x
        """,
        [
            Unimport("get_args"),
            Import("get_exec", function="f"),
            Drop("sa = get_args()"),
            Read("sa.x"),
        ],
        """
        def f():
            from app.context import get_exec

            return get_exec().kernel.x
        """,
    ),
    "comments of what went, above a new import": (
        """
        import os

        # about the getter
        from app.args import get_args

        # about x
        x = 1
        """,
        [Unimport("get_args", 1), Import("get_exec")],
        """
        import os

        from app.context import get_exec

        # about the getter

        # about x
        x = 1
        """,
    ),
}

CASES = NAMES | STATEMENTS | TOGETHER


def _text(text: str) -> str:
    return dedent(text).removeprefix("\n")


@pytest.mark.parametrize("name", CASES)
def test_what_is_left(name: str) -> None:
    before, wishes, after = CASES[name]
    assert rewritten(_text(before), *wishes) == _text(after)


@pytest.mark.parametrize("limit", [14, 15])
def test_one_line_has_to_be_enough(limit: int) -> None:
    before = "from m import (\n    a,\n    b\n)\n"
    after = rewritten(before, Unimport("b"), style=Style(limit))
    wanted = "from m import a\n"
    assert after == (
        wanted if len(wanted) <= limit + 1 else before.replace(",\n    b", "")
    )


def test_no_case_hides_another() -> None:
    assert len(CASES) == len(NAMES) + len(STATEMENTS) + len(TOGETHER)


@pytest.mark.parametrize("above", ["", '"""Doc."""\n    ', "x = 1\n    "])
def test_no_blank_line_is_left_under_a_comment(above: str) -> None:
    before = f"def f():\n    {above}# why\n    from m import a\n\n    return 1\n"
    after = f"def f():\n    {above}# why\n    return 1\n"
    assert rewritten(before, Unimport("a")) == after
    # At the top of a module a comment may be about the whole file.
    assert rewritten("# why\nfrom m import a\n\nx = 1\n", Unimport("a")) == (
        "# why\n\nx = 1\n"
    )
