"""What a person sees: in a pipe, on terminals of several widths, in colour or not."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from codemod.cli.screen import cut, one_line, safe

from . import support
from .support import nsroute

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(
    folder: Path,
    columns: int,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    messages: bool = False,
) -> tuple[str, int]:
    """What the command writes to a terminal of that width, and its exit code.

    With ``messages`` what it says on stderr, too.
    """
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    running = subprocess.Popen(
        [sys.executable, "-m", "codemod.cli", *arguments],
        cwd=folder,
        env=support.environment({"TERM": "xterm-256color", **(env or {})}),
        stdin=child,
        stdout=child,
        stderr=child if messages else subprocess.DEVNULL,
    )
    os.close(child)
    chunks: list[bytes] = []

    def read() -> None:
        with contextlib.suppress(OSError):  # the other end is closed
            while chunk := os.read(parent, 65536):
                chunks.append(chunk)

    reader = threading.Thread(target=read)
    reader.start()
    code = running.wait(timeout=60)
    reader.join(timeout=10)
    os.close(parent)
    return b"".join(chunks).decode().replace("\r\n", "\n"), code


SCAN = """\
9 reads of the record in 3 of 7 files (shop): 5 convert, 4 stay.

| convert | stay | namespace  |
| ------: | ---: | ---------- |
|       2 |    1 | cache      |
|       3 |    1 | net.http   |
|       0 |    2 | (no route) |

| stay | reason      | why                                  |
| ---: | ----------- | ------------------------------------ |
|    1 | derived     | It is a derived member.              |
|    1 | import-time | It runs when the module is imported. |
|    1 | parameter   | It reads a parameter.                |
|    1 | unrouted    | The field has no namespace.          |

Uses of the record that are not reads: asdict 1.
"""

LISTED = """\
app/cache.py:5:12: get_config().size -> get_cache().size
app/cache.py:9:15: config.policy kept: parameter
app/cache.py:9:34: get_config().size -> get_cache().size
app/server.py:5:10: context.get_config().host kept: import-time
app/server.py:11:9: config.host -> get_net().http.host
app/server.py:14:9: config.port -> get_net().http.port
app/server.py:19:11: context.get_config().debug kept: unrouted
app/server.py:19:39: context.get_config().url kept: derived
tool/main.py:5:11: get_config().port -> get_net().http.port
app/server.py:20: asdict (a use, not a read)

"""

GROUPED = """\
app/cache.py
     5:12   get_config().size -> get_cache().size
     9:15   config.policy kept: parameter
     9:34   get_config().size -> get_cache().size

app/server.py
     5:10   context.get_config().host kept: import-time
    11:9    config.host -> get_net().http.host
    14:9    config.port -> get_net().http.port
    19:11   context.get_config().debug kept: unrouted
    19:39   context.get_config().url kept: derived
    20      asdict (a use, not a read)

tool/main.py
     5:11   get_config().port -> get_net().http.port

"""

ROUTES = """\
5 fields of the record (shop): 4 routed, 1 without a route.

| field  | namespace | accessor       |
| ------ | --------- | -------------- |
| policy | cache     | get_cache()    |
| size   | cache     | get_cache()    |
| host   | net.http  | get_net().http |
| port   | net.http  | get_net().http |

Without a route, so that reads stay: 1

    debug

Properties and methods, no fields: 1

    url
"""

CHECK = """\
app/server.py:11:9: reads: host belongs to net.http
   |
11 |         config
   |         ^^^^^^
12 |         # the public one
   |         ^^^^^^^^^^^^^^^^
13 |         .host,
   |         ^^^^^
  fix: get_net().http.host

app/server.py:14:9: reads: port belongs to net.http
   |
14 |         config.port,
   |         ^^^^^^^^^^^
  fix: get_net().http.port

2 findings in 1 file. `nsroute diff` shows the change, `nsroute apply` makes it.
"""

CONVERTS = """\
app/cache.py:9:34: converts
  |
