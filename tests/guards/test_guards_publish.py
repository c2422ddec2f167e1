"""What runs before the publish call: how calls lead on, and the order of calls."""

from __future__ import annotations

from pathlib import Path

import pytest

import codemod.api
from codemod.guards.samples import FILES
from codemod.packs import PackError
from tests.guards.support import write

# ``app/main.py``; lines that run before publishing end in ``# <-``.
CASES = {
    "a direct call": """\
def early():
    use()  # <-

def late():
    use()

def main():
    early()  # <-
    get_context().publish()  # <-
    late()
""",
    "arguments come first": """\
def early():
    use()  # <-

def start(value):
    get_context().publish()  # <-
    use()

def main():
    start(early())  # <-
    use()
""",
    "the other arm does not publish": """\
def main(flag):
    if flag:
        get_context().publish()  # <-
    else:
        other()  # <-

def other():
    use()  # <-
""",
    "behind the branch it may have": """\
def main(flag):
    if flag:
        get_context().publish()  # <-
    other()

def other():
    use()
""",
    "a handler": """\
def main():
    try:
        get_context().publish()  # <-
        late()
    except ValueError:
        early()  # <-

def late():
    use()

def early():
    use()  # <-
""",
    "a method of a constructed object": """\
class Base:
    def prepare(self):
        use()  # <-

class Server(Base):
    def __init__(self):
        self.helper = Helper()  # <-
        super().prepare()  # <-

    def run(self):
        self.helper.work()  # <-

class Helper:
    def work(self):
        use()  # <-

    def idle(self):
        use()

def main():
    server = Server()  # <-
    server.run()  # <-
    get_context().publish()  # <-
    server.helper.idle()
""",
    "a parameter's annotation": """\
class Server:
    def run(self):
        use()  # <-

def start(server: Server):
    server.run()  # <-
    get_context().publish()  # <-

def main():
    start(Server())  # <-
""",
    "a class method and a static one": """\
class Server:
    @classmethod
    def make(cls):
        cls.helper()  # <-

    @staticmethod
    def helper():
        use()  # <-

def main():
    Server.make()  # <-
    get_context().publish()  # <-
""",
    "a thread, started before": """\
import threading

def work():
    use()  # <-

def main():
    threading.Thread(target=work).start()  # <-
    get_context().publish()  # <-
""",
    "a thread, started behind": """\
from threading import Thread

def work():
    use()

def main():
    get_context().publish()  # <-
    Thread(target=work).start()
""",
    "a partial": """\
from functools import partial
from threading import Thread

def work(n):
    use()  # <-

def main():
    Thread(target=partial(work, 1)).start()  # <-
    get_context().publish()  # <-
""",
    "a thread of its own class": """\
from threading import Thread

class Work(Thread):
    def run(self):
        use()  # <-

def main():
    Work().start()  # <-
    get_context().publish()  # <-
""",
    "a process that publishes": """\
from multiprocessing import Process

def work():
    use()  # <-
    get_context().publish()  # <-
    use()

def main():
    get_context().publish()  # <-
    Process(target=work).start()
""",
    "a process that never does": """\
import multiprocessing as mp

def work():
    inner()  # <-

def inner():
    use()  # <-

def main():
    get_context().publish()  # <-
    ctx = mp.get_context("spawn")
    ctx.Process(target=work, args=()).start()
""",
    "a decorator": """\
def wrap(function):
    def inner():
        use()  # <-
        return function()  # <-
    return inner

@wrap
def early():
    use()  # <-

def main():
    early()  # <-
    get_context().publish()  # <-
""",
    "a nested function": """\
def main():
    def early():
        use()  # <-

    def late():
        use()

    early()  # <-
    get_context().publish()  # <-
    late()
""",
    "a call in a lambda and a comprehension": """\
def early(n):
    use()  # <-

def main():
    [early(n) for n in "ab"]  # <-
    get_context().publish()  # <-
""",
    "recursion": """\
def early(n):
    if n:
        early(n - 1)  # <-
    use()  # <-

def main():
    early(3)  # <-
    get_context().publish()  # <-
""",
    "a class method makes an instance": """\
class Base:
    def __init__(self):
        use()  # <-

    @classmethod
    def make(cls):
        return cls()  # <-

    def again(self):
        return type(self)(), self.__class__()  # <-

class Other:
    def __init__(self):
        use()

def main():
    Base.make()  # <-
    Base().again()  # <-
    get_context().publish()  # <-
""",
    "a class method of a class below": """\
class Base:
    @classmethod
    def make(cls):
        return cls()  # <-

class Below(Base):
    def __init__(self):
        use()  # <-

def main():
    Below.make()  # <-
    get_context().publish()  # <-
""",
    "a context manager": """\
class Held:
    def __enter__(self):
        use()  # <-

    def __exit__(self, *error):
        use()

class Other:
    def __enter__(self):
        use()

def main():
    with Held() as held:
        get_context().publish()  # <-
""",
    "the end of a context manager": """\
class Held:
    def __enter__(self):
        use()  # <-

    def __exit__(self, *error):
        use()  # <-

def main():
    held = Held()  # <-
    with held:
        other()  # <-
    get_context().publish()  # <-

def other():
    use()  # <-
""",
    "a loop over an object": """\
class Rows:
    def __iter__(self):
        use()  # <-

def main():
    for row in Rows():
        print(row)  # <-
    get_context().publish()  # <-
""",
    "a property": """\
from functools import cached_property

class Server:
    @property
    def size(self):
        return use()  # <-

    @cached_property
    def room(self):
        return use()  # <-

    def method(self):
        return use()

    def start(self):
        found = self.size, self.method  # <-

def main():
    server = Server()  # <-
    server.start()  # <-
    held = server.room  # <-
    get_context().publish()  # <-
""",
    "a method of a class below": """\
class Base:
    def start(self):
        self.run()  # <-

    def run(self):
        raise NotImplementedError()

class Below(Base):
    def run(self):
        use()  # <-

class Unmade(Base):
    def run(self):
        use()

def begin(base: Base):
    base.start()  # <-

def main():
    begin(Below())  # <-
    get_context().publish()  # <-
""",
    "a method that only classes below have": """\
class Base:
    def start(self):
        self.run()  # <-

class Below(Base):
    def run(self):
        use()  # <-

def main():
    Below().start()  # <-
    get_context().publish()  # <-
""",
    "a process of its own class": """\
from multiprocessing import Process

class Work(Process):
    def run(self):
        use()  # <-
        get_context().publish()  # <-
        use()

def main():
    get_context().publish()  # <-
    Work().start()
""",
    "functions that are applied": """\
def first(n):
    use()  # <-

def second(n):
    use()  # <-

def third(n):
    use()

def main():
    list(map(first, [1]))  # <-
    sorted([1], key=second)  # <-
    get_context().publish()  # <-
    list(filter(third, [1]))
""",
    "a table of functions": """\
def first():
    use()  # <-

def second():
    use()  # <-

def third():
    use()

TABLE = {"a": first, "b": second}

def main(name):
    TABLE[name]()  # <-
    get_context().publish()  # <-
    [third][0]()
""",
    "a table, by get": """\
def first():
    use()  # <-

def main(name):
    {"a": first}.get(name)()  # <-
    get_context().publish()  # <-
""",
    "a function of another name": """\
def early():
    use()  # <-

again = early

def main():
    run = early  # <-
    run()  # <-
    get_context().publish()  # <-
""",
}

