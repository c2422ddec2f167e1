"""Form, via, text and place of a read, the same on every interpreter."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from reads_support import scan, write

import codemod

HEAD = "from app.context import get_config, settings\n"

# Text, then (line, column, function, form, via, text) of each read.
CASES = [
    (
        "every form",
        HEAD + "class A:\n    def __init__(self):\n        self._c = get_config()\n"
        "    def f(self, o, config):\n        c = get_config()\n"
        "        return (get_config().pool_size, settings.pool_size, c.pool_size,\n"
        "            self.config.pool_size, o.config.pool_size, self._c.pool_size,\n"
        "            config.pool_size)\n",
        [
            (7, 17, "A.f", "call", "attribute", "get_config().pool_size"),
            (7, 41, "A.f", "object", "attribute", "settings.pool_size"),
            (7, 61, "A.f", "alias", "attribute", "c.pool_size"),
            (8, 13, "A.f", "self", "attribute", "self.config.pool_size"),
            (8, 36, "A.f", "attribute", "attribute", "o.config.pool_size"),
            (8, 56, "A.f", "stash", "attribute", "self._c.pool_size"),
            (9, 13, "A.f", "parameter", "attribute", "config.pool_size"),
        ],
    ),
    (
        "every via",
        HEAD + "def f(d):\n    getattr(settings, 'pool_size')\n"
        "    getattr(settings, 'pool_size', d)\n    settings['pool_size']\n"
        "    settings.get('pool_size')\n    settings.get('pool_size', d)\n",
        [
            (3, 5, "f", "object", "getattr", "getattr(settings, 'pool_size')"),
            (4, 5, "f", "object", "getattr", "getattr(settings, 'pool_size', d)"),
            (5, 5, "f", "object", "subscript", "settings['pool_size']"),
            (6, 5, "f", "object", "get", "settings.get('pool_size')"),
            (7, 5, "f", "object", "get", "settings.get('pool_size', d)"),
        ],
    ),
    (
        "lambdas and comprehensions belong to the function around them",
        HEAD + "def f(xs):\n    def g():\n"
        "        return [lambda: settings.pool_size for x in xs]\n",
        [(4, 25, "f.g", "object", "attribute", "settings.pool_size")],
    ),
    (
        "columns count characters",
        HEAD + "def f():\n    return 'é∂𝛼', settings.pool_size\n",
        [(3, 19, "f", "object", "attribute", "settings.pool_size")],
    ),
    (
        "a form feed ends no line",
        HEAD + "x = 1\n\f\ndef f():\n    return settings.pool_size\n",
        [(5, 12, "f", "object", "attribute", "settings.pool_size")],
    ),
    (
        "f-strings",
        HEAD + "def f(c):\n"
        '    a = f"x {settings.pool_size} {settings.workers!r:>{settings.debug}}"\n'
        "    b = ('é' f'{c}'\n         f'{{}}{getattr(settings, \"backend\")}')\n"
        '    return a, b, f"""\n  {settings.pool_size\n     + settings.workers}"""\n',
        [
            (3, 14, "f", "object", "attribute", "settings.pool_size"),
            (3, 35, "f", "object", "attribute", "settings.workers"),
            (3, 56, "f", "object", "attribute", "settings.debug"),
            (5, 17, "f", "object", "getattr", 'getattr(settings, "backend")'),
            (7, 4, "f", "object", "attribute", "settings.pool_size"),
            (8, 8, "f", "object", "attribute", "settings.workers"),
        ],
    ),
    (
        "f-strings in f-strings",
        HEAD + "def f(c):\n"
        '    return f\'{f"{settings.pool_size:{settings.workers}}"} '
        "{c != settings.debug}'\n",
        [
            (3, 18, "f", "object", "attribute", "settings.pool_size"),
            (3, 38, "f", "object", "attribute", "settings.workers"),
            (3, 65, "f", "object", "attribute", "settings.debug"),
        ],
    ),
    (
        "a chain over lines with comments",
        HEAD + "def f():\n    return (\n        settings  # one\n        # two\n"
        "        .pool_size  # three\n    )\n",
        [
            (
                4,
                9,
                "f",
                "object",
                "attribute",
                "settings  # one\n        # two\n        .pool_size",
            )
        ],
    ),
    (
        "a read inside the arguments of a read",
        HEAD
        + "def f():\n    return getattr(settings, 'pool_size', settings.workers)\n",
        [
            (
                3,
                12,
                "f",
                "object",
                "getattr",
                "getattr(settings, 'pool_size', settings.workers)",
            ),
            (3, 43, "f", "object", "attribute", "settings.workers"),
        ],
    ),
]


@pytest.mark.parametrize(
    ("text", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_places(tmp_path: Path, text: str, expected: list[tuple[object, ...]]) -> None:
    reads = scan(tmp_path, {"app/mod.py": text}).reads
    found = [
        (r.line, r.column, r.function, r.form, r.via, r.text)
        for r in reads
        if r.file == "app/mod.py"
    ]
    assert found == expected


USES = HEAD + (
    "import copy\nfrom dataclasses import asdict\n"
    "def f(name):\n    c = get_config()\n    print(c)\n"
    "    hasattr(settings, 'pool_size')\n"
    "    vars(c)\n    asdict(c)\n    getattr(c, name)\n    copy.copy(get_config())\n"
    "    c.__dict__\n    settings[name]\n    return get_config\n"
)


def test_uses_that_are_not_reads_are_listed(tmp_path: Path) -> None:
    result = scan(tmp_path, {"app/mod.py": USES})
    assert [r for r in result.reads if r.file == "app/mod.py"] == []
    found = [(u.line, u.kind) for u in result.uses if u.file == "app/mod.py"]
    assert found == [
        (6, "whole-object"),
        (7, "hasattr"),
        (8, "vars"),
        (9, "asdict"),
        (10, "computed-name"),
        (11, "copy"),
        (12, "vars"),
        (13, "computed-name"),
        (14, "getter"),
    ]


PATCHES = HEAD + (
    "import app.mod as me\nfrom unittest import mock\n"
    "def test(monkeypatch, fake):\n"
    "    mock.patch('app.mod.get_config', fake)\n"
    "    mock.patch.object(me, 'settings', fake)\n"
    "    monkeypatch.setattr(me, 'get_config', fake)\n"
    "    monkeypatch.setattr('app.mod.settings', fake)\n"
    "    me.get_config = fake\n"
    "    mock.patch('app.other.get_config', fake)\n"
    "    mock.patch.object(fake, 'settings', fake)\n"
    "    mock.patch('app.mod.fake', fake)\n"
)


def test_patches_of_the_record_are_listed(tmp_path: Path) -> None:
    result = scan(tmp_path, {"app/mod.py": PATCHES})
    found = [(u.line, u.kind) for u in result.uses if u.kind == "patched"]
    assert found == [(line, "patched") for line in range(5, 10)]


def test_access_is_what_the_pack_says(tmp_path: Path) -> None:
    from reads_support import PACK

    narrow = PACK.replace(', "subscript", "get"', "")
    text = HEAD + "def f():\n    settings['pool_size']\n    settings.get('workers')\n"
    result = scan(tmp_path, {"app/mod.py": text}, narrow)
    reads = [r for r in result.reads if r.file == "app/mod.py"]
    assert [(r.text, r.reason) for r in reads] == [("settings.get", "unrouted")]


def interpreters() -> list[str]:
    """Every other Python that nsroute supports and that is on this machine."""
    found = []
    for minor in range(10, 15):
        name = shutil.which(f"python3.{minor}")
        homes = sorted((Path.home() / ".pyenv" / "versions").glob(f"3.{minor}.*"))
        for candidate in [name, *(str(h / "bin" / "python") for h in homes)]:
            if candidate and _runs(candidate, minor):
                found.append(candidate)
                break
    return found


def _runs(python: str, minor: int) -> bool:
    code = "import sys; print(sys.version_info[1])"
    done = subprocess.run([python, "-c", code], capture_output=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == str(minor).encode()


def test_facts_are_the_same_on_every_interpreter(tmp_path: Path) -> None:
    """The analysis imports nothing but the standard library, so it runs anywhere."""
    texts = [text for _, text, _ in CASES] + [USES]
    (tmp_path / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    script = (
        "import sys, json; sys.path.insert(0, sys.argv[1])\n"
        "from codemod.analysis.summarise import summarise\n"
        "from codemod.analysis.vocabulary import Vocabulary\n"
        "words = Vocabulary(getters=frozenset({'get_config'}),\n"
        "    objects=frozenset({'settings'}), attributes=frozenset({'config'}),\n"
        "    access=frozenset({'attribute', 'getattr', 'subscript', 'get'}))\n"
        "for text in json.load(open(sys.argv[2])):\n"
        "    facts = summarise(text, 'app.mod', False, words, True, whole=True)\n"
        "    print(facts.candidates, facts.uses, facts.problem)\n"
    )
    root = str(Path(codemod.__file__).parent.parent)
    outputs = set()
    for python in {sys.executable, *interpreters()}:
        done = subprocess.run(
            [python, "-c", script, root, str(tmp_path / "texts.json")],
            capture_output=True,
            check=False,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_the_same_whatever_the_number_of_jobs(tmp_path: Path) -> None:
    text = HEAD + "def f():\n    return settings.pool_size\n" + "# pad\n" * 20_000
    root = write(tmp_path, {f"app/m{n}.py": text for n in range(30)})
    results = [
        codemod.scan(root, None, codemod.Options(cache=False, jobs=jobs))
        for jobs in (1, 3)
    ]
    assert len(results[0].reads) > 30
    assert results[0] == results[1]