9 |     return f"{config.policy} of {get_config().size}"
  |                                  ^^^^^^^^^^^^^^^^^

  in:       describe of app.cache
  form:     call: the getter is called and the field taken off its result
  record:   the result of app.context.get_config()
  field:    size is routed to cache (app/config.py:14)
  becomes:  get_cache().size
  import:   from app.context import get_cache
"""

STAYS = """\
app/server.py:5:10: stays (import-time)
  |
5 | BANNER = context.get_config().host
  |          ^^^^^^^^^^^^^^^^^^^^^^^^^

  in:       the top level of app.server
  form:     call: the getter is called and the field taken off its result
  record:   the result of app.context.get_config()
  field:    host is routed to net.http (app/config.py:16)
  why:      This runs when the module is imported and would freeze the value then.

  The read runs at import:"""

USE = """\
app/server.py:20: asdict (a use, not a read)
   |
20 |     return asdict(context.get_config())
   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

  All of the record's fields are copied here. No rewrite changes it.
"""

NOTHING = """\
app/server.py:1: no read of the record.
Those nearest in this file are on 5, 11, 14, 19, 20.
"""

TEXTS = [
    (["scan"], SCAN),
    (["scan", "--list"], LISTED + SCAN),
    (["scan", "--reason", "derived"], LISTED.splitlines(True)[7] + "\n" + SCAN),
    (["routes"], ROUTES),
    (["check", "app/server.py"], CHECK),
    (["explain", "app/cache.py:9:40"], CONVERTS),
    (["explain", "app/server.py:20"], USE),
    (["explain", "app/server.py:1"], NOTHING),
]


@pytest.mark.parametrize(("arguments", "text"), TEXTS, ids=lambda v: str(v)[:40])
def test_in_a_pipe(shop: Path, arguments: list[str], text: str) -> None:
    assert nsroute(shop, *arguments).stdout == text


def test_a_kept_read_is_explained_with_the_page_of_its_reason(shop: Path) -> None:
    text = nsroute(shop, "explain", "app/server.py:5").stdout
    assert text.startswith(STAYS)
    assert "LIMIT = get_config().pool_size  # <- import-time" in text


@pytest.mark.parametrize("columns", [80, 200])
def test_on_a_terminal_reads_are_grouped_by_file(shop: Path, columns: int) -> None:
    text, code = on_terminal(shop, columns, "scan", "--list")
    assert code == 0
    assert ESCAPE.sub("", text) == GROUPED + SCAN
    assert "\x1b[32mget_cache().size\x1b[0m" in text


USES = {
    "app/uses.py": """\
import copy

from app.context import get_config


def uses(name):
    use(getattr(get_config(), name))
    setattr(get_config(), name, 1)
    use(vars(get_config()))
    use(copy.copy(get_config()))
    use(isinstance(get_config(), dict))
    use(get_config())
    use(get_config)
"""
}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (7, "Which field is read here is known only when it runs."),
        (8, "A field is written here by a name."),
        (9, "All of the record's attributes are taken here at once."),
        (10, "A copy of the record is made here, which is another object."),
        (11, "The record is asked here for its class."),
        (12, "The record is used as a whole here."),
        (13, "What returns the record is handed on here, and called elsewhere."),
    ],
)
def test_a_use_is_explained_by_its_kind(shop: Path, line: int, sentence: str) -> None:
    support.write(shop, USES)
    text = nsroute(shop, "explain", f"app/uses.py:{line}").stdout
    assert sentence in " ".join(text.split())
    assert "(a use, not a read)" in text


def test_stubs_that_are_left_out_are_called_so(shop: Path) -> None:
    support.write(shop, {"app/a.pyi": "", "app/b.pyi": ""})
    assert "\nLeft out: 2 stub files.\n" in nsroute(shop, "scan").stdout


WRITERS = {
    "nsroute.toml": support.FILES["nsroute.toml"]
    + '[writers]\noverride = { call = "app.context:get_context" }\n',
    "app/grow.py": """\
