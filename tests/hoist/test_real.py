"""Modules that misbehave when they are imported: contained, reported, nothing left."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from codemod.hoist import RealImportError, RealOptions
from codemod.hoist.real import OverlayText, RealImporter

from . import support

# A module's text → the kind of its outcome, and a part of the message.
MODULES: dict[str, tuple[str, str, str]] = {
    "works": ("x = 1\n", "", ""),
    "raises": ("raise ValueError('no GPU')\n", "ValueError", "no GPU"),
    "exits": ("import sys\nsys.exit(3)\n", "SystemExit", "3"),
    "leaves without a word": ("import os\nos._exit(7)\n", "Exit", "status 7"),
    "kills itself": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
        "Exit",
        "signal 9",
    ),
    "waits for input": ("x = input()\n", "EOFError", ""),
    "prints megabytes": (
        "import sys\nfor _ in range(400):\n    sys.stdout.write('x' * 10000)\n"
        "    sys.stderr.write('y' * 10000)\n",
        "",
        "",
    ),
    "closes its output": ("import os\nos.close(1)\nos.close(2)\nx = 1\n", "", ""),
    "forks, and both go on": ("import os\npid = os.fork()\nx = 1\n", "", ""),
    "never ends": ("while True: pass\n", "Timeout", "2"),
    "sleeps": ("import time\ntime.sleep(60)\n", "Timeout", "2"),
    "ignores signals": (
        "import signal, time\nfor s in (1, 2, 15):\n"
        "    signal.signal(s, signal.SIG_IGN)\ntime.sleep(60)\n",
        "Timeout",
        "2",
    ),
    "recurses": ("def f(): f()\nf()\n", "RecursionError", ""),
    "raises a group": (
        "class Odd(BaseException):\n    def __str__(self): raise ValueError\n"
        "raise Odd\n",
        "ValueError",
        "",
    ),
    "starts a thread": (
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(60,)).start()\n",
        "",
        "",
    ),
    "asks the network": (
        "import socket\nsocket.create_connection(('127.0.0.1', 9), timeout=1)\n",
        "OSError",
        "",
    ),
    "is not Python": ("def (\n", "SyntaxError", ""),
    # A ValueError before 3.11.4.
    "has null bytes": ("x = 1\0\n", "Error", "null bytes"),
    "writes where it is": ("open('left.txt', 'w').write('x')\n", "", ""),
    "writes to its home": (
        "import os\nopen(os.path.expanduser('~/left.txt'), 'w').write('x')\n",
        "",
        "",
    ),
}


@pytest.fixture(scope="module")
def importer() -> object:
    with RealImporter([], (), RealOptions(jobs=1, timeout=2.0)) as made:
        yield made


@pytest.mark.parametrize("name", MODULES)
def test_contained(name: str, tmp_path: Path, importer: RealImporter) -> None:
    text, kind, message = MODULES[name]
    root = support.write(tmp_path, {"bad.py": text, "good.py": "x = 1\n"})
    importer.move([str(root)])
    found = importer.import_all(["bad", "good"])
    outcome = found["bad"]
    assert outcome.ok == (kind == "")
    assert kind in (outcome.kind, *outcome.kinds, outcome.kind[-len(kind) :])
    assert message in outcome.message
    assert len(outcome.output) <= 2000
    assert found["good"].ok
    assert sorted(p.name for p in root.iterdir()) == ["bad.py", "good.py"]


def children_of(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in path.read_text().split()]


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    text = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(600)\n"
        "    os._exit(0)\n"
        f"open({str(tmp_path / 'started')!r}, 'w').close()\n"
    )
    support.write(tmp_path, {"daemon.py": text})
    before = set(children_of(os.getpid()))
    options = RealOptions(jobs=1, timeout=5.0)
    with RealImporter([str(tmp_path)], ("daemon",), options) as importer:
        assert importer.import_all(["daemon"])["daemon"].ok
        assert (tmp_path / "started").exists()
        (zygote,) = set(children_of(os.getpid())) - before
        assert children_of(zygote) == []
    assert set(children_of(os.getpid())) == before


def test_when_it_is_stopped_what_it_imports_ends_at_once(tmp_path: Path) -> None:
    started = tmp_path / "started"
    text = (
        "import os, time\n"
        "child = os.fork()\n"
        f"open({str(started)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "time.sleep(600)\n"
    )
    support.write(tmp_path, {"slow.py": text})
    before = set(children_of(os.getpid()))
    importer = RealImporter([str(tmp_path)], ("slow",), RealOptions(jobs=1))
    importer.__enter__()
    thread = threading.Thread(target=importer.import_all, args=(["slow", "none"],))
    thread.start()
    deadline = time.monotonic() + 30
    while not started.exists() or len(started.read_text().split()) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    begun = time.monotonic()
    importer.__exit__(None, None, None)
    thread.join(timeout=10)
    assert not thread.is_alive()
    assert time.monotonic() - begun < 5
    assert set(children_of(os.getpid())) == before
    for pid in started.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


PACKAGED = {
    "p/__init__.py": "open(LOG, 'a').write('p ')\n",
    "p/good.py": "import sys\nassert 'p.q' not in sys.modules\nimport p.q.deep\n",
    "p/bad.py": "raise ValueError(__name__)\n",
    "p/q/__init__.py": "",
    "p/q/deep.py": "x = 1\n",
    "p/q/other.py": "import sys\nassert 'p.q.deep' not in sys.modules\n",
    "broken/__init__.py": "open(LOG, 'a').write('broken ')\nraise OSError('no')\n",
    "broken/one.py": "",
    "broken/two.py": "",
    "slow/__init__.py": "open(LOG, 'a').write('slow ')\nwhile True: pass\n",
    "slow/one.py": "",
    "slow/two.py": "",
    "threads/__init__.py": "import threading\n"
    "threading.Thread(target=threading.Event().wait, daemon=True).start()\n",
    "threads/one.py": "import threading\nassert threading.active_count() == 2\n",
    "process/__init__.py": "import os\nmine = os.getpid()\n",
    "process/one.py": "import os, process\nassert os.getpid() == process.mine\n",
}


def test_a_package_is_imported_once_for_its_modules(tmp_path: Path) -> None:
    log = tmp_path / "log"
    files = {
        path: text.replace("LOG", repr(str(log))) for path, text in PACKAGED.items()
    }
    root = support.write(tmp_path / "root", files)
    modules = [support.module_of(path)[0] for path in PACKAGED]
    with RealImporter([str(root)], (), RealOptions(jobs=1, timeout=3.0)) as importer:
        found = importer.import_all(modules)
    failures = {name: outcome.kind for name, outcome in found.items() if outcome.kind}
    assert failures == {
        "p.bad": "ValueError",
        "broken": "OSError",
        "broken.one": "OSError",
        "broken.two": "OSError",
        "slow": "Timeout",
        "slow.one": "Timeout",
        "slow.two": "Timeout",
    }
    assert found["broken.two"].chain[-1][0].endswith("broken/__init__.py")
    # Itself, for its modules, and once more for the one that failed.
    assert log.read_text().split() == [*["broken"] * 2, *["p"] * 3, *["slow"] * 2]


def test_new_texts_are_seen_by_packages_that_were_imported(tmp_path: Path) -> None:
    root = support.write(tmp_path, {"p/__init__.py": "x = 1\n", "p/m.py": "import p\n"})
    with RealImporter([str(root)], ("p",), RealOptions(jobs=1)) as importer:
        assert importer.import_all(["p.m"])["p.m"].ok
        path = str(root / "p/__init__.py")
        importer.overlay({"p": OverlayText(path, True, "raise OSError\n")})
        assert importer.import_all(["p.m"])["p.m"].kind == "OSError"
        importer.overlay({})
        assert importer.import_all(["p.m"])["p.m"].ok


def test_the_folder_of_the_run_is_removed(tmp_path: Path) -> None:
    text = (
        f"import os\nopen({str(tmp_path / 'home')!r}, 'w').write(os.environ['HOME'])\n"
    )
    support.write(tmp_path, {"app.py": text})
    with RealImporter([str(tmp_path)], ("app",), RealOptions(jobs=1)) as importer:
        assert importer.import_all(["app"])["app"].ok
    assert not Path((tmp_path / "home").read_text()).exists()
    assert not (tmp_path / "__pycache__").exists()


def test_secrets_of_the_environment_are_not_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    text = (
        "import os\nassert 'API_TOKEN' not in os.environ\nassert os.environ['PATH']\n"
    )
    support.write(tmp_path, {"app.py": text})
    with RealImporter([str(tmp_path)], ("app",), RealOptions(jobs=1)) as importer:
        assert importer.import_all(["app"])["app"].ok


def test_an_interpreter_that_is_none(tmp_path: Path) -> None:
    for python in (str(tmp_path / "nope"), "/bin/true"):
        with pytest.raises(RealImportError, match="--python"):
            RealImporter([], (), RealOptions(python)).__enter__()


def test_several_at_a_time(tmp_path: Path) -> None:
    files = {f"m{i}.py": "import time\ntime.sleep(0.4)\n" for i in range(6)}
    support.write(tmp_path, files)
    names = [f"m{i}" for i in range(6)]
    with RealImporter([str(tmp_path)], names, RealOptions(jobs=6)) as importer:
        started = time.monotonic()
        found = importer.import_all(names)
        spent = time.monotonic() - started
    assert list(found) == names
    assert all(outcome.ok for outcome in found.values())
    assert spent < sum(outcome.seconds for outcome in found.values())


def test_overlay_serves_other_texts(tmp_path: Path) -> None:
    files = {"p/__init__.py": "from p.a import x\n", "p/a.py": "x = 1\n"}
    support.write(tmp_path, files)
    with RealImporter([str(tmp_path)], ("p",), RealOptions(jobs=2)) as importer:
        assert importer.import_all(["p"])["p"].ok
        importer.overlay({"p.a": OverlayText(str(tmp_path / "p/a.py"), False, "y = 1")})
        outcome = importer.import_all(["p"])["p"]
        assert outcome.kind == "ImportError"
        assert [(Path(f).name, n) for f, n, _ in outcome.chain] == [("__init__.py", 1)]
        importer.overlay({})
        assert importer.import_all(["p"])["p"].ok


STANDINS = """\
import abc, dataclasses, enum, json, typing
import absent
import absent.sub.deep as deep
from absent import Thing, other
from absent.sub import name as alias

