"""Writes flip with their reads, split in order, and stay with a reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from transforms_support import Done, run, write

from codemod.packs import Step
from codemod.transforms.samples import PACK, RECORD

HEAD = "from app.config import get_config\n\n\n"

FLIPPED = {
    "keyword source": (
        "    get_config().override(source='s', size=n)\n",
        "    get_context().override(source='s', size=n)\n",
    ),
    "a source with effects is evaluated once": (
        "    get_config().override(note('s'), size=n)\n",
        "    get_context().override(note('s'), size=n)\n",
    ),
    "an alias goes": (
        "    rec = get_config()\n    rec.override('s', size=rec.size + n)\n",
        "    get_context().override('s', size=get_pool().size + n)\n",
    ),
    "over lines, with comments": (
        "    get_config().override(  # why\n        's',\n        size=n,  # what\n"
        "    )\n",
        "    get_context().override(  # why\n        's',\n        size=n,  # what\n"
        "    )\n",
    ),
    "its value is used": (
        "    return get_config().override('s', size=n)\n",
        "    return get_context().override('s', size=n)\n",
    ),
    "in a lambda": (
        "    return (lambda: get_config().override('s', size=n))()\n",
        "    return (lambda: get_context().override('s', size=n))()\n",
    ),
    "a dict written out": (
        "    get_config().override('s', **({'size': n} if n else {}))\n",
        "    get_context().override('s', **({'size': n} if n else {}))\n",
    ),
    "an empty call has nothing to flip": ("    get_config().override('s')\n", None),
}


@pytest.mark.parametrize(("before", "after"), FLIPPED.values(), ids=FLIPPED)
def test_flips(before: str, after: str | None, tmp_path: Path) -> None:
    done = _run(tmp_path, before)
    assert not done.failed
    if after is None:
        assert done.after == {}
        return
    text = done.after["app/use.py"]
    assert text.partition("def f(n):\n")[2] == after
    assert "get_config" not in text


SPLIT = {
    "kept first": (
        "    get_config().override('s', other=n, size=2)\n",
        "    get_config().override('s', other=n)\n"
        "    get_context().override('s', size=2)\n",
    ),
    "flipped first": (
        "    get_config().override('s', size=n, other=2)\n",
        "    get_context().override('s', size=n)\n"
        "    get_config().override('s', other=2)\n",
    ),
    "what is computed is bound first, in order": (
        "    get_config().override(note('s'), size=n, depth=note(1), other=note(2))\n",
        "    source = note('s')\n"
        "    depth = note(1)\n"
        "    other = note(2)\n"
        "    get_context().override(source, size=n, depth=depth)\n"
        "    get_config().override(source, other=other)\n",
    ),
    "names that are taken are not used": (
        "    other = source = n\n"
        "    get_config().override(note('s'), size=note(1), other=other)\n"
        "    note(source)\n",
        "    other = source = n\n"
        "    source_value = note('s')\n"
        "    size = note(1)\n"
        "    get_context().override(source_value, size=size)\n"
        "    get_config().override(source_value, other=other)\n"
        "    note(source)\n",
    ),
    "a global may change meanwhile": (
        "    get_config().override('s', size=LIMIT, other=2)\n",
        "    size = LIMIT\n"
        "    get_context().override('s', size=size)\n"
        "    get_config().override('s', other=2)\n",
    ),
    "an own argument reads the record": (
        "    get_config().override('s', size=n, other=get_config().size)\n",
        "    other = get_pool().size\n"
        "    get_context().override('s', size=n)\n"
        "    get_config().override('s', other=other)\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), SPLIT.values(), ids=SPLIT)
def test_splits(before: str, after: str, tmp_path: Path) -> None:
    done = _run(tmp_path, before)
    assert not done.failed
    assert done.after["app/use.py"].partition("def f(n):\n")[2] == after
    assert done.kept == ["unrouted"]
    assert _traced(tmp_path / "before") == _traced(tmp_path / "project", done)


KEPT = {
    "dynamic": ("    get_config().override('s', **n)\n", ["dynamic"]),
    "dynamic beside a name": (
        "    get_config().override('s', size=1, **n)\n",
        ["dynamic"],
    ),
    "positional": ("    get_config().override('s', n)\n", ["dynamic"]),
    "unknown field": ("    get_config().override('s', sise=n)\n", ["unrouted"]),
    "value of two writes": (
        "    return get_config().override('s', size=1, other=2)\n",
        ["unrouted", "written-elsewhere"],
    ),
    "an argument waits": (
        "    get_config().override('s', size=(m := n), other=m)\n",
        ["unrouted", "written-elsewhere"],
    ),
    "a parameter": (
        "    def g(config):\n        config.override('s', size=n)\n",
        ["parameter"],
    ),
    "a suppressed one": (
        "    get_config().override('s', size=n)  # nsroute: keep[mine] it is mine\n",
        ["suppressed"],
    ),
    "a walrus": (
        "    (rec := get_config()).override('s', size=n)\n    note(rec)\n",
        ["ambiguous"],
    ),
}


@pytest.mark.parametrize(("before", "reasons"), KEPT.values(), ids=KEPT)
def test_keeps(before: str, reasons: list[str], tmp_path: Path) -> None:
    done = _run(tmp_path, before)
    assert done.kept == reasons
    assert "get_context" not in "".join(done.after.values())


def test_a_write_that_stays_keeps_the_reads_of_its_field(tmp_path: Path) -> None:
    files = {
        "app/read.py": HEAD + "def r():\n"
        "    return get_config().size, get_config().depth\n",
        "app/hand.py": "def w(config, n):\n    config.override('s', size=n)\n",
        "app/use.py": HEAD + "def f(n):\n    get_config().override('s', size=n)\n",
    }
    done = run(
        tmp_path / "project",
        {**RECORD, **files},
        PACK,
        Step("all", ("reads", "writers")),
    )
    assert list(done.after) == ["app/read.py"]
    assert "get_config().size, get_pool().queue.depth" in done.after["app/read.py"]
    assert [(k.file, k.reason) for k in done.plan.kept] == [
        ("app/read.py", "written"),
        ("app/hand.py", "parameter"),
        ("app/use.py", "written-elsewhere"),
    ]


def test_reads_alone_leave_what_is_written(tmp_path: Path) -> None:
    files = {
        "app/use.py": HEAD + "def f(n):\n"
        "    get_config().override('s', size=n)\n"
        "    return get_config().size + get_config().depth\n",
    }
    done = run(tmp_path / "project", {**RECORD, **files}, PACK, "reads")
    assert "get_config().size + get_pool().queue.depth" in done.after["app/use.py"]
    assert done.kept == ["written"]


def test_a_selection_of_modules_does_not_part_reads_from_writes(tmp_path: Path) -> None:
    files = {
        "app/one.py": HEAD + "def f(n):\n    get_config().override('s', size=n)\n",
        "app/two.py": HEAD + "def g():\n    return get_config().size\n",
    }
    step = Step("one", ("reads", "writers"), modules=("app.one",))
    done = run(tmp_path / "project", {**RECORD, **files}, PACK, step)
    assert sorted(done.after) == ["app/one.py", "app/two.py"]
    assert done.plan.together == (frozenset(done.after),)


def test_plain_writes_and_stale_reads_are_reported(tmp_path: Path) -> None:
    files = {
        "app/use.py": HEAD + "def f(n):\n"
        "    get_config().override('s', size=n)\n"
        "    get_config().depth = n\n"
        "    get_config().depth += 1\n",
        "app/hand.py": "def r(config):\n    return config.size\n",
    }
    done = run(tmp_path / "project", {**RECORD, **files}, PACK, "writers")
    assert done.findings == ["still-read", "plain-write", "plain-write"]
    assert (
        "get_config().depth = n\n    get_config().depth += 1"
        in (done.after["app/use.py"])
    )


UNSEEN = {
    "a writer that is taken": ("w = get_config().override\n    w('s', size=n)", 1),
    "by its name": ("getattr(get_config(), 'override')('s', size=n)", 1),
    "handed over": ("print(get_config().override)", 1),
    "setattr": ("setattr(get_config(), 'size', n)", 1),
    "a computed name": ("setattr(get_config(), n, 1)", 1),
    "another record": ("setattr(n, 'size', n)\n    n.override('s', size=n)", 0),
    "a field that is read by its name": ("getattr(get_config(), 'size')", 0),
}


@pytest.mark.parametrize(("code", "found"), UNSEEN.values(), ids=UNSEEN)
def test_writes_that_readers_do_not_see(code: str, found: int, tmp_path: Path) -> None:
    files = {**RECORD, "app/use.py": f"{HEAD}def f(n):\n    {code}\n"}
    done = run(tmp_path / "project", files, PACK, "writers")
    assert len(done.findings) == found
    assert all(site.line >= 5 for site in done.plan.findings)


def test_what_was_taken_back_keeps_the_rest_of_its_field(tmp_path: Path) -> None:
    files = {
        "app/one.py": HEAD + "def f(n):\n    get_config().override('s', size=n)\n",
        "app/two.py": HEAD + "def g():\n    return get_config().size\n",
        "app/three.py": HEAD + "def g():\n    return get_config().size\n",
    }
    step = Step("all", ("reads", "writers"))
    for path in files:
        folder = tmp_path / path.replace("/", "_")
        done = run(folder, {**RECORD, **files}, PACK, step, withheld=frozenset({path}))
        assert done.after == {}
        assert "written-elsewhere" in done.kept


def _run(tmp_path: Path, body: str) -> Done:
    text = HEAD + "LIMIT = 7\nTRACE = []\n\n\ndef note(value):\n"
    text += "    TRACE.append(value)\n    return value\n\n\ndef f(n):\n" + body
    files = {**RECORD, "app/use.py": text}
    write(tmp_path / "before", files)
    step = Step("all", ("reads", "writers"))
    return run(tmp_path / "project", files, PACK, step)


def _traced(root: Path, done: Done | None = None) -> str:
    """What the program does: every call in its order, and every write in its own."""
    if done is not None:
        write(root, done.after)
    code = (
        "from app import config, use\n"
        "class Logged(config.Config):\n"
        "    def __setattr__(self, name, value):\n"
        "        use.TRACE.append((name, value)); use.LIMIT += 1\n"
        "        super().__setattr__(name, value)\n"
        "config._config.__class__ = Logged\n"
        "config.Context.queue = config._config\n"
        "use.f(3)\n"
        "print(use.TRACE)\n"
    )
    done_ = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True
    )
    assert done_.returncode == 0, done_.stderr
    return done_.stdout


@pytest.mark.parametrize("fields", ["size=n", "size=n, depth=n", "size=n, **more"])
def test_what_the_pack_keeps_in_a_module_stays_there(
    fields: str, tmp_path: Path
) -> None:
    """Elsewhere the field flips all the same: the pack says that it is apart."""
    pack = f"""{PACK}