from app.context import get_config


def grow(name):
    setattr(get_config(), name, 1)
    setattr(get_config(), name, 1)
    return get_config().size, get_config().port
""",
}


def test_what_every_commit_finds_is_said_once(shop: Path) -> None:
    """Both lines, though the step of the second namespace finds them again."""
    support.write(shop, WRITERS)
    done = nsroute(shop, "diff")
    assert done.stdout.count("\n# reads/") + done.stdout.startswith("# reads/") == 2
    said = [line for line in done.stderr.splitlines() if "by its name" in line]
    assert [line.split(":")[2] for line in said] == ["5", "6"]


def test_names_in_a_pipe_fit_a_narrow_window(shop: Path) -> None:
    fields = "".join(f"    a_field_of_number_{n}: int = 0\n" for n in range(40))
    config = support.FILES["app/config.py"].replace("    debug:", f"{fields}    debug:")
    support.write(shop, {"app/config.py": config})
    text = nsroute(shop, "routes").stdout
    assert "a_field_of_number_39" in text
    assert max(map(len, text.splitlines())) <= 80


LONG = {
    "app/a_rather_long_folder/with_another_one_in_it/and_a_module_of_a_long_name.py": (
        "from app.context import get_config\n\n\ndef long():\n"
        "    return ("
        + " + ".join(["get_config().size"] * 9)
        + " + getattr(get_config(), 'size', "
        + repr("a default " * 9)
        + ")"
        + ")\n"
    )
}


@pytest.mark.parametrize("columns", [60, 80, 200])
@pytest.mark.parametrize(
    "arguments",
    [
        ["scan", "--list"],
        ["check"],
        ["explain", f"{next(iter(LONG))}:5:150"],
        ["scan", "--rules", "none"],
        ["routes"],
    ],
    ids=lambda a: a[0],
)
def test_nothing_is_wider_than_the_window(
    shop: Path, columns: int, arguments: list[str]
) -> None:
    support.write(shop, LONG)
    text, _ = on_terminal(shop, columns, *arguments, "--quiet", messages=True)
    lines = ESCAPE.sub("", text).splitlines()
    # A place stays in one piece, so that it can be opened with a click.
    place = re.compile(r"[\w/.]+:\d+:\d+:")
    wide = [line for line in lines if len(line) > columns and not place.match(line)]
    assert wide == []


@pytest.mark.parametrize(
    ("arguments", "env", "colored"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"NO_COLOR": ""}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
    ],
)
def test_colour_in_a_pipe(
    shop: Path, arguments: list[str], env: dict[str, str], colored: bool
) -> None:
    for command in (["scan", "--list"], ["diff"], ["check"], ["routes"]):
        done = nsroute(shop, *command, *arguments, env=env)
        assert ("\x1b[" in done.stdout) is colored, command
    failed = nsroute(shop, "scan", "none.py", *arguments, env=env)
    assert ("\x1b[" in failed.stderr) is colored


@pytest.mark.parametrize(
    ("env", "colored"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colour_on_a_terminal(shop: Path, env: dict[str, str], colored: bool) -> None:
    text, _ = on_terminal(shop, 80, "diff", env=env)
    assert ("\x1b[31m-    return get_config().size - used" in text) is colored
    assert ("\x1b" in text) is colored


def test_source_cannot_send_anything_to_the_terminal(repository: Path) -> None:
    evil = (
        "from app.context import get_config\n\n\ndef f():\n"
        '    return get_config().size, "\x1b]0;title\x07\x9b31m\u202e"\n'
    )
    support.write(repository, {"app/evil.py": evil})
    asked = ["app/evil.py", "--quiet"]
    for command in (["check"], ["scan"], ["diff"], ["explain", "app/evil.py:5"]):
        arguments = command if command[1:] else [*command, *asked]
        text, _ = on_terminal(repository, 80, *arguments)
        rest = ESCAPE.sub("", text)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", rest), command
        if command != ["scan"]:
            assert r"\x1b]0;title\x07\x9b31m\u202e" in rest
    # In a pipe the diff is what it is, for git to apply.
    piped = nsroute(repository, "diff", "app/evil.py").stdout
    assert "\x1b]0;title\x07\x9b31m\u202e" in piped


def test_a_piped_diff_is_exact_whatever_the_file(repository: Path) -> None:
    files = {
        "app/crlf.py": "from app.context import get_config\r\nx = 1\r\n"
        "def f():\r\n    return get_config().size\r\n",
        "app/latin.py": b"# coding: latin-1\nfrom app.context import get_config\n"
        b"def f():\n    return get_config().size, '\xe9'",
        "app/sp ace.py": "from app.context import get_config\n"
        "def f():\n    return get_config().size  # \u00e9\f\n",
    }
    support.write(repository, files)
    support.git(repository, "add", "--all")
    patch = repository.parent / "x.patch"
    with patch.open("wb") as out:
        subprocess.run(
            [sys.executable, "-m", "codemod.cli", "diff"],
            cwd=repository,
            env=support.environment({"PYTHONIOENCODING": "ascii"}),
            stdout=out,
            check=False,
        )
    support.git(repository, "apply", "--index", str(patch))
    assert nsroute(repository, "check").returncode == 0
    latin = (repository / "app/latin.py").read_bytes()
    assert latin.endswith(b"return get_cache().size, '\xe9'")
    assert (
        b"\r\n    return get_cache().size\r\n"
        in (repository / "app/crlf.py").read_bytes()
    )


def test_a_narrow_encoding_is_no_error(shop: Path) -> None:
    support.write(
        shop,
        {
            "app/cafe.py": "from app.context import get_config\n\n\ndef é():\n"
            "    return get_config().size, 'é'\n"
        },
    )
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = nsroute(shop, "check", "app/cafe.py", env=env)
    assert done.returncode == 1
    assert r"return get_config().size, '\xe9'" in done.stdout


def test_progress_is_for_a_terminal_and_goes_to_stderr(tmp_path: Path) -> None:
    body = support.FILES["app/cache.py"] + "X = [" + "1 + 2, " * 20000 + "]\n"
    many = {f"app/m{n}.py": body for n in range(40)}
    folder = support.write(tmp_path, {**support.FILES, **many})
    arguments = ["scan", "--no-cache", "--jobs", "1"]
    text, _ = on_terminal(folder, 80, *arguments, messages=True)
    assert re.search(r"reading .*\d+/47", text)
    quiet, _ = on_terminal(folder, 80, *arguments, "--quiet", messages=True)
    assert "reading" not in quiet
    piped = nsroute(folder, *arguments)
    assert piped.stderr == ""
    assert piped.stdout.startswith("129 reads")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a.b", "a.b"),
        ("a\n    .b", "a.b"),
        ("get(\n    1,\n    2,\n).b", "get( 1, 2, ).b"),
        ("a  # one\n    # two\n    .b", "a.b"),
        ('f("#\\n", # x\n  "#2").b', 'f("#\\n", "#2").b'),
        ('"""#\n""".b', '"""# """.b'),
        ("a\tb\x1b", "a b\\x1b"),
        ("(\n# broken", "( # broken"),
    ],
)
def test_an_expression_on_one_line(text: str, shown: str) -> None:
    assert one_line(text) == shown


def test_safe_and_cut() -> None:
    assert safe("tab\tnul\0 \u200b\ud800é") == "tab\tnul\\x00 \\u200b\\ud800é"
    assert [cut("abcdef", n) for n in (6, 5, 1, 0)] == ["abcdef", "abcd…", "…", "…"]
