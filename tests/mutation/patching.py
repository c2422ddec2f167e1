"""Put the code of a mutant into the functions of a process that has them loaded.

Functions keep their identity and get another ``__code__``, so that whoever imported
them runs the mutant. What a module or a class body does once cannot be put in so.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType

#: A function by the name and the first line of its code.
Key = tuple[str, int]


@dataclass(frozen=True)
class Difference:
    """The functions of a file that a mutation changes; ``outside``: not only these."""

    functions: dict[Key, CodeType]
    outside: bool


def difference(before: str, after: str, path: str) -> Difference:
    """What differs between two texts of a file, by functions of modules and classes."""
    old, outer_old = _compiled(before, path)
    new, outer_new = _compiled(after, path)
    changed = {key: code for key, code in new.items() if _text(code) != _text(old[key])}
    return Difference(changed, outer_old != outer_new)


def _compiled(text: str, path: str) -> tuple[dict[Key, CodeType], list[object]]:
    """The functions that are in no function, and what is left of the file."""
    functions: dict[Key, CodeType] = {}
    outside: list[object] = []
    bodies = [compile(text, path, "exec", dont_inherit=True)]
    while bodies:
        body = bodies.pop()
        constants: list[object] = []
        for constant in body.co_consts:
            if not isinstance(constant, CodeType):
                constants.append((type(constant), constant))
            elif constant.co_flags & 0x2:  # CO_NEWLOCALS: a function, not a class
                functions[key_of(constant)] = constant
            else:
                bodies.append(constant)
        outside += [body.co_code, body.co_names, constants]
    return functions, outside


def _text(code: CodeType) -> list[object]:
    """What a code object does, nested ones included, without its lines."""
    return [
        code.co_code,
        code.co_names,
        code.co_exceptiontable if hasattr(code, "co_exceptiontable") else b"",
        [_text(c) if isinstance(c, CodeType) else (type(c), c) for c in code.co_consts],
    ]


def key_of(code: CodeType) -> Key:
    """The name and line by which a function of a file is known."""
    return code.co_name, code.co_firstlineno


def loaded_functions(folders: tuple[str, ...]) -> Iterator[FunctionType]:
    """The functions of this process whose files are in some folders."""
    gc.unfreeze()
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and found.__code__.co_filename.startswith(
            folders
        ):
            yield found
