"""What expressions of one file mean, as far as its source shows: modules and strings.

Whoever replaces a module's attribute names it in many ways: ``"pkg.mod.x"``,
``f"{M}.x"``, ``pkg.mod``, ``sys.modules["pkg.mod"]``, ``import_module("pkg.mod")``, a
variable that holds one of these. Names are taken without regard to the order in which
they are bound, so one may mean several things.
"""

from __future__ import annotations

import ast
import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence

from codemod.analysis.spelling import last_name
from codemod.hoist.syntax import absolute

_DEPTH = 6
_MOST = 32


class Meanings:
    """The meanings of one file's names, from its statements at every depth."""

    def __init__(self, body: Sequence[ast.stmt], module: str, is_package: bool) -> None:
        self._module = module
        self._imported: defaultdict[str, set[str]] = defaultdict(set)
        self._values: defaultdict[str, list[ast.expr]] = defaultdict(list)
        # What names are known to mean; one that is still asked for means nothing yet,
        # so that names bound by way of each other come to an end.
        self._known_dotted: dict[str, set[str]] = {}
        self._known_strings: dict[str, set[str]] = {}
        self._known_modules: dict[str, bool] = {}
        for node in body:
            self._note(node, is_package)

    def _note(self, node: ast.stmt, is_package: bool) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                meaning = alias.name if alias.asname else top
                self._imported[alias.asname or top].add(meaning)
        elif isinstance(node, ast.ImportFrom):
            target = absolute(self._module, is_package, node.module, node.level)
            for alias in node.names if target else ():
                self._imported[alias.asname or alias.name].add(f"{target}.{alias.name}")
        elif isinstance(node, ast.Assign):
            for name in node.targets:
                if isinstance(name, ast.Name):
                    self._values[name.id].append(node.value)
        elif isinstance(node, ast.AnnAssign):
            if isinstance(node.target, ast.Name) and node.value is not None:
                self._values[node.target.id].append(node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor)) and isinstance(
            node.target, ast.Name
        ):
            self._values[node.target.id] += elements(node.iter)

    def other_names_of(self, wanted: Iterable[str]) -> list[str]:
        """Names that imports give to things whose own last name is in ``wanted``."""
        known = set(wanted)
        return [
            name
            for name, meanings in self._imported.items()
            if name not in known
            and any(m.rpartition(".")[2] in known for m in meanings)
        ]

    def values_of(self, node: ast.expr) -> list[ast.expr]:
        """``node``, and what was assigned to it when it is a name."""
        if isinstance(node, ast.Name):
            return [node, *self._values.get(node.id, ())]
        return [node]

    def dotted(self, node: ast.AST, depth: int = 0) -> set[str]:
        """The dotted names that ``node`` may stand for; of a module, its name."""
        if depth > _DEPTH:
            return set()
        if isinstance(node, ast.Name):
            return self._dotted_name(node.id, depth)
        if isinstance(node, ast.Attribute):
            return {f"{d}.{node.attr}" for d in self.dotted(node.value, depth)}
        if isinstance(node, ast.Subscript):
            if self.is_sys_modules(node.value, depth + 1):
                return self.strings(node.slice, depth + 1)
        elif isinstance(node, ast.Call) and node.args:
            name = last_name(node.func)
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            modules = name == "get" and owner is not None
            if name in ("import_module", "__import__", "reload") or (
                modules and self.is_sys_modules(owner, depth + 1)
            ):
                first = node.args[0]
                if name == "reload":
                    return self.dotted(first, depth + 1)
                return self.strings(first, depth + 1)
        return set()

    def is_sys_modules(self, node: ast.AST | None, depth: int = 0) -> bool:
        """Whether ``node`` is ``sys.modules``, by any name."""
        if isinstance(node, ast.Name) and depth <= _DEPTH:
            if node.id not in self._known_modules:
                self._known_modules[node.id] = False
                imported = "sys.modules" in self._imported.get(node.id, ())
                values = self._values.get(node.id, ())
                self._known_modules[node.id] = imported or any(
                    self.is_sys_modules(value, depth + 1) for value in values
                )
            return self._known_modules[node.id]
        return (
            isinstance(node, ast.Attribute)
            and node.attr == "modules"
            and isinstance(node.value, ast.Name)
            and (node.value.id == "sys" or "sys" in self.dotted(node.value, depth + 1))
        )

    def strings(self, node: ast.AST, depth: int = 0) -> set[str]:
        """The strings that ``node`` may be."""
        if depth > _DEPTH:
            return set()
        if isinstance(node, ast.Constant):
            return {node.value} if isinstance(node.value, str) else set()
        if isinstance(node, ast.Name):
            return self._strings_of_name(node.id, depth)
        if isinstance(node, ast.Attribute) and node.attr == "__name__":
            return self.dotted(node.value, depth + 1)
        if isinstance(node, ast.JoinedStr):
            return self._joined(node.values, depth)
        if isinstance(node, ast.FormattedValue):
            plain = node.format_spec is None and node.conversion in (-1, 115)
            return self.strings(node.value, depth + 1) if plain else set()
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Add):
                return self._joined([node.left, node.right], depth)
            if isinstance(node.op, ast.Mod):
                right = node.right
                parts = right.elts if isinstance(right, ast.Tuple) else [right]
                return self._filled(node.left, "%s", parts, depth)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "format"
            and not node.keywords
        ):
            return self._filled(node.func.value, "{}", node.args, depth)
        return set()

    def _dotted_name(self, name: str, depth: int) -> set[str]:
        found = self._known_dotted.get(name)
        if found is None:
            found = self._known_dotted[name] = set(self._imported.get(name, ()))
            for value in self._values.get(name, ()):
                found |= self.dotted(value, depth + 1)
        return found

    def _strings_of_name(self, name: str, depth: int) -> set[str]:
        found = self._known_strings.get(name)
        if found is None:
            found = self._known_strings[name] = set()
            if name == "__name__":
                found.add(self._module)
            for value in self._values.get(name, ()):
                found |= self.strings(value, depth + 1)
        return found

    def _joined(self, parts: Sequence[ast.expr], depth: int) -> set[str]:
        found = [self.strings(part, depth + 1) for part in parts]
        combinations = itertools.islice(itertools.product(*found), _MOST)
        return {"".join(combination) for combination in combinations}

    def _filled(
        self, node: ast.expr, hole: str, parts: Sequence[ast.expr], depth: int
    ) -> set[str]:
        """The format ``node`` with its holes filled, where each is a plain one."""
        found = [self.strings(part, depth + 1) for part in parts]
        filled: set[str] = set()
        for text in self.strings(node, depth + 1):
            if text.count(hole) != len(parts):
                continue
            pieces = text.split(hole)
            for values in itertools.islice(itertools.product(*found), _MOST):
                pairs = zip(pieces, [*values, ""])
                filled.add("".join(piece + value for piece, value in pairs))
        return filled


def elements(node: ast.expr) -> list[ast.expr]:
    """The elements of a literal list, tuple or set, none of anything else."""
    return node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else []
