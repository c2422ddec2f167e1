"""Random small projects that import one another in circles, for property tests.

Everything they do is decided by their source, so a simulation has to say exactly what
an interpreter does.
"""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

PATHS = (
    "p/__init__.py",
    "p/a.py",
    "p/b.py",
    "p/q/__init__.py",
    "p/q/c.py",
    "m.py",
    "n.py",
)
MODULES = ("p", "p.a", "p.b", "p.q", "p.q.c", "m", "n")
NAMES = ("x", "y", "C", "f")


def _relative(path: str, module: str) -> list[str]:
    """Ways to write ``module`` after ``from`` in the file ``path``."""
    found = [module]
    if path.startswith("p/q/"):
        if module == "p":
            found.append("..")
        elif module == "p.q":
            found.append(".")
        elif module.startswith("p.q."):
            found.append(module.removeprefix("p.q"))
        elif module.startswith("p."):
            found.append("." + module.removeprefix("p"))
    elif path.startswith("p/"):
        if module == "p":
            found.append(".")
        elif module.startswith("p."):
            found.append(module.removeprefix("p"))
    return found


@st.composite
def statement(draw: st.DrawFn, path: str, nested: bool = False) -> str:
    """One statement of a module's top level, perhaps of several lines."""
    module = draw(st.sampled_from(MODULES))
    name = draw(st.sampled_from(NAMES))
    spelled = draw(st.sampled_from(_relative(path, module)))
    imports = [
        f"from {spelled} import {name}",
        f"from {spelled} import {name} as {name}2",
        f"import {module}",
        f"import {module} as alias",
    ]
    if "." in module:
        package, _, last = module.rpartition(".")
        package = draw(st.sampled_from(_relative(path, package)))
        imports.append(f"from {package} import {last}")
    plain = [f"{n} = 1" for n in ("x", "y")] + [
        "class C: pass",
        "def f(): return x",
    ]
    kinds = ["import", "import", "import", "plain", "plain"]
    if not nested:
        kinds += ["star", "try", "use", "base", "call", "local", "getattr", "all"]
    kind = draw(st.sampled_from(kinds))
    simple = draw(st.sampled_from(imports if kind != "plain" else plain))
    caught = draw(st.sampled_from(["ImportError", "AttributeError", "Exception"]))
    if kind == "star":
        return f"from {spelled} import *"
    if kind == "try":
        inner = draw(statement(path, nested=True)).replace("\n", "\n    ")
        return f"try:\n    {inner}\nexcept {caught}:\n    x = 0"
    if kind == "use":
        return f"import {module} as alias\nz = alias.{name}"
    if kind == "base":
        return f"import {module} as alias\nclass D(getattr(alias, 'C', object)): pass"
    if kind == "call":
        return f"from {spelled} import f as g\ng()"
    if kind == "local":
        return f"def f():\n    {simple}\n    return 1"
    if kind == "getattr":
        return "def __getattr__(name):\n    if name == 'y':\n        return 1\n" + (
            "    raise AttributeError(name)"
        )
    if kind == "all":
        return f"__all__ = ['{name}']"
    return simple


@st.composite
def projects(draw: st.DrawFn) -> Mapping[str, str]:
    """Files by path; every module has a few statements."""
    files = {}
    for path in PATHS:
        count = draw(st.integers(0, 4))
        lines = [draw(statement(path)) for _ in range(count)]
        files[path] = "\n".join([*lines, ""])
    return files


@st.composite
def projects_with_local_imports(draw: st.DrawFn) -> Mapping[str, str]:
    """Files whose top levels work more often than not, with imports in functions."""
    files = {}
    for path in PATHS:
        lines = []
        before, after = draw(st.integers(0, 1)), draw(st.integers(0, 1))
        top = st.sampled_from(MODULES)
        lines += [f"import {draw(top)} as top{i}" for i in range(before)]
        lines += ["x = y = 1", "class C: pass"]
        for number in range(draw(st.integers(0, 3))):
            module = draw(st.sampled_from(MODULES))
            name = draw(st.sampled_from(("x", "y", "C", "f0")))
            bound = f"{name}_{module.replace('.', '_')}"
            local = draw(
                st.sampled_from(
                    [
                        f"from {module} import {name} as {bound}",
                        f"import {module} as {bound}",
                    ]
                )
            )
            lines.append(f"def f{number}():\n    {local}\n    return {bound}")
        if lines[-1].startswith("def") and draw(st.integers(0, 4)) == 0:
            lines.append("f0()")
        lines += [f"from {draw(top)} import x as late{i}" for i in range(after)]
        files[path] = "\n".join([*lines, ""])
    return files
