"""Text keeps every byte, and what Python refuses is a problem with its line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import codemod
from codemod.model import Problem
from codemod.project import Text, decode, encode, read_text

REPOSITORY = str(Path(codemod.__file__).parents[1])
BOM = b"\xef\xbb\xbf"

ROUND_TRIPS = {
    "empty": b"",
    "plain": b"x = 1\n",
    "no last newline": b"x = 1",
    "crlf": b"x = 1\r\ny = 2\r\n",
    "cr": b"x = 1\ry = 2\r",
    "mixed newlines": b"x = 1\r\ny = 2\nz = 3\r",
    "form feed and tabs": b"def f():\n\treturn 1\n\x0c\ndef g():\n\treturn 2\n",
    "vertical tab and separators in a string": 's = "\x0b\x1c\x85\u2028"\n'.encode(),
    "non-ascii": "s = 'é漢😀'\n".encode(),
    "bom": BOM + b"x = 1\n",
    "bom and cookie": BOM + b"# coding: utf-8\nx = 1\n",
    "bom only": BOM,
    "latin-1": b"# -*- coding: latin-1 -*-\ns = '\xe9'\n",
    "latin-1 on line 2": b"#!/bin/python\n# vim: set fileencoding=latin-1 :\n'\xe9'\n",
    "latin-1 after cr": b"#!/usr/bin/python\r# coding=latin-1\r'\xe9'\r",
    "latin-1 after a form feed": b"\x0c# coding=latin-1\n'\xe9'\n",
    "iso-8859-15": b"# coding: iso-8859-15\ns = '\xa4'\n",
    "cp1252": b"# coding: cp1252\ns = '\x93'\n",
    "koi8-r": b"# coding: koi8-r\ns = '\xc1'\n",
    "gb2312": b"# coding: gb2312\ns = '\xb0\xa1'\n",
    "shift_jis": b"# coding: shift_jis\ns = '\x82\xa0'\n",
    "utf-8 spelled otherwise": "# coding: UTF_8\ns = 'é'\n".encode(),
    "utf-8 with a suffix": "# coding: utf-8-unix\ns = 'é'\n".encode(),
    "utf8": "# coding: utf8\ns = 'é'\n".encode(),
    "cookie that is none on line 3": b"\n\n# coding: latin-1\nx = 1\n",
    "cookie that is none after code": b"x = 1\n# coding: latin-1\n",
}


@pytest.mark.parametrize("data", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_round_trip(data: bytes) -> None:
    text = decode(data, "m.py")
    assert isinstance(text, Text)
    assert encode(text.text, text) == data


@pytest.mark.parametrize("data", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_text_means_to_python_what_the_bytes_do(data: bytes) -> None:
    text = decode(data, "m.py")
    assert isinstance(text, Text)
    from_bytes = compile(data, "m", "exec", dont_inherit=True)
    from_text = compile(text.text, "m", "exec", dont_inherit=True)
    assert from_text.co_consts == from_bytes.co_consts


def test_text_and_bom_are_told_apart() -> None:
    assert decode(BOM + b"x\r\n", "m.py") == Text("x\r\n", "utf-8", bom=True)
    assert decode(b"# coding: latin-1\n\xe9", "m.py") == Text(
        "# coding: latin-1\né", "iso-8859-1"
    )


def test_encode_keeps_the_kind_of_another_text() -> None:
    like = Text("", "iso-8859-1", bom=False)
    assert encode("é\r\n", like) == b"\xe9\r\n"
    with pytest.raises(UnicodeEncodeError):
        encode("漢", like)


# What Python refuses: the bytes, the line, a word of the message.
REFUSED = {
    "not utf-8": (b"x = 1\ny = '\xff'\n", 2, "0xff"),
    "not utf-8 after cr": (b"x = 1\ry = 2\rz = '\xe9'", 3, "0xe9"),
    "not utf-8 behind a bom": (BOM + b"'\xff'", 1, "0xff"),
    "not the declared encoding": (b"# coding: ascii\n\n'\xe9'\n", 3, "ascii"),
    "unknown encoding": (b"# coding: klingon\nx = 1\n", 1, "klingon"),
    "unknown encoding on line 2": (b"#!x\n# coding: klingon\n", 2, "klingon"),
    "an encoding of bytes": (b"# coding: hex\nx = 1\n", 1, "hex"),
    "bom against cookie": (BOM + b"# coding: latin-1\nx = 1\n", 1, "byte order mark"),
    "nul": (b"x = 1\ny = '\0'\n", 2, "NUL"),
    "utf-16": ("x = 1\n".encode("utf-16"), 1, "0xff"),
}


@pytest.mark.parametrize(("data", "line", "word"), REFUSED.values(), ids=REFUSED)
def test_refused(data: bytes, line: int, word: str) -> None:
    problem = decode(data, "pkg/m.py")
    assert isinstance(problem, Problem)
    assert (problem.file, problem.line) == ("pkg/m.py", line)
    assert word in problem.message


@pytest.mark.parametrize("data", [case[0] for case in REFUSED.values()], ids=REFUSED)
def test_python_refuses_it_too(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_bytes(data)
    done = subprocess.run([sys.executable, path], capture_output=True, check=False)
    assert done.returncode != 0


def test_an_encoding_that_loses_its_shift_states_is_refused() -> None:
    """ISO-2022-JP: an escape to where one already is decodes to nothing."""
    data = b"# coding: iso-2022-jp\ns = '\x1b(B\x1b(B'\n"
    problem = decode(data, "m.py")
    assert isinstance(problem, Problem)
    assert "byte for byte" in problem.message


def test_reading(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1\r\n")
    (tmp_path / "d.py").mkdir()
    assert read_text(tmp_path, "a.py") == Text("x = 1\r\n")
    gone = read_text(tmp_path, "gone.py")
    assert isinstance(gone, Problem)
    assert "gone" in gone.message
    folder = read_text(tmp_path, "d.py")
    assert isinstance(folder, Problem)
    assert "directory" in folder.message


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    """A directory nobody may enter stands for it; root may enter any."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "m.py").write_text("x = 1\n")
    code = (
        "import os\n"
        "from pathlib import Path\n"
        "from codemod.project import read_text\n"
        "os.chmod('secret', 0)\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "print(read_text(Path('.'), 'secret/m.py').message)\n"
    )
    tmp_path.chmod(0o711)
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": REPOSITORY},
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        secret.chmod(0o755)
    assert "Permission denied" in done.stdout
