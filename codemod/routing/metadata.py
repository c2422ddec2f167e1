"""The namespace that a field's own declaration says, in every spelling.

* ``A[int, NS("exec.moe")]`` with any alias ``A`` of ``typing.Annotated``, also inside
  ``Optional[…]``, ``… | None`` or another ``Annotated``, as a string, through a type
  alias, and with the marker under any imported name;
* ``field(metadata={"ns": "exec.moe"})`` of dataclasses and attrs, and pydantic's
  ``Field(json_schema_extra={"ns": "exec.moe"})``, when the pack gives the key.

What an annotation means is typing's business (PEP 593, PEP 563); here it is read as
text, so a module that cannot be imported is read all the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.packs import PackError, Routes
from codemod.routing.sources import Module, Sources, dotted_name
from codemod.routing.static import Scope, Static

_METADATA = ("metadata", "json_schema_extra", "schema_extra", "extra")
_MARKER_KEYWORDS = ("path", "namespace", "ns", "name")


class Metadata:
    """Reads declarations by one pack's routes table."""

    def __init__(self, sources: Sources, routes: Routes) -> None:
        self._sources = sources
        self._static = Static(sources)
        self._marker = routes.marker
        self._key = routes.metadata_key
        self._known: dict[tuple[str, str], bool] = {}

    def namespace(
        self,
        name: str,
        annotation: ast.expr | None,
        default: ast.expr | None,
        scope: Scope,
    ) -> str | None:
        """The namespace of the field ``name``, or None when nothing says one.

        Raises PackError, at the line in the source, for a namespace that is there
        and cannot be read, that is no dotted name, or that another one contradicts.
        """
        found: dict[str, int] = {}
        if annotation is not None:
            for call, where in self._annotated(annotation, scope):
                line = _line(call, annotation)
                if self._is_marker(call.func, where.module):
                    value = self._argument(call)
                    found.setdefault(self._read(name, value, where, line), line)
                else:
                    self._from_call(name, call, where, line, found)
        if isinstance(default, ast.Call):
            self._from_call(name, default, scope, default.lineno, found)
        if len(found) > 1:
            both = " and ".join(repr(namespace) for namespace in found)
            line = max(found.values())
            raise self._error(scope, line, name, f"is routed twice: to {both}")
        return next(iter(found), None)

    def _annotated(
        self, node: ast.expr, scope: Scope, depth: int = 0
    ) -> Iterator[tuple[ast.Call, Scope]]:
        """The calls among the metadata of every ``Annotated`` in an annotation."""
        if depth > 20:
            return
        if isinstance(node, ast.Constant):
            parsed = parse_string(node)
            if parsed is not None:
                yield from self._annotated(parsed, scope, depth + 1)
        elif isinstance(node, ast.Subscript):
            parts = (
                node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            )
            if last_name(node.value, scope.module) == "Literal":
                return
            calls = [part for part in parts if isinstance(part, ast.Call)]
            for part in parts:
                if isinstance(part, ast.Call):
                    yield part, scope
                # Only ``Annotated`` takes calls; of its parts only the first is a
                # type, and a string among the others is just a string.
                elif part is parts[0] or not calls:
                    yield from self._annotated(part, scope, depth + 1)
        elif isinstance(node, ast.BinOp):
            yield from self._annotated(node.left, scope, depth + 1)
            yield from self._annotated(node.right, scope, depth + 1)
        elif isinstance(node, (ast.Name, ast.Attribute)):
            alias = self._type_alias(node, scope.module)
            if alias is not None:
                yield from self._annotated(*alias, depth + 1)

    def _type_alias(
        self, node: ast.expr, module: Module
    ) -> tuple[ast.expr, Scope] | None:
        """``Exec = Annotated[…]`` used by its name, from this module or a sibling."""
        name = dotted_name(node)
        if name is None:
            return None
        head = name.partition(".")[0]
        if head not in module.values and head not in module.imports:
            return None  # a builtin, a class: do not go looking
        try:
            found = self._sources.resolve(module, name)
        except PackError:
            return None
        if found is None or not isinstance(found[1], ast.Subscript):
            return None
        return found[1], Scope(found[0])

    def _is_marker(self, func: ast.expr, module: Module) -> bool:
        name = dotted_name(func)
        if name is None:
            return False
        known = self._known.get((module.name, name))
        if known is None:
            known = self._known[module.name, name] = self._names_marker(name, module)
        return known

    def _names_marker(self, name: str, module: Module) -> bool:
        head, _, rest = name.partition(".")
        if rest:
            return rest.rpartition(".")[2] == self._marker
        imported = module.imports.get(head)
        if imported is not None and imported.name == self._marker:
            return True
        if head == self._marker and imported is None and head not in module.values:
            return True
        try:
            found = self._sources.resolve(module, name)
        except PackError:
            return False
        if found is not None and isinstance(found[1], ast.ClassDef):
            return found[1].name == self._marker
        # ``Where = markers.NS`` or ``Where = NS`` of a module that is not at hand
        values = module.values.get(head, [])
        target = dotted_name(values[0]) if len(values) == 1 else None
        return (
            target is not None and target != name and self._names_marker(target, module)
        )

    @staticmethod
    def _argument(call: ast.Call) -> ast.expr | None:
        if call.args:
            return call.args[0]
        named = {k.arg: k.value for k in call.keywords if k.arg}
        for keyword in _MARKER_KEYWORDS:
            if keyword in named:
                return named[keyword]
        return next(iter(named.values())) if len(named) == 1 else None

    def _from_call(
        self, name: str, call: ast.Call, scope: Scope, line: int, found: dict[str, int]
    ) -> None:
        if self._key is None:
            return
        for keyword in call.keywords:
            if keyword.arg in _METADATA:
                entry = self._static.entry(keyword.value, self._key, scope)
            elif keyword.arg == self._key and _is_pydantic(call, scope.module):
                entry = keyword.value, scope
            else:
                continue
            if entry is not None:
                found.setdefault(self._read(name, *entry, line), line)

    def _read(self, name: str, value: ast.expr | None, scope: Scope, line: int) -> str:
        text = None if value is None else self._static.string(value, scope)
        if text is None:
            raise self._error(
                scope,
                line,
                name,
                f"its namespace{_shown(value)} cannot be read without running code; "
                "give a string, or a constant assigned once at module level",
            )
        if not all(part.isidentifier() for part in text.split(".")):
            problem = f"its namespace {text!r} is not a dotted name"
            raise self._error(scope, line, name, problem)
        return text

    def _error(self, scope: Scope, line: int, name: str, message: str) -> PackError:
        owner = f"{scope.owner.name}." if scope.owner is not None else ""
        return PackError(scope.module.file, line, owner + name, message)