[[keep]]
reason = "per-instance"
why = "It has a record of its own."
modules = ["app.own"]
"""
    own = f"{HEAD}def f(n, more):\n    get_config().override('own', {fields})\n"
    files = {
        **RECORD,
        "app/own.py": own,
        "app/use.py": f"{HEAD}def f(n):\n    get_config().override('s', size=n)\n",
    }
    done = run(tmp_path / "p", files, pack, "writers")
    assert not done.failed
    assert "get_context().override('s', size=n)" in done.after["app/use.py"]
    assert "app/own.py" not in done.after
    assert "per-instance" in done.kept


BOUND_NAMES = {
    "the other read is in a namespace of its own": (
        "    a = (c := get_config()).size\n    get_config().override('s', size=n)\n"
        "    return a, c.depth\n",
        "    a = get_pool().size\n    get_context().override('s', size=n)\n"
        "    return a, get_pool().queue.depth\n",
        [],
    ),
    "the other read stays, and a person is told of this one": (
        "    a = (c := get_config()).size\n    get_config().override('s', size=n)\n"
        "    return a, c.depth  # nsroute: keep[live] it is\n",
        "    a = (c := get_config()).size\n    get_context().override('s', size=n)\n"
        "    return a, c.depth  # nsroute: keep[live] it is\n",
        ["still-read"],
    ),
}


@pytest.mark.parametrize(
    ("before", "after", "findings"), BOUND_NAMES.values(), ids=BOUND_NAMES
)
def test_reads_of_a_name_that_a_read_binds(
    before: str, after: str, findings: list[str], tmp_path: Path
) -> None:
    done = _run(tmp_path, before)
    assert not done.failed
    assert done.findings == findings
    assert done.after["app/use.py"].partition("def f(n):\n")[2] == after
