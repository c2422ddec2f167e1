"""The mutants: which changes of the code are tried, and which say nothing.

The mutations themselves are cosmic-ray's. A mutation that changes nothing that can be
seen, or one that any run at all would notice, says nothing about the tests; both would
only bend the figure, so they are left out, for the reasons that are given.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

#: What is mutated: the code that decides and the code that rewrites.
FOLDERS = ("codemod/decisions", "codemod/rewrite")

#: Patterns of cosmic-ray's operators, and why they are left out.
LEFT_OUT = (
    (r"ReplaceBinaryOperator_BitOr_", "`X | None` in an annotation is never run"),
    (
        r"ReplaceBinaryOperator_(?!Add_Sub|Sub_Add)",
        "operands that are no numbers raise TypeError, which any test notices",
    ),
    (
        r"ReplaceComparisonOperator_\w+_(?:Is|IsNot)$(?<!_Is_IsNot)(?<!_IsNot_Is)",
        "`is` and `==` mean the same for the constants they are used for",
    ),
    (r"ReplaceComparisonOperator_(?:Is|IsNot)_(?!IsNot$|Is$)", "the same"),
    (
        r"ReplaceComparisonOperator_(?:Eq|NotEq)_(?!NotEq$|Eq$)",
        "words have no order, or asking for it raises TypeError",
    ),
    (r"RemoveDecorator", "a cache that is gone is slower, not different"),
    (r"ReplaceUnaryOperator_(?!Delete_Not)", "`+x` and `~x` on what is no number"),
    (r"Variable", "names of the mutant's own, to be configured"),
)
_LEFT_OUT = re.compile("|".join(pattern for pattern, _ in LEFT_OUT))


@dataclass(frozen=True, slots=True)
class Mutant:
    """The mutation of one place: the ``occurrence``-th of ``operator`` in ``path``."""

    path: str
    operator: str
    occurrence: int
    line: int

    def as_json(self) -> dict[str, str | int]:
        """Its fields, to be written down."""
        return asdict(self)

    def text(self, source: str) -> str | None:
        """``source`` of the file, mutated; None where there is nothing to mutate."""
        try:
            made: str | None = mutate_code(
                source, get_operator(self.operator)(), self.occurrence
            )
        except AttributeError:  # cosmic-ray 8 on ``except (ValueError, a.Error)``
            return None
        return made


def mutants(root: Path) -> Iterator[Mutant]:
    """Every mutant that counts, by file, operator and place."""
    names = [
        name for name in sorted(operator_names()) if not _LEFT_OUT.match(_short(name))
    ]
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            data = _lines_left_out(source)
            nodes = list(ast_nodes(get_ast(source)))
            for name in names:
                operator = get_operator(name)()
                places = [place for n in nodes for place in _places(operator, n)]
                for occurrence, line in enumerate(places):
                    if line not in data:
                        where = path.relative_to(root).as_posix()
                        yield Mutant(where, name, occurrence, line)


def _short(name: str) -> str:
    return name.removeprefix("core/")


def _places(operator: object, node: object) -> Iterator[int]:
    for start, _ in operator.mutation_positions(node):  # type: ignore[attr-defined]
        yield start[0]


def _lines_left_out(source: str) -> set[int]:
    """Lines that are no code to be tested.

    Tables of examples are tests themselves; ``frozen`` and ``slots`` of a dataclass
    forbid what no code does.
    """
    lines: set[int] = set()
    tree = ast.parse(source)
    for node in tree.body:
        target = getattr(node, "target", None) or getattr(node, "targets", [None])[0]
        if isinstance(target, ast.Name) and "EXAMPLES" in target.id:
            lines.update(_lines(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for decorator in node.decorator_list:
                if "dataclass" in ast.unparse(decorator):
                    lines.update(_lines(decorator))
    return lines


def _lines(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
