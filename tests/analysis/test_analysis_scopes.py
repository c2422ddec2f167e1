"""Scopes against the interpreter's own symbol tables, on the standard library."""

from __future__ import annotations

import ast
import random
import symtable
import sysconfig
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemod.analysis.scopes import lookup_scopes
from codemod.analysis.summarise import summarise
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.walk import Walker

STDLIB = Path(sysconfig.get_paths()["stdlib"])
ODD = (
    "test/test_scope.py",
    "test/test_grammar.py",
    "test/test_patma.py",
    "test/test_fstring.py",
    "test/test_named_expressions.py",
    "test/test_comprehensions.py"
    if (STDLIB / "test/test_comprehensions.py").exists()
    else "typing.py",
    "dataclasses.py",
    "enum.py",
    "asyncio/base_events.py",
)


def files(count: int) -> list[Path]:
    """The odd files that are there, and a fixed random choice of others."""
    every = sorted(p for p in STDLIB.rglob("*.py") if "site-packages" not in p.parts)
    chosen = random.Random(7).sample(every, min(count, len(every)))
    return [STDLIB / name for name in ODD if (STDLIB / name).exists()] + chosen


def parsed(count: int) -> Iterator[tuple[Path, str, ast.Module]]:
    for path in files(count):
        text = path.read_bytes().decode("utf-8-sig", "replace")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                yield path, text, ast.parse(text)
            except SyntaxError:
                continue  # files that are meant not to parse


def tables(top: symtable.SymbolTable) -> dict[str, symtable.SymbolTable]:
    """Function and class blocks by dotted path, for paths that name one block only."""
    found: dict[str, list[symtable.SymbolTable]] = {}

    def visit(table: symtable.SymbolTable, path: str) -> None:
        for child in table.get_children():
            kind = str(child.get_type()).rpartition(".")[2].lower()
            named = kind in ("function", "class") and child.get_name() not in (
                *("lambda", "listcomp", "setcomp", "dictcomp", "genexpr"),
            )
            inner = path
            if named:
                inner = f"{path}.{child.get_name()}" if path else child.get_name()
                found.setdefault(inner, []).append(child)
            visit(child, inner)

    visit(top, "")
    return {path: each[0] for path, each in found.items() if len(each) == 1}


def test_lookup_agrees_with_the_symbol_table() -> None:
    compared = 0
    for path, text, tree in parsed(60):
        try:
            top = symtable.symtable(text, str(path), "exec")
        except SyntaxError:
            continue
        known = tables(top)
        walker = Walker(Vocabulary(), "m", False)
        walker.walk(tree)
        for name, spots in walker.names.items():
            for spot in spots:
                scope = spot.scope
                table = known.get(scope.path)
                if scope.kind not in ("function", "class") or table is None:
                    continue
                try:
                    symbol = table.lookup(name)
                except KeyError:
                    continue  # mangled private names
                owners = lookup_scopes(name, scope)
                place = f"{path}:{spot.node.lineno}: {name} in {scope.path}"
                if symbol.is_global():
                    assert all(o.kind == "module" for o in owners), place
                elif symbol.is_free():
                    assert owners[0] is not scope, place
                    assert owners[0].kind in ("function", "lambda", "types"), place
                elif symbol.is_local():
                    assert owners[0] is scope, place
                compared += 1
    assert compared > 20_000


@pytest.mark.parametrize("word", ["self", "name", "value", "path"])
def test_skipping_what_mentions_no_word_changes_no_fact(word: str) -> None:
    """A scan walks only definitions that mention a word; the facts are the same."""
    words = Vocabulary(
        getters=frozenset({f"get_{word}", "getenv", "get_event_loop"}),
        objects=frozenset({word}),
        attributes=frozenset({word}),
    )
    seen: Counter[str] = Counter()
    for path, text, _ in parsed(40):
        quick = summarise(text, "m", False, words, close=True)
        whole = summarise(text, "m", False, words, close=True, whole=True)
        places = [(c.line, c.column, c.text, c.origins) for c in quick.candidates]
        assert places == [
            (c.line, c.column, c.text, c.origins) for c in whole.candidates
        ], path
        assert quick.uses == whole.uses, path
        assert set(quick.stores) == set(whole.stores), path
        assert quick.record_names == whole.record_names, path
        assert quick.references == whole.references, path
        seen["candidates"] += len(places)
    assert seen["candidates"], "nothing was compared"
