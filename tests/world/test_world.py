"""A part of this Python's library; ``python -m tests.world`` takes all, and more."""

from __future__ import annotations

from pathlib import Path

from tests.world.checking import Figures, check_tree
from tests.world.trees import copied, own_library

#: Code that is there in every installation, then CPython's own tests of odd syntax,
#: encodings and scopes, where they are installed.
_LIBRARY = (
    "asyncio/*.py",
    "argparse.py",
    "site.py",
    "pdb.py",
    "shutil.py",
    "sysconfig*",
)
_TESTS = (
    "test/test_grammar.py",
    "test/test_patma.py",
    "test/test_fstring.py",
    "test/test_scope.py",
    "test/test_type_params.py",
    "test/test_syntax.py",
    "test/test_source_encoding.py",
    "test/test_named_expressions.py",
    "test/test_positional_only_arg.py",
    "test/**/bad*.py",
    "test/encoded_modules/*.py",
)
_OTHER = {
    "latin.py": b"# -*- coding: latin-1 -*-\nimport os\nname = '\xe9', os.path.sep\n",
    "bom.py": b"\xef\xbb\xbfimport os\n\n\ndef f():\n    return os.path.join('a')\n",
    "crlf.py": b"import os\r\n\r\n\r\ndef f():\r\n\treturn os.path.join('a')",
    "feed.py": b"import os\n\x0c\n\ndef f():\n    return os.path.join(\\\n'a')\n",
}


def test_this_library(tmp_path: Path) -> None:
    root = copied(own_library(), tmp_path, (*_LIBRARY, *_TESTS))
    for name, data in _OTHER.items():
        (root / name).write_bytes(data)
    figures = Figures()
    assert check_tree(root, figures) == []
    assert figures.files > 30
    assert figures.converted > 100
    assert figures.rewritten > 7
    after = (root / "crlf.py").read_bytes()
    assert b"os.path" not in after
    assert after.count(b"\n") == after.count(b"\r\n")
    assert b"os.path" not in (root / "bom.py").read_bytes()
