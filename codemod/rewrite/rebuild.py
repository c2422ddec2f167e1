"""One rebuild of the tree for all operations of a plan, from the leaves up.

Only nodes with an operation at or below them are made anew; everything else is shared
with the old tree, which makes the cost that of the edits and not of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from codemod.rewrite.anchors import FIELDS
from codemod.rewrite.import_insert import with_import
from codemod.rewrite.import_names import edited
from codemod.rewrite.import_place import is_docstring
from codemod.rewrite.import_wrap import fitted
from codemod.rewrite.lines import (
    Gone,
    Settled,
    settled_block,
    settled_line,
    without_removed,
)
from codemod.rewrite.operations import (
    EditNames,
    Enclose,
    Expand,
    InsertImport,
    Ledger,
    Operation,
    Remove,
    Replace,
    Source,
)
from codemod.rewrite.whitespace import comment_lines, parenthesized

_INDENTING = (cst.IndentedBlock, cst.SimpleStatementSuite, cst.Match)


def rebuilt(
    source: Source, operations: Iterable[Operation], ledger: Ledger
) -> cst.Module:
    """Return the module with every operation applied."""
    module = _Rebuild(source, operations, ledger).node(source.module)
    assert isinstance(module, cst.Module)
    return module


class _Rebuild:
    """The operations by the node they are for, and the nodes that must be made anew."""

    def __init__(
        self, source: Source, operations: Iterable[Operation], ledger: Ledger
    ) -> None:
        self.source = source
        self.ledger = ledger
        self.replacements: dict[int, list[Replace]] = {}
        self.removed: set[int] = set()
        self.expansions: dict[int, Expand] = {}
        #: Statements that were made and start a line of their own, by id; they are
        #: held here so that no other object can get their id.
        self.made: dict[int, cst.BaseSmallStatement] = {}
        #: Statements that the rest of their block goes under a ``with`` for, by id.
        self.enclosing: dict[int, Enclose] = {}
        self.names: dict[int, EditNames] = {}
        self.inserts: dict[int, list[InsertImport]] = {}
        self.touched: set[int] = set()
        for operation in operations:
            self._register(operation)

    def _register(self, operation: Operation) -> None:
        if isinstance(operation, InsertImport):
            node = operation.block
            self.inserts.setdefault(id(node), []).append(operation)
        else:
            node = operation.node
        if isinstance(operation, Replace):
            self.replacements.setdefault(id(node), []).append(operation)
        elif isinstance(operation, Remove):
            self.removed.add(id(node))
        elif isinstance(operation, Expand):
            self.expansions[id(node)] = operation
        elif isinstance(operation, Enclose):
            self.enclosing[id(node)] = operation
        elif isinstance(operation, EditNames):
            known = self.names.get(id(node), EditNames(node))
            self.names[id(node)] = EditNames(
                node, known.add + operation.add, known.remove | operation.remove
            )
        above: cst.CSTNode | None = node
        while above is not None and id(above) not in self.touched:
            self.touched.add(id(above))
            above = self.source.parent(above)

    def node(self, node: cst.CSTNode) -> cst.CSTNode | Gone:
        """Return ``node`` with all operations at and below it applied."""
        if id(node) not in self.touched:
            return node
        if isinstance(node, (cst.Module, cst.IndentedBlock)):
            return self._block(node)
        if isinstance(node, cst.SimpleStatementLine):
            return self._line(node)
        if isinstance(node, cst.SimpleStatementSuite):
            return self._suite(node)
        result = self._with_children(node)
        for replacement in self.replacements.get(id(node), ()):
            result = replacement.make(result)
        return result

    def _with_children(self, node: cst.CSTNode) -> cst.CSTNode:
        changes: dict[str, object] = {}
        for field in FIELDS.get(type(node), ()):
            value = getattr(node, field)
            if isinstance(value, cst.CSTNode):
                if id(value) in self.touched:
                    changes[field] = self.node(value)
            elif isinstance(value, (list, tuple)) and any(
                id(child) in self.touched for child in value
            ):
                changes[field] = [self.node(child) for child in value]
        if not changes:
            return node
        try:
            return node.with_changes(**changes)
        except cst.CSTValidationError:
            # `getattr(sa,"x")if y else z`: the new text ends or starts with a letter
            # where the old one had a bracket and needed no space.
            return node.with_changes(
                **{
                    field: parenthesized(value)
                    if isinstance(value, cst.BaseExpression)
                    else value
                    for field, value in changes.items()
                }
            )

    def _smalls(
        self, body: Sequence[cst.BaseSmallStatement]
    ) -> list[tuple[cst.BaseSmallStatement, cst.BaseSmallStatement | None]]:
        """Return the small statements of a line before and after, one or more each."""
        found: list[tuple[cst.BaseSmallStatement, cst.BaseSmallStatement | None]] = []
        for part in body:
            small = self._small(part)
            expansion = self.expansions.get(id(part))
            if expansion is None or small is None:
                found.append((part, small))
                continue
            made = expansion.make(small)
            found += [(part, each) for each in made]
            if len(body) == 1:
                self.made.update({id(each): each for each in made})
        return found

    def _on_own_lines(
        self, body: Sequence[cst.BaseStatement]
    ) -> list[cst.BaseStatement]:
        """Return the statements of a block with what was made on lines of its own."""
        body = self._enclosed(list(body))
        if not self.made:
            return body
        found: list[cst.BaseStatement] = []
        for line in body:
            if isinstance(line, cst.SimpleStatementLine) and any(
                id(part) in self.made for part in line.body
            ):
                found += _apart(line)
            else:
                found.append(line)
        return found

    def _enclosed(self, body: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """Return the statements of a block with the rest of it under a ``with``."""
        if not self.enclosing:
            return body
        # From the end, so that one encloses the next.
        for index, line in reversed([*enumerate(body[:-1])]):
            if not isinstance(line, cst.SimpleStatementLine):
                continue
            statement, *_ = line.body
            operation = self.enclosing.get(id(statement))
            if operation is not None:
                under = cst.With(
                    items=[cst.WithItem(operation.item)],
                    body=cst.IndentedBlock(
                        body[index + 1 :], header=line.trailing_whitespace
                    ),
                    leading_lines=line.leading_lines,
                )
                body[index:] = [under]
        return body

    def _small(self, node: cst.BaseSmallStatement) -> cst.BaseSmallStatement | None:
        """Return a small statement after its operations, None when it is removed."""
        if id(node) in self.removed:
            return None
        if (change := self.names.get(id(node))) is not None:
            assert isinstance(node, (cst.Import, cst.ImportFrom))
            return edited(node, change.add, change.remove, self.ledger.dropped)
        if id(node) in self.enclosing:
            return node  # it goes once the block is whole
        result = self.node(node)
        assert isinstance(result, cst.BaseSmallStatement)
        return result

    def _line(self, line: cst.SimpleStatementLine) -> cst.SimpleStatementLine | Gone:
        pairs = self._smalls(line.body)
        result = settled_line(
            line.with_changes(body=[before for before, _ in pairs]),
            [after for _, after in pairs],
            self.ledger,
        )
        if isinstance(result, Gone):
            return result
        if not any(id(part) in self.names for part in line.body):
            return result
        return fitted(line, result, self._indent(line), self.source)

    def _suite(
        self, suite: cst.SimpleStatementSuite
    ) -> cst.SimpleStatementSuite | cst.IndentedBlock:
        pairs = self._smalls(suite.body)
        kept, comments = without_removed(
            [before for before, _ in pairs], [after for _, after in pairs]
        )
        inserts = self.inserts.get(id(suite), ())
        has_comment = suite.trailing_whitespace.comment is not None
        if not kept and (has_comment or not inserts):
            kept = [cst.Pass()]
        if not inserts and not comments:
            return suite.with_changes(body=kept)
        self.ledger.note("a one-line body was put on lines of its own")
        line = cst.SimpleStatementLine(
            body=kept,
            leading_lines=comment_lines(comments),
            trailing_whitespace=suite.trailing_whitespace,
        )
        body = Settled([line] if kept else [], [0], [])
        if inserts and kept and is_docstring(line):
            # It is a docstring only as the first statement of all.
            docstring, *others = kept
            docstring = docstring.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
            lines = [line.with_changes(body=[docstring])]
            if others:
                first = cst.SimpleStatementLine(
                    [docstring], leading_lines=line.leading_lines
                )
                lines = [first, line.with_changes(body=others, leading_lines=())]
            body = Settled([*lines], [1], [])
        self._insert(body, inserts, None, self._indent(suite))
        return cst.IndentedBlock(body=body.body)

    def _block(
        self, block: cst.Module | cst.IndentedBlock
    ) -> cst.Module | cst.IndentedBlock:
        is_module = isinstance(block, cst.Module)
        after: list[cst.BaseStatement | Gone] = []
        for statement in block.body:
            result = self.node(statement)
            assert isinstance(result, (cst.BaseStatement, Gone))
            after.append(result)
        header = block.header if isinstance(block, cst.Module) else None
        settled = settled_block(after, header)
        module = self._insert(
            settled,
            self.inserts.get(id(block), ()),
            block if isinstance(block, cst.Module) else None,
            self._indent(block),
        )
        if not settled.body and not is_module:
            settled.body.append(
                cst.SimpleStatementLine([cst.Pass()], leading_lines=settled.left)
            )
            settled.left = []
        changed = module or block
        footer = [*settled.left, *changed.footer]
        return changed.with_changes(
            body=self._on_own_lines(settled.body), footer=footer
        )

    def _insert(
        self,
        settled: Settled,
        inserts: Sequence[InsertImport],
        module: cst.Module | None,
        indent: str,
    ) -> cst.Module | None:
        """Put new import lines into ``settled``; return the module if it changed."""
        # From the end, so that the places of the others stay true.
        for insert in sorted(inserts, key=_place, reverse=True):
            module = with_import(settled, insert, module, indent, self.source)
        return module

    def _indent(self, node: cst.CSTNode | None) -> str:
        """Return the whitespace in front of the lines in a block, or of a line."""
        indent = ""
        while node is not None:
            if isinstance(node, _INDENTING):
                own = getattr(node, "indent", None)
                indent += self.source.module.default_indent if own is None else own
            node = self.source.parent(node)
        return indent


def _apart(line: cst.SimpleStatementLine) -> list[cst.SimpleStatementLine]:
    """Return a line for each statement of ``line``."""
    lines = [cst.SimpleStatementLine([part]) for part in line.body]
    lines[0] = lines[0].with_changes(leading_lines=line.leading_lines)
    lines[-1] = lines[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
    return lines


def _place(insert: InsertImport) -> tuple[int, str, bool, list[str]]:
    """Order new lines of one place: by module, names with ``as`` first."""
    renaming = all(name.asname for name in insert.names)
    bound = [name.bound for name in insert.names]
    return insert.index, insert.module.lower(), not renaming, bound