class A(Thing): pass
class B(Thing, absent.Other, abc.ABC):
    @absent.register("b")
    @absent.plain
    def f(self, x: absent.Tensor = absent.zeros(3)) -> typing.Optional[Thing]:
        return 1
class C(alias.Generic[Thing]): pass
@absent.decorate
class D: pass
@dataclasses.dataclass
class E:
    dtype: Thing = absent.float16
assert B().f() == 1 and D.__name__ == "D" and E().dtype is absent.float16
union: typing.Union[Thing, int] = 1
either = Thing | None
with absent.context(1) as c:
    pass
for item in absent.items():
    raise AssertionError
try:
    raise ValueError
except ValueError:
    pass
except absent.Error:
    pass
assert int(absent.__version__.split(".")[0]) >= 0
assert not isinstance(1, Thing) and isinstance(A(), Thing)
if absent.device_count() > 3:
    raise AssertionError
x = absent.a.b.c.d(1)[2] + 3
major, minor = absent.capability()
first, second, *rest = absent.capability()
assert not absent.cuda.is_available()
assert not hasattr(absent, "lacks")
assert absent.v.hip is None
assert json.dumps([absent.dumps(A).hex()])
class F(Thing, option=True): pass
assert F(x=3).x == 3 and F().missing is not None
f"{absent.name} {absent.number:>10}"
"""


def test_standins(tmp_path: Path) -> None:
    support.write(
        tmp_path, {"app.py": STANDINS, "b.py": "import absent\nimport app.x\n"}
    )
    for options in (
        RealOptions(jobs=1, mock=("absent", "!absent.lacks", "absent.v.hip=None")),
        RealOptions(
            jobs=1, mock=("!absent.lacks", "absent.v.hip=None"), mock_missing=True
        ),
    ):
        with RealImporter([str(tmp_path)], ("app", "b"), options) as importer:
            found = importer.import_all(["app", "b"])
        assert found["app"].ok, found["app"]
        assert found["b"].kind == "ModuleNotFoundError"
    with RealImporter([str(tmp_path)], ("app",), RealOptions(jobs=1)) as importer:
        assert importer.import_all(["app"])["app"].kind == "ModuleNotFoundError"


def test_standins_leave_the_standard_library_and_what_is_there(tmp_path: Path) -> None:
    text = (
        "try:\n    import winreg\nexcept ImportError:\n    winreg = None\n"
        "import packaging.version as v\nassert v.Version('1') and winreg is None\n"
        "try:\n    import packaging.nope\nexcept ImportError:\n    pass\n"
        "else:\n    raise AssertionError\n"
    )
    support.write(tmp_path, {"app.py": text})
    options = RealOptions(jobs=1, mock_missing=True)
    with RealImporter([str(tmp_path)], ("app",), options) as importer:
        outcome = importer.import_all(["app"])["app"]
    assert outcome.ok == (sys.platform != "win32"), outcome


BAD: Mapping[str, str] = {
    "good.py": "def f():\n    from lib import x\n    return x\n",
    "lib.py": "x = 1\n",
    "exits.py": "import sys\nimport good\nsys.exit(1)\n",
    "endless.py": "import good\nwhile True: pass\n",
    "broken.py": "def (:\n",
    "asks.py": "import good\ninput()\n",
}


def test_a_plan_goes_on_beside_bad_modules(tmp_path: Path) -> None:
    options = RealOptions(timeout=2.0)
    plan = support.planned(tmp_path, BAD, trust="both", real=options)
    assert support.shown(plan) == {"good.py:2 x": "hoist"}
    assert [(e.file, e.line) for e in plan.errors] == [("broken.py", 1)]
    assert plan.summary.real == 4
    assert plan.summary.unproven == 3


def test_two_files_of_one_module_name(tmp_path: Path) -> None:
    files = {
        "app.py": "def f():\n    from lib import x\n    return x\n",
        "lib.py": "x = 1\n",
        "app/__init__.py": "def f():\n    from lib import x\n    return x\n",
    }
    plan = support.planned(tmp_path, files)
    assert support.shown(plan) == {}
    assert any("several files are the module 'app'" in e.message for e in plan.doubled)


def test_a_namespace_package_over_two_roots(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": "[tool.setuptools.packages.find]\nwhere = ['a', 'b']\n",
        "a/ns/one.py": "def f():\n    from ns.two import x\n    return x\n",
        "b/ns/two.py": "import ns.one\nx = 1\n",
    }
    plan = support.planned(tmp_path, files, trust="both")
    assert plan.errors == ()
    decisions = {d.file: d.decision for d in plan.imports}
    assert set(decisions) == {"a/ns/one.py"}
