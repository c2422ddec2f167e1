"""What is asked at import time, in every nesting, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.guards.samples import Sample
from tests.guards.support import found, write

HEAD = """\
from typing import TYPE_CHECKING
from app.context import get_net, get_pool
"""

# The rest of app/use.py; lines with a finding end in ``# <-``.
CASES = {
    "class in a class": "class A:\n    class B:\n        x = get_pool().size  # <-\n",
    "class in a function": "def f():\n    class A:\n        x = get_pool().size\n",
    "default of a lambda": "g = lambda x=get_pool(): x  # <-\n",
    "a lambda that is called": "x = (lambda: get_pool().size)()  # <-\n",
    "one in a class": "class C:\n    x = (lambda n: get_pool().size)(1)  # <-\n",
    "one in another": "x = (lambda: (lambda: get_net())())()  # <-\n",
    "one in a lambda that waits": "x = lambda: (lambda: get_net())()\n",
    "one in a function": "def f():\n    return (lambda: get_net())()\n",
    "a lambda that waits": "x = [lambda: get_net()]\n",
    "base class": "class C(get_pool().base):  # <-\n    pass\n",
    "keyword of a class": "class C(metaclass=get_pool().meta):  # <-\n    pass\n",
    "annotation": "def f(x: get_pool().t) -> get_net().t:  # <-\n    pass\n",
    "default in a class": "class C:\n    def f(self, *, x=get_pool()): pass  # <-\n",
    "default in a function": "def g():\n    def f(x=get_pool()): pass\n",
    "with, for, while": (
        "with get_pool():  # <-\n    for x in get_net():  # <-\n"
        "        while get_pool():  # <-\n            break\n"
    ),
    "match": "match get_pool():  # <-\n    case 1:\n        get_net()  # <-\n",
    "handlers": (
        "try:\n    pass\nexcept get_pool().E:  # <-\n    get_net()  # <-\n"
        "finally:\n    get_pool()  # <-\n"
    ),
    "the program": "if __name__ == '__main__':\n    get_pool()\n",
    "not the program": "if __name__ != '__main__':\n    get_pool()  # <-\n",
    "else of the program": (
        "if __name__ == '__main__':\n    get_pool()\nelse:\n    get_net()  # <-\n"
    ),
    "else of not the program": (
        "if __name__ != '__main__':\n    get_pool()  # <-\nelse:\n    get_net()\n"
    ),
    "elif": "if HEAD:\n    pass\nelif __name__ == '__main__':\n    get_pool()\n",
    "for the type checker": (
        "if TYPE_CHECKING:\n    x = get_pool()\nelse:\n    x = get_net()  # <-\n"
    ),
    "not for the type checker": "if not TYPE_CHECKING:\n    x = get_pool()  # <-\n",
    "the program in a try": (
        "try:\n    if __name__ == '__main__':\n        get_pool()\nfinally:\n    pass\n"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_frozen(name: str, tmp_path: Path) -> None:
    text = HEAD + CASES[name]
    write(tmp_path, Sample(text).project())
    expected = {
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.endswith("# <-")
    }
    findings = found(tmp_path, "frozen")
    assert {f.file for f in findings} <= {"app/use.py"}
    assert {f.line for f in findings} == expected
