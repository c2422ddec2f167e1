"""Probes by every spelling, patches by every spelling, and what stays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from transforms_support import Done, run, write

from codemod.packs import Step
from codemod.transforms import probes

(EXAMPLE,) = probes.EXAMPLES
PACK = EXAMPLE.pack
MACHINE = {
    path: text for path, text in EXAMPLE.before.items() if path.startswith("app/")
} | {
    "app/use.py": "",
    "tests/test_use.py": "",
    "app/hub.py": "from app.machine import is_fast as quick\n",
    "app/everything.py": "from app.machine import *\n",
}

FAST = "get_platform().is_fast"

SPELLINGS = {
    "from": ("from app.machine import is_fast\n", "is_fast()"),
    "from as": ("from app.machine import is_fast as fast\n", "fast()"),
    "module": ("import app.machine\n", "app.machine.is_fast()"),
    "module as": ("import app.machine as m\n", "m.is_fast()"),
    "from package": ("from app import machine\n", "machine.is_fast()"),
    "relative": ("from .machine import is_fast\n", "is_fast()"),
    "re-export": ("from app.everything import is_fast\n", "is_fast()"),
    "re-export as": ("from app.hub import quick\n", "quick()"),
    "module that re-exports": ("from app import hub\n", "hub.quick()"),
    "star": ("from app.machine import *\n", "is_fast()"),
    "alias at module level": (
        "from app.machine import is_fast\n\nfast = is_fast\n",
        "fast()",
    ),
}


@pytest.mark.parametrize(("imports", "call"), SPELLINGS.values(), ids=SPELLINGS)
def test_every_spelling(imports: str, call: str, tmp_path: Path) -> None:
    use = f"{imports}\n\ndef f():\n    return {call}\n"
    done = _run(tmp_path, use)
    assert not done.failed
    assert f"    return {FAST}\n" in done.after["app/use.py"]
    assert _value(tmp_path / "project", done, "use.f()") == "False"


def test_a_local_import_and_a_local_alias(tmp_path: Path) -> None:
    use = (
        "def f():\n    from app.machine import is_fast\n    fast = is_fast\n"
        "    return fast() or is_fast()\n"
    )
    done = _run(tmp_path, use)
    assert done.after["app/use.py"] == (
        "from app.machine import get_platform\n\n\ndef f():\n"
        f"    return {FAST} or {FAST}\n"
    )


KEPT = {
    "assignment": ("FAST = is_fast()\n", "import-time"),
    "boolean expression": ("FAST = not (is_fast() or None)\n", "import-time"),
    "in try": (
        "try:\n    FAST = is_fast()\nexcept OSError:\n    pass\n",
        "import-time",
    ),
    "in if": ("if is_fast():\n    import os\n", "import-time"),
    "default": ("def f(fast=is_fast()):\n    return fast\n", "import-time"),
    "decorator": ("@print(is_fast()) or id\ndef f(): ...\n", "import-time"),
    "class body": ("class C:\n    fast = is_fast()\n", "import-time"),
    "comprehension": ("ALL = [is_fast() for _ in 'ab']\n", "import-time"),
    "base class": ("class C((is_fast() and int) or str): ...\n", "import-time"),
    "not called": ("def f(): return [is_fast]\n", "not-called"),
    "handed over": ("def f(): return map(is_fast, ())\n", "not-called"),
    "arguments": ("def f(): return is_fast(*())\n", "arguments"),
    "ambiguous": (
        "def f(n):\n    fast = is_fast if n else id\n    return fast()\n",
        {"ambiguous", "not-called"},
    ),
    "suppressed": (
        "def f():\n    return is_fast()  # nsroute: keep[mine] why not\n",
        "suppressed",
    ),
    "name taken": (
        "def f(get_platform, get_platform_namespace): return is_fast()\n",
        "name-taken",
    ),
}


@pytest.mark.parametrize(("code", "reason"), KEPT.values(), ids=KEPT)
def test_keeps(code: str, reason: str | set[str], tmp_path: Path) -> None:
    done = _run(tmp_path, "from app.machine import is_fast\n\n\n" + code)
    assert set(done.kept) == ({reason} if isinstance(reason, str) else reason)
    assert done.after == {}


def test_values_and_code_that_runs_later(tmp_path: Path) -> None:
    use = (
        "from app.machine import count_lanes, is_fast\n\n"
        "LATER = lambda: count_lanes()\n\n\n"
        "def f():\n    class C:\n        lanes = count_lanes()\n\n"
        "    def g(n=is_fast()):\n        return n, f'{count_lanes()=}'\n\n"
        "    return C.lanes, g()\n"
    )
    done = _run(tmp_path, use)
    text = done.after["app/use.py"]
    assert "import get_platform\n" in text and "count_lanes," not in text
    value = "(4, (False, 'count_lanes()=4'))"
    assert _value(tmp_path / "project", done, "use.f()") == value
    assert done.kept == []


def test_modules_that_the_pack_keeps(tmp_path: Path) -> None:
    use = "from app.machine import is_fast\n\n\ndef f():\n    return is_fast()\n"
    keep = '\n[[probes.keep]]\nreason = "low"\nwhy = "It is."\nmodules = ["app.u*"]\n'
    test = (
        "from unittest.mock import patch\n\n\ndef test():\n"
        '    with patch("app.use.is_fast", return_value=True): ...\n'
    )
    done = _run(tmp_path, use, test, PACK + keep)
    assert (done.kept, done.findings, done.after) == (["low"], [], {})


# -- patches --------------------------------------------------------------------

USE = "from app.machine import is_fast\n\n\ndef f():\n    return is_fast()\n"
START = (
    "from unittest import mock\nfrom unittest.mock import patch\n\n"
    "from app import use\n\n\n"
)

PATCHES = {
    "with": (
        'def test():\n    with patch("app.use.is_fast", return_value=True):\n'
        "        assert use.f()\n    assert not use.f()\n",
        "def test():\n    with override_platform(is_fast=True):\n"
        "        assert use.f()\n    assert not use.f()\n",
    ),
    "with object": (
        'def test():\n    with patch.object(use, "is_fast", return_value=True):\n'
        "        assert use.f()\n",
        "def test():\n    with override_platform(is_fast=True):\n"
        "        assert use.f()\n",
    ),
    "with lambda": (
        "def test():\n"
        '    with mock.patch("app.use.is_fast", lambda: True), open(__file__):\n'
        "        assert use.f()\n",
        "def test():\n    with override_platform(is_fast=True), open(__file__):\n"
        "        assert use.f()\n",
    ),
    "with new": (
        "def test():\n"
        '    with mock.patch.object(use, "is_fast", new=lambda *_: True):\n'
        "        assert use.f()\n",
        "def test():\n    with override_platform(is_fast=True):\n"
        "        assert use.f()\n",
    ),
    "decorator": (
        '@patch("app.use.is_fast", return_value=True)\ndef test(is_fast):\n'
        "    assert use.f()\n",
        "@override_platform(is_fast=True)\ndef test():\n    assert use.f()\n",
    ),
    "decorator of a method, among others": (
        "import unittest\n\n\nclass T(unittest.TestCase):\n"
        '    @patch("os.getcwd", return_value="x")\n'
        '    @patch("app.use.is_fast", return_value=True)\n'
        '    @patch("os.getpid", return_value=1)\n'
        "    def test(self, pid, fast, cwd):\n"
        "        assert use.f() and pid() == 1 and cwd() == 'x'\n",
        "import unittest\n\n\nclass T(unittest.TestCase):\n"
        '    @patch("os.getcwd", return_value="x")\n'
        "    @override_platform(is_fast=True)\n"
        '    @patch("os.getpid", return_value=1)\n'
        "    def test(self, pid, cwd):\n"
        "        assert use.f() and pid() == 1 and cwd() == 'x'\n",
    ),
    "decorator with the new object": (
        '@patch("app.use.is_fast", lambda: True)\ndef test():\n    assert use.f()\n',
        "@override_platform(is_fast=True)\ndef test():\n    assert use.f()\n",
    ),
    "monkeypatch by object": (
        "def test(monkeypatch):\n    assert not use.f()\n"
        '    monkeypatch.setattr(use, "is_fast", lambda: True)\n    assert use.f()\n',
        "def test(monkeypatch):\n    assert not use.f()\n"
        "    with override_platform(is_fast=True):\n        assert use.f()\n",
    ),
    "monkeypatch by string": (
        "def test(monkeypatch):\n"
        '    monkeypatch.setattr("app.use.is_fast", lambda: True, raising=False)\n'
        "    assert use.f()\n    # The end.\n",
        "def test(monkeypatch):\n    with override_platform(is_fast=True):\n"
        "        assert use.f()\n    # The end.\n",
    ),
    "exit stack": (
        "from contextlib import ExitStack\n\n\ndef test():\n"
        "    with ExitStack() as stack:\n"
        '        stack.enter_context(patch("app.use.is_fast", return_value=True))\n'
        "        assert use.f()\n",
        "from contextlib import ExitStack\n\n\ndef test():\n"
        "    with ExitStack() as stack:\n"
        "        stack.enter_context(override_platform(is_fast=True))\n"
        "        assert use.f()\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), PATCHES.values(), ids=PATCHES)
def test_patches(before: str, after: str, tmp_path: Path) -> None:
    done = _run(tmp_path, USE, START + before)
    assert not done.failed and not done.findings
    assert done.after["tests/test_use.py"].endswith(after)
    assert "is_fast()" not in done.after["app/use.py"].replace(FAST, "")
    _pass_tests(tmp_path / "project", done)


def test_a_listed_patch_fails_aloud(tmp_path: Path) -> None:
    code = "def test():\n    with patch('app.use.is_fast', side_effect=[True]): ...\n"
    done = _run(tmp_path, USE, START + code)
    output = _tests(tmp_path / "project", done)
    assert "does not have the attribute 'is_fast'" in output


@pytest.mark.parametrize(
    "patch",
    [
        'patch(target="app.use.is_fast", return_value=True)',
        'patch.object(use, attribute="is_fast", return_value=True)',
        'patch.object(target=use, attribute="is_fast", new=lambda: True)',
    ],
)
def test_what_is_patched_given_by_keyword(patch: str, tmp_path: Path) -> None:
    code = f"def test():\n    with {patch}:\n        assert use.f()\n"
    done = _run(tmp_path, USE, START + code)
    assert "with override_platform(is_fast=True):" in done.after["tests/test_use.py"]
    _pass_tests(tmp_path / "project", done)


@pytest.mark.parametrize(
    "asking",
    [
        "from app import use\n\nprint(getattr(use, 'is_fast')())\n",
        "from app import use\n\n\ndef ask(m):\n    return m.is_fast()\n\n\nask(use)\n",
    ],
)
def test_an_import_that_something_asks_for_stays(asking: str, tmp_path: Path) -> None:
    files = {**MACHINE, "app/use.py": USE, "main.py": asking}
    done = run(tmp_path / "project", files, PACK, Step("p", ("probes",)))
    assert "import get_platform, is_fast" in done.after["app/use.py"]


def test_an_import_that_an_example_needs_stays(tmp_path: Path) -> None:
    use = USE + "\n\ndef k():\n    '''\n    >>> is_fast()\n    False\n    '''\n"
    done = _run(tmp_path, use)
    assert "import get_platform, is_fast" in done.after["app/use.py"]


def test_patches_of_other_things_are_nobodys_business(tmp_path: Path) -> None:
    code = (
        "def test(monkeypatch):\n    with patch('os.is_fast', create=True): ...\n"
        "    monkeypatch.setattr(use, 'other', 1, raising=False)\n"
    )
    done = _run(tmp_path, USE, START + code)
    assert done.findings == []


def test_a_patch_of_what_some_still_read_is_listed(tmp_path: Path) -> None:
    use = USE + "\n\ndef g():\n    return list(map(lambda p: p(), [is_fast]))\n"
    code = "def test():\n    with patch('app.use.is_fast', return_value=True): ...\n"
    done = _run(tmp_path, use, START + code)
    assert "others do not" in done.plan.findings[0].why


def _run(tmp_path: Path, use: str, test: str = "", pack: str = PACK) -> Done:
    files = {**MACHINE, "app/use.py": use, "tests/test_use.py": test}
    return run(tmp_path / "project", files, pack, Step("p", ("probes",)))


def _value(root: Path, done: Done, expression: str) -> str:
    write(root, done.after)
    code = f"from app import use; print({expression})"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def _tests(root: Path, done: Done) -> str:
    write(root, done.after)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    result = subprocess.run(
        command,
        cwd=root,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ".", "PATH": ""},
    )
    return result.stdout


def _pass_tests(root: Path, done: Done) -> None:
    output = _tests(root, done)
    assert "passed" in output and "failed" not in output, output
