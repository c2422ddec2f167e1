"""New imports: joined in the style of what is there, or placed where it belongs.

Unless a case says otherwise it adds ``get_exec`` of ``app.context`` to the module
``app.sub.worker``.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from rewrite_support import Import, Read, Wish, rewritten

from codemod.rewrite import Style

JOINED = {
    "sorted": (
        "from app.context import get_args, zoo\n",
        "from app.context import get_args, get_exec, zoo\n",
    ),
    "first": (
        "from app.context import zoo\n",
        "from app.context import get_exec, zoo\n",
    ),
    "not sorted": (
        "from app.context import zoo, bar\n",
        "from app.context import zoo, bar, get_exec\n",
    ),
    "constants, classes, functions": (
        "from app.context import MAX, Context, bar, zoo\n",
        "from app.context import MAX, Context, bar, get_exec, zoo\n",
    ),
    "without regard to case": (
        "from app.context import bar, Context, get_args, Zoo\n",
        "from app.context import bar, Context, get_args, get_exec, Zoo\n",
    ),
    "plain order": (
        "from app.context import Zoo, _bar, get_a\n",
        "from app.context import Zoo, _bar, get_a, get_exec\n",
    ),
    "relative": (
        "from ..context import get_args\n",
        "from ..context import get_args, get_exec\n",
    ),
    "one name a line": (
        """
        from app.context import (  # the context
            # above a
            a,  # beside a
            # above z
            z,  # beside z
            # below
        )
        """,
        """
        from app.context import (  # the context
            # above a
            a,  # beside a
            get_exec,
            # above z
            z,  # beside z
            # below
        )
        """,
    ),
    "one name a line, last": (
        """
        from app.context import (
            a,  # beside a
            # below
        )
        """,
        """
        from app.context import (
            a,  # beside a
            get_exec,
            # below
        )
        """,
    ),
    "one name a line, no trailing comma": (
        """
        from app.context import (
            a  # beside a
        )
        """,
        """
        from app.context import (
            a,  # beside a
            get_exec
        )
        """,
    ),
    "one name a line, no line of its own for the bracket": (
        """
        from app.context import (a,
                                 z)
        """,
        """
        from app.context import (a,
                                 get_exec,
                                 z)
        """,
    ),
    "several names a line": (
        """
        from app.context import (
            a, b, c,
            x, y, z)
        """,
        """
        from app.context import (
            a, b, c,
            get_exec, x, y, z)
        """,
    ),
    "brackets on one line": (
        "from app.context import (a, z)\n",
        "from app.context import (a, get_exec, z)\n",
    ),
    "continued lines": (
        """
        from app.context import a, \\
            z
        """,
        """
        from app.context import a, \\
            get_exec, \\
            z
        """,
    ),
    "semicolons": (
        "import a; from app.context import b; import c\n",
        "import a; from app.context import b, get_exec; import c\n",
    ),
    "too long for the line": (
        """
        from app.context import get_a_name_of_some_length, get_another_name_as_long_as_i
        """,
        """
        from app.context import (
            get_a_name_of_some_length,
            get_another_name_as_long_as_i,
            get_exec,
        )
        """,
    ),
    "too long for the line, with a pragma": (
        "from app.context import get_a_name_of_some_length"
        ", get_another_name_as_long_as_i"
        "  # noqa: F401\n",
        """
        from app.context import (  # noqa: F401
            get_a_name_of_some_length,
            get_another_name_as_long_as_i,
            get_exec,
        )
        """,
    ),
    "the one without a pragma": (
        """
        from app.context import a  # noqa: F401
        from app.context import b
        """,
        """
        from app.context import a  # noqa: F401
        from app.context import b, get_exec
        """,
    ),
    "beside a star": (
        """
        from app.context import *
        from app.context import b
        """,
        """
        from app.context import *
        from app.context import b, get_exec
        """,
    ),
    "below code that cannot read the name": (
        """
        import logging
        import sys

        sys.path.insert(0, "lib")
        logger = logging.getLogger(__name__)


        def helper(x=1):
            return x


        from app.context import b
        """,
        """
        import logging
        import sys

        sys.path.insert(0, "lib")
        logger = logging.getLogger(__name__)


        def helper(x=1):
            return x


        from app.context import b, get_exec
        """,
    ),
    "below a class and a lambda that nothing calls": (
        """
        class A:
            x = 1
        f = lambda: 1
        from app.context import b
        """,
        """
        class A:
            x = 1
        f = lambda: 1
        from app.context import b, get_exec
        """,
    ),
    "already there": (
        "from app.context import get_exec\n",
        "from app.context import get_exec\n",
    ),
    "already there, as itself": (
        "from ..context import get_exec as get_exec\n",
        "from ..context import get_exec as get_exec\n",
    ),
    "already there, on a line isort skips": (
        "from app.context import get_exec  # isort: skip\n",
        "from app.context import get_exec  # isort: skip\n",
    ),
    "there under another name": (
        "from app.context import get_exec as g\n",
        "from app.context import get_exec as g, get_exec\n",
    ),
    "the one of plain names": (
        """
        from app.a import b, c as d
        from app.context import a as b
        from app.context import c
        """,
        """
        from app.a import b, c as d
        from app.context import a as b
        from app.context import c, get_exec
        """,
    ),
    "a name on its own line, then several": (
        """
        from app.context import (
            a,
            b, x, z)
        """,
        """
        from app.context import (
            a,
            b, get_exec, x, z)
        """,
    ),
    "too long for the line, after a backslash": (
        "from app.context import \\\n    get_a_name_of_some_length,"
        " get_another_name_as_long_as_it, get_a_third_name_too\n",
        """
        from app.context import (
            get_a_name_of_some_length,
            get_another_name_as_long_as_it,
            get_a_third_name_too,
            get_exec,
        )
        """,
    ),
    "too long for the line, with comments in the brackets": (
        """
        from app.context import (  # the context
            get_a_name_of_some_length, get_another_name_as_long_as_it,  # both
            # above
            get_a_third_that_is_even_longer, get_a_fourth_that_is_longer, a_fifth  # all
            # below
        )
        """,
        """
        from app.context import (  # the context
            get_a_name_of_some_length,
            get_another_name_as_long_as_it,  # both
            # above
            get_a_third_that_is_even_longer,
            get_a_fourth_that_is_longer,
            a_fifth,
            get_exec,  # all
            # below
        )
        """,
    ),
    "too long for the line, with a pragma beside brackets": (
        "from app.context import (get_a_name_of_some_length,"
        " get_another_name_as_long_as_i)  # noqa: F401\n",
        """
        from app.context import (  # noqa: F401
            get_a_name_of_some_length,
            get_another_name_as_long_as_i,
            get_exec,
        )
        """,
    ),
    "too long for the line, with a comment at either bracket": (
        "from app.context import (  # why\n    get_a_name_of_some_length,"
        " get_another_name_as_long_as_i, get_a_third_name)  # noqa: F401\n",
        """
        from app.context import (  # why
            get_a_name_of_some_length,
            get_another_name_as_long_as_i,
            get_a_third_name,
            get_exec,
        )  # noqa: F401
        """,
    ),
    "too long for the line, beside another statement": (
        "from app.context import get_a_name_of_some_length, get_another_one"
        "; from m import a  # why\n",
        """
        from app.context import (
            get_a_name_of_some_length,
            get_another_one,
            get_exec,
        ); from m import a  # why
        """,
    ),
}

NEW_LINE = {
    "empty file": ("", "from app.context import get_exec\n"),
    "only a comment": (
        "# Copyright\n",
        "# Copyright\n\nfrom app.context import get_exec\n",
    ),
    "only a comment, no newline": (
        "# Copyright",
        "# Copyright\n\nfrom app.context import get_exec",
    ),
    "shebang and cookie": (
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nx = 1\n",
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\n"
        "from app.context import get_exec\n\nx = 1\n",
    ),
    "only a docstring": (
        '"""Doc."""\n',
        '"""Doc."""\n\nfrom app.context import get_exec\n',
    ),
    "only a docstring, no newline": (
        '"""Doc."""',
        '"""Doc."""\n\nfrom app.context import get_exec',
    ),
    "docstring and code": (
        '"""Doc."""\nx = 1\n',
        '"""Doc."""\n\nfrom app.context import get_exec\n\nx = 1\n',
    ),
    "docstring and class": (
        '"""Doc."""\n\nclass A: pass\n',
        '"""Doc."""\n\nfrom app.context import get_exec\n\n\nclass A: pass\n',
    ),
    "licence, then a comment about the code": (
        "# Copyright\n\n# About x.\nx = 1\n",
        "# Copyright\n\nfrom app.context import get_exec\n\n# About x.\nx = 1\n",
    ),
    "a heading above a class": (
        """
        import os

        # ---- data ----


        class A: pass
        """,
        """
        import os

        from app.context import get_exec

        # ---- data ----


        class A: pass
        """,
    ),
    "a comment about a function": (
        """
        import os

        # About f.
        def f(): pass
        """,
        """
        import os

        from app.context import get_exec


        # About f.
        def f(): pass
        """,
    ),
    "after __future__": (
        """
        from __future__ import annotations
        x = 1
        """,
        """
        from __future__ import annotations

        from app.context import get_exec

        x = 1
        """,
    ),
    "among sections": (
        """
        from __future__ import annotations

        import os
        import sys

        import torch

        from app.a import b
        from app.zoo import c

        from .near import d

        x = 1
        """,
        """
        from __future__ import annotations

        import os
        import sys

        import torch

        from app.a import b
        from app.context import get_exec
        from app.zoo import c

        from .near import d

        x = 1
        """,
    ),
    "a section of its own": (
        """
        import os

        from .near import d
        """,
        """
        import os

        from app.context import get_exec

        from .near import d
        """,
    ),
    "sections that are not parted": (
        """
        import os
        import torch
        x = 1
        """,
        """
        import os
        import torch
        from app.context import get_exec

        x = 1
        """,
    ),
    "first of its section": (
        """
        import os

        from app.zoo import c
        """,
        """
        import os

        from app.context import get_exec
        from app.zoo import c
        """,
    ),
    "kinds of imports mixed by module": (
        """
        import app.a
        from app.b import b
        import app.d
        """,
        """
        import app.a
        from app.b import b
        from app.context import get_exec
        import app.d
        """,
    ),
    "the whole module is imported": (
        "import app.context\n",
        "import app.context\nfrom app.context import get_exec\n",
    ),
    "not into TYPE_CHECKING": (
        """
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from app.context import Context
        """,
        """
        from typing import TYPE_CHECKING

        from app.context import get_exec

        if TYPE_CHECKING:
            from app.context import Context
        """,
    ),
    "not into try": (
        """
        import os

        try:
            from app.context import a
        except ImportError:
            a = None
        """,
        """
        import os

        from app.context import get_exec

        try:
            from app.context import a
        except ImportError:
            a = None
        """,
    ),
    "not below a call of the module's own": (
        """
        import os


        def setup(): pass


        setup()
        from app.context import a
        """,
        """
        import os

        from app.context import get_exec


        def setup(): pass


        setup()
        from app.context import a
        """,
    ),
    "not below a decorated function": (
        """
        import plugins

        @plugins.register
        def setup(): pass

        from app.context import a
        """,
        """
        import plugins

        from app.context import get_exec


        @plugins.register
        def setup(): pass

        from app.context import a
        """,
    ),
    "not below a class with a base": (
        """
        from base import Base

        class A(Base): pass

        from app.context import a
        """,
        """
        from base import Base

        from app.context import get_exec


        class A(Base): pass

        from app.context import a
        """,
    ),
    "not where isort is off": (
        """
        import os

        # isort: off
        import z
        from app.context import a
        """,
        """
        import os

        from app.context import get_exec

        # isort: off
        import z
        from app.context import a
        """,
    ),
    "a licence in two parts, then a comment about the code": (
        "# Copyright\n\n# More\n\n\n# About x.\n# And more.\nx = 1\n",
        "# Copyright\n\n# More\n\n\nfrom app.context import get_exec\n\n"
        "# About x.\n# And more.\nx = 1\n",
    ),
    "many blank lines below the head": (
        "# Copyright\n\n\n\nx = 1\n",
        "# Copyright\n\n\n\nfrom app.context import get_exec\n\nx = 1\n",
    ),
    "many blank lines and no code": (
        "# Copyright\n\n\n\n",
        "# Copyright\n\n\n\nfrom app.context import get_exec\n",
    ),
    "a blank line, then a comment about the code": (
        "\n# About x.\nx = 1\n",
        "\n# About x.\n\nfrom app.context import get_exec\n\nx = 1\n",
    ),
    "above the first import": (
        "# Copyright\nfrom app.zoo import c\n",
        "# Copyright\nfrom app.context import get_exec\nfrom app.zoo import c\n",
    ),
    "above the first import and the comment about it": (
        "# Copyright\n\n\n# About c.\nfrom app.zoo import c\n",
        "# Copyright\n\n\nfrom app.context import get_exec\n"
        "# About c.\nfrom app.zoo import c\n",
    ),
    "beside nothing but a star": (
        "from app.context import *\n",
        "from app.context import *\nfrom app.context import get_exec\n",
    ),
    "a star among others that rename": (
        """
        from app.a import *
        from app.context import a as b
        from app.zoo import c as d
        from app.zoo import e
        """,
        """
        from app.a import *
        from app.context import a as b
        from app.context import get_exec
        from app.zoo import c as d
        from app.zoo import e
        """,
    ),
    "plain imports come first": (
        "import app.a\nimport app.z\n",
        "import app.a\nimport app.z\nfrom app.context import get_exec\n",
    ),
    "a plain import comes first": (
        "import app.z\n",
        "import app.z\nfrom app.context import get_exec\n",
    ),
    "two imports on a line count as the first": (
        "import app.z; import zlib\n",
        "import app.z; import zlib\nfrom app.context import get_exec\n",
    ),
    "two modules in an import count as the first": (
        "import app.z, zlib\n",
        "import app.z, zlib\nfrom app.context import get_exec\n",
    ),
    "a section parted by two blank lines": (
        "import os\n\n\nfrom app.zoo import c\n",
        "import os\n\n\nfrom app.context import get_exec\nfrom app.zoo import c\n",
    ),
    "the end of a section that two blank lines part from the next": (
        "import os\nimport app.a\n\n\nfrom . import d\n",
        "import os\nimport app.a\nfrom app.context import get_exec\n\n\n"
        "from . import d\n",
    ),
    "between sections that two blank lines part": (
        "import os\n\n\nfrom . import d\n",
        "import os\n\n\nfrom app.context import get_exec\n\n\nfrom . import d\n",
    ),
    "between sections that many blank lines part": (
        "import os\n\n\n\n\nfrom . import d\n",
        "import os\n\n\nfrom app.context import get_exec\n\n\n\n\nfrom . import d\n",
    ),
    "between code and a later section": (
        "import sys\nsys.path.insert(0, 'lib')\nfrom . import near\n",
        "import sys\n\nfrom app.context import get_exec\n\n"
        "sys.path.insert(0, 'lib')\nfrom . import near\n",
    ),
    "below code, above a later section": (
        "path = 'lib'\nfrom . import near\n",
        "path = 'lib'\nfrom app.context import get_exec\n\nfrom . import near\n",
    ),
    "isort is told to leave a __future__ import": (
        """
        from __future__ import annotations
        from __future__ import division  # isort: skip
        x = 1
        """,
        """
        from __future__ import annotations
        from __future__ import division  # isort: skip

        from app.context import get_exec

        x = 1
        """,
    ),
    "isort is off and on again": (
        """
        # isort: off
        import z
        path = 1
        # isort: on
        from app.zoo import a
        """,
        """
        # isort: off
        import z
        path = 1
        from app.context import get_exec
        # isort: on
        from app.zoo import a
        """,
    ),
    "isort is off above all code": (
        """
        # isort: off
        import z
        path = 1
        # isort: on
        mode = 2
        """,
        """
        # isort: off
        import z
        path = 1

        from app.context import get_exec

        # isort: on
        mode = 2
        """,
    ),
    "not to a line isort skips": (
        "from app.context import a  # isort: skip\n",
        "from app.context import a  # isort: skip\nfrom app.context import get_exec\n",
    ),
}


def _text(text: str) -> str:
    return dedent(text).removeprefix("\n")


# Statements that may run code of the module, which may read the new name.
RUNNING = [
    "def f(x=g()): pass",
    "def f(x: g()): pass",
    "def f() -> g(): pass",
    "@g\nclass A: pass",
    "class A(metaclass=g): pass",
    "class A:\n    def f(x=g()): pass",
    "f = lambda: 1\nf()",
    "g(lambda: 1)",
    "f = [lambda: 1]",
]


@pytest.mark.parametrize("statement", RUNNING)
def test_not_joined_below_what_may_read_the_name(statement: str) -> None:
    before = f"import os\n\n{statement}\nfrom app.context import a\n"
    after = rewritten(before, Import("get_exec"))
    assert after.startswith("import os\n\nfrom app.context import get_exec\n\n")
    assert after.endswith(f"\n{statement}\nfrom app.context import a\n")


@pytest.mark.parametrize("name", JOINED)
def test_joined(name: str) -> None:
    before, after = map(_text, JOINED[name])
    assert rewritten(before, Import("get_exec")) == after


@pytest.mark.parametrize("name", NEW_LINE)
def test_a_line_of_its_own(name: str) -> None:
    before, after = map(_text, NEW_LINE[name])
    assert rewritten(before, Import("get_exec")) == after


@pytest.mark.parametrize("name", [*JOINED, *NEW_LINE])
def test_a_second_time_changes_nothing(name: str) -> None:
    before, _ = map(_text, (JOINED | NEW_LINE)[name])
    once = rewritten(before, Import("get_exec"))
    assert rewritten(once, Import("get_exec")) == once


ORDER = [
    ("MAX, NS, Config, T, run", "Zoo", "MAX, NS, Config, T, Zoo, run"),
    ("MAX, NS, Config, T, run", "AB", "AB, MAX, NS, Config, T, run"),
    ("MAX, Config, run", "S", "MAX, Config, S, run"),
    ("MAX, Config, run", "Id", "MAX, Config, Id, run"),
    ("MAX, Config, run", "_run", "MAX, Config, _run, run"),
    ("MAX, Config, run", "is_on", "MAX, Config, is_on, run"),
    ("x2, x10", "x9", "x2, x9, x10"),
    ("x10, x2", "x11", "x10, x11, x2"),
    ("a2b, a10, b", "a2", "a2, a2b, a10, b"),
    ("a2b, a10, b", "a2b3", "a2b, a2b3, a10, b"),
    ("a as x, a as y, c", "b", "a as x, a as y, b, c"),
    ("c, a, b", "aa", "c, a, b, aa"),
]


@pytest.mark.parametrize(("there", "new", "after"), ORDER)
def test_the_order_of_names_is_kept(there: str, new: str, after: str) -> None:
    result = rewritten(f"from app.context import {there}\n", Import(new))
    assert result == f"from app.context import {after}\n"


SEVERAL: dict[str, tuple[str, list[Wish], str]] = {
    "names of one module": (
        "import os\n",
        [Import("get_exec"), Import("Context"), Import("get_exec")],
        "import os\n\nfrom app.context import Context, get_exec\n",
    ),
    "two modules in one place": (
        "import os\n",
        [Import("z", module="app.z"), Import("a", module="app.a")],
        "import os\n\nfrom app.a import a\nfrom app.z import z\n",
    ),
    "two modules in two places": (
        "from app.m import m\n\nx = 1\n",
        [Import("z", module="app.z"), Import("a", module="app.a")],
        "from app.a import a\nfrom app.m import m\nfrom app.z import z\n\nx = 1\n",
    ),
    "another name": (
        "from app.context import get_args\n",
        [Import("get_device", asname="get_device_namespace")],
        "from app.context import get_args, get_device as get_device_namespace\n",
    ),
    "another name where the file keeps those apart": (
        """
        from app.a import b as c
        from app.a import d
        from app.context import get_args
        """,
        [Import("get_device", asname="get_device_ns"), Import("get_exec")],
        """
        from app.a import b as c
        from app.a import d
        from app.context import get_device as get_device_ns
        from app.context import get_args, get_exec
        """,
    ),
    "another name where the file keeps those apart, after such a one": (
        """
        from app.a import b as c
        from app.a import d
        from app.context import get_args as a
        """,
        [Import("get_device", asname="get_device_ns")],
        """
        from app.a import b as c
        from app.a import d
        from app.context import get_args as a
        from app.context import get_device as get_device_ns
        """,
    ),
    "another name where a line mixes them": (
        """
        from app.a import b as c
        from app.a import d
        from app.context import get_args
        from app.m import e, f as g
        """,
        [Import("get_device", asname="get_device_ns")],
        """
        from app.a import b as c
        from app.a import d
        from app.context import get_args, get_device as get_device_ns
        from app.m import e, f as g
        """,
    ),
    "the line of other names that are renamed": (
        """
        from app.a import b, c as d
        from app.context import a
        from app.context import b as c
        """,
        [Import("get_device", asname="get_device_ns")],
        """
        from app.a import b, c as d
        from app.context import a
        from app.context import b as c, get_device as get_device_ns
        """,
    ),
    "another name of a module that is imported whole": (
        """
        import app.a
        from app.b import b
        import app.context
        import app.d
        """,
        [Import("get_device", asname="get_device_ns")],
        """
        import app.a
        from app.b import b
        import app.context
        from app.context import get_device as get_device_ns
        import app.d
        """,
    ),
    "two lines where the file keeps those apart": (
        "from app.a import b as c\nfrom app.a import d\n",
        [Import("get_exec"), Import("get_device", asname="get_device_ns")],
        """
        from app.a import b as c
        from app.a import d
        from app.context import get_device as get_device_ns
        from app.context import get_exec
        """,
    ),
    "longer than a line": (
        "",
        [Import(f"get_namespace_number_{n}") for n in ("2", "1", "10", "3", "1")],
        """
        from app.context import (
            get_namespace_number_1,
            get_namespace_number_2,
            get_namespace_number_3,
            get_namespace_number_10,
        )
        """,
    ),
    "constants and classes first": (
        "",
        [Import("get_exec"), Import("Zoo"), Import("MAX"), Import("Area")],
        "from app.context import MAX, Area, Zoo, get_exec\n",
    ),
    "of the standard library": (
        "import os\n\nimport numpy\n",
        [Import("Counter", module="collections")],
        "import os\nfrom collections import Counter\n\nimport numpy\n",
    ),
    "of another project, after one": (
        "import numpy\n\nfrom .near import d\n",
        [Import("f", module="torch.x")],
        "import numpy\nfrom torch.x import f\n\nfrom .near import d\n",
    ),
    "of another project, before one": (
        "from zoo import a\n",
        [Import("f", module="torch.x")],
        "from torch.x import f\nfrom zoo import a\n",
    ),
    "of another project, beside its own": (
        "from torch import a\nimport numpy\n",
        [Import("f", module="torch.x")],
        "from torch import a\nfrom torch.x import f\nimport numpy\n",
    ),
    "of another project, another section mixes its kinds": (
        "from os import path\nimport sys\n\nimport numpy\nfrom zoo import a\n",
        [Import("f", module="torch.x")],
        "from os import path\nimport sys\n\nimport numpy\nfrom torch.x import f\n"
        "from zoo import a\n",
    ),
    "of another project, between parts of its section": (
        "from sea import a\n\nfrom zoo import b\n",
        [Import("f", module="torch.x")],
        "from sea import a\nfrom torch.x import f\n\nfrom zoo import b\n",
    ),
    "of another project, the section not parted": (
        "import os\nfrom app.a import b\nx = 1\n",
        [Import("f", module="torch.x")],
        "import os\nfrom torch.x import f\nfrom app.a import b\nx = 1\n",
    ),
    "tests of the package, with a section for it": (
        "import numpy\n\nfrom app.zoo import c\n",
        [Import("get_exec")],
        "import numpy\n\nfrom app.context import get_exec\nfrom app.zoo import c\n",
    ),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several(name: str) -> None:
    before, wishes, after = SEVERAL[name]
    module = "tests.test_app" if name.startswith("tests") else "app.sub.worker"
    assert rewritten(_text(before), *wishes, module=module) == _text(after)


@pytest.mark.parametrize(
    ("before", "module", "is_package", "after"),
    [
        (
            "from .context import a\n",
            "app.worker",
            False,
            "from .context import a, b\n",
        ),
        ("from .context import a\n", "app", True, "from .context import a, b\n"),
        ("from . import a\n", "app.context", True, "from . import a, b\n"),
        ("from ..context import a\n", "app.x.y", False, "from ..context import a, b\n"),
        (
            "from ...context import a\n",
            "app.x.y",
            False,
            "from app.context import b\n\nfrom ...context import a\n",
        ),
        (
            "from .context import a\n",
            "app",
            False,
            "from app.context import b\n\nfrom .context import a\n",
        ),
    ],
)
def test_relative_spellings(
    before: str, module: str, is_package: bool, after: str
) -> None:
    result = rewritten(before, Import("b"), module=module, is_package=is_package)
    assert result == after


def test_a_read_that_runs_at_import_has_its_name_before() -> None:
    before = "import os\nx = sa.y\nfrom app.context import a\n"
    after = rewritten(before, Read("sa.y"), Import("get_exec"))
    assert after == (
        "import os\n\nfrom app.context import get_exec\n\n"
        "x = get_exec().kernel.y\nfrom app.context import a\n"
    )


@pytest.mark.parametrize("indent", ["", "    ", "\t"])
@pytest.mark.parametrize("there", ["", "zoo"])
@pytest.mark.parametrize("spare", [1, 0, -1])
def test_a_line_may_be_as_long_as_the_limit(
    indent: str, there: str, spare: int
) -> None:
    """A tab is as wide as four spaces."""
    head = "def f():\n" if indent else ""
    line = f"{indent}from app.context import {there}\n" if there else f"{indent}x = 1\n"
    names = "get_exec, zoo" if there else "get_exec"
    new = f"{indent}from app.context import {names}"
    style = Style(len(new.replace("\t", "    ")) + spare)
    wish = Import("get_exec", function="f" if indent else None)
    after = rewritten(head + line, wish, style=style)
    assert (f"{new}\n" in after) is (spare >= 0)
    assert ("(\n" in after) is (spare < 0)


def test_what_is_in_brackets_is_as_deep_as_its_block() -> None:
    line = "        aaaaaaaaaaaa, bbbbbbbbbbbbb, zoo)\n"
    before = f"def f():\n    from app.context import (\n{line}"
    wish = Import("get_exec", function="f")
    fits = line.replace("zoo", "get_exec, zoo")
    after = rewritten(before, wish, style=Style(len(fits) - 1))
    assert after == before.replace(line, fits)
    after = rewritten(before, wish, style=Style(len(fits) - 2))
    assert "\n        get_exec,\n        zoo,\n    )\n" in after


def test_the_line_length_of_the_project_counts() -> None:
    before = "from app.context import get_args, get_device\n"
    assert rewritten(before, Import("get_exec"), style=Style(50)) == (
        "from app.context import (\n    get_args,\n    get_device,\n    get_exec,\n)\n"
    )
    assert "(" not in rewritten(before, Import("get_exec"), style=Style(54))


IN_FUNCTION = {
    "first statement": (
        """
        def f():
            # About x.
            x = 1
        """,
        """
        def f():
            from app.context import get_exec

            # About x.
            x = 1
        """,
    ),
    "after the docstring": (
        '''
        class A:
        \tdef f(self):
        \t\t"""Doc."""

        \t\treturn 1  # one
        ''',
        '''
        class A:
        \tdef f(self):
        \t\t"""Doc."""

        \t\tfrom app.context import get_exec

        \t\treturn 1  # one
        ''',
    ),
    "only a docstring": (
        '''
        def f():
            """Doc."""
        ''',
        '''
        def f():
            """Doc."""
            from app.context import get_exec
        ''',
    ),
    "one line": (
        """
        def f(): return 1  # one
        """,
        """
        def f():
            from app.context import get_exec

            return 1  # one
        """,
    ),
    "one line with semicolons": (
        """
        class A:
            async def f(self): a = 1; return a
        """,
        """
        class A:
            async def f(self):
                from app.context import get_exec

                a = 1; return a
        """,
    ),
    "joined": (
        """
        def f():
            import os
            from ..context import get_args

            return 1
        """,
        """
        def f():
            import os
            from ..context import get_args, get_exec

            return 1
        """,
    ),
    "joined, one name a line": (
        """
        def f():
            from app.context import (
                a,  # beside a
                z,
            )
        """,
        """
        def f():
            from app.context import (
                a,  # beside a
                get_exec,
                z,
            )
        """,
    ),
    "among other imports": (
        """
        def f():
            from app.a import a
            from app.z import z

            return 1
        """,
        """
        def f():
            from app.a import a
            from app.context import get_exec
            from app.z import z

            return 1
        """,
    ),
    "one line, after its docstring": (
        """
        class A:
            def f(self): "doc"; return 1  # one
        """,
        """
        class A:
            def f(self):
                "doc"
                from app.context import get_exec

                return 1  # one
        """,
    ),
    "one line, a docstring alone": (
        """
        def f(): "doc"
        """,
        """
        def f():
            "doc"
            from app.context import get_exec
        """,
    ),
    "not joined to one below code": (
        """
        def f():
            x = 1
            from app.context import a
        """,
        """
        def f():
            from app.context import get_exec

            x = 1
            from app.context import a
        """,
    ),
}


@pytest.mark.parametrize("name", IN_FUNCTION)
def test_in_a_function(name: str) -> None:
    before, after = map(_text, IN_FUNCTION[name])
    assert rewritten(before, Import("get_exec", function="f")) == after


def test_a_docstring_of_one_line_is_still_one() -> None:
    after = rewritten('def f(): "doc"; return 1\n', Import("get_exec", function="f"))
    names: dict[str, object] = {}
    exec(after, names)
    assert names["f"].__doc__ == "doc"