def _shown(value: ast.expr | None) -> str:
    """The expression as a word of a message, unless it is too long to be read."""
    long = value is None or (value.end_lineno or 0) > value.lineno
    text = "" if value is None or long else ast.unparse(value)
    return f" {text}" if 0 < len(text) <= 60 else ""


def _is_pydantic(call: ast.Call, module: Module) -> bool:
    """pydantic 1 takes keys of one's own as they are: ``Field(…, ns="exec")``."""
    return last_name(call.func, module) == "Field"


def last_name(node: ast.expr, module: Module) -> str:
    """The name something was defined by, as far as this module shows: the last name
    of a dotted one, and what an imported name is called where it comes from."""
    name = dotted_name(node)
    if name is None:
        return ""
    head, _, rest = name.partition(".")
    if rest:
        return rest.rpartition(".")[2]
    imported = module.imports.get(head)
    if imported is not None:
        return imported.name or head
    values = module.values.get(head, [])
    target = dotted_name(values[0]) if len(values) == 1 else None
    return target.rpartition(".")[2] if target else head


def parse_string(node: ast.Constant) -> ast.expr | None:
    """The expression in a string annotation, or None if it holds none."""
    if not isinstance(node.value, str) or not node.value.strip():
        return None
    try:
        return ast.parse(f"({node.value.strip()}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _line(call: ast.Call, annotation: ast.expr) -> int:
    """A call in a string annotation has lines of its own: take the annotation's."""
    inside = annotation.lineno <= call.lineno <= (annotation.end_lineno or 0)
    return call.lineno if inside else annotation.lineno