HEAD = "from app.context import get_context\nfrom app.use import use\n\n"


@pytest.mark.parametrize("case", CASES)
def test_it_knows_what_runs_before(case: str, tmp_path: Path) -> None:
    text = HEAD + CASES[case]
    write(tmp_path, {**FILES, "app/main.py": text, "app/use.py": "def use(): ...\n"})
    options = codemod.api.Options(cache=False, jobs=1)
    index = codemod.api.analyse(tmp_path, None, options).index
    functions = _functions(text)
    lines = text.splitlines()
    early = {
        number
        for number, function in functions.items()
        if "(" in lines[number - 1] or "=" in lines[number - 1]
        if index.before_publish("app.main", function, number)
    }
    marked = {n for n, line in enumerate(lines, 1) if line.endswith("# <-")}
    assert early == marked


def _functions(text: str) -> dict[int, str]:
    """The dotted path of the innermost function of each statement in one."""
    import ast

    found: dict[int, str] = {}

    def visit(node: ast.AST, path: str, inside: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                own = f"{path}.{child.name}" if path else child.name
                visit(child, own, isinstance(child, ast.FunctionDef))
            elif isinstance(child, (ast.stmt, ast.ExceptHandler)):
                if inside and isinstance(child, (ast.Expr, ast.Assign, ast.Return)):
                    found[child.lineno] = path
                visit(child, path, inside)

    visit(ast.parse(text), "", False)
    return found


def test_the_chain_is_shown(tmp_path: Path) -> None:
    text = HEAD + CASES["arguments come first"]
    write(tmp_path, {**FILES, "app/main.py": text, "app/use.py": "def use(): ...\n"})
    options = codemod.api.Options(cache=False, jobs=1)
    index = codemod.api.analyse(tmp_path, None, options).index
    chain = index.before_publish("app.main", "early", 5)
    assert chain == "app.main.main → app.main.early"


def test_a_read_on_the_way_is_kept_with_the_chain(tmp_path: Path) -> None:
    text = """\
from app.context import get_config, get_context

def resolve():
    return get_config().size

def main():
    resolve()
    get_context().publish()
    return get_config().size
"""
    write(tmp_path, {**FILES, "app/main.py": text})
    result = codemod.api.scan(tmp_path, None, codemod.api.Options(cache=False, jobs=1))
    reads = {read.line: read for read in result.reads if read.file == "app/main.py"}
    assert (reads[4].decision, reads[4].reason) == ("keep", "pre-publish")
    assert reads[4].why is not None
    assert "app.main.main → app.main.resolve" in reads[4].why
    assert reads[9].decision == "convert"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "app.main:main",
            "app.main:mian",
            r"nsroute.toml:\d+: publish.entries\[0\]: module 'app.main' has no "
            r"function 'mian'; did you mean 'main'\?",
        ),
        (
            "app.main:main",
            "app.mian:main",
            r"publish.entries\[0\]: there is no module 'app.mian' below the root",
        ),
        (
            "Context.publish",
            "Context.pubilsh",
            r"publish.call: module 'app.context' has no function 'Context.pubilsh'",
        ),
    ],
)
def test_a_place_that_is_not_there_is_an_error(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    write(tmp_path, {**FILES, "app/main.py": HEAD + CASES["a direct call"]})
    pack = tmp_path / "nsroute.toml"
    text = pack.read_text()
    assert old in text
    pack.write_text(text.replace(old, new))
    use = "from app.context import get_config\n\ndef use():\n    get_config().size\n"
    (tmp_path / "app/use.py").write_text(use)
    with pytest.raises(PackError, match=words):
        codemod.api.analyse(tmp_path, None)
