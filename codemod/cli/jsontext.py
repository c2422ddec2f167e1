"""Results as JSON: the same bytes for the same result, one line for each list item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def json_bytes(result: Mapping[str, Any]) -> bytes:
    """A result as a JSON object in UTF-8.

    Each key has its line, and each item of a list too, so that a line-wise ``grep`` or
    ``diff`` of two results says something. Values may be dataclasses.
    """
    import msgspec

    def encode(value: object) -> bytes:
        try:
            return msgspec.json.encode(value)
        except UnicodeEncodeError:  # a lone surrogate, from a path that is not UTF-8
            return msgspec.json.encode(_printable(msgspec.to_builtins(value)))

    parts = []
    for key, value in result.items():
        if isinstance(value, Sequence) and not isinstance(value, str) and value:
            items = b",\n  ".join(map(encode, value))
            parts.append(encode(key) + b": [\n  " + items + b"\n ]")
        else:
            parts.append(encode(key) + b": " + encode(value))
    return b"{\n " + b",\n ".join(parts) + b"\n}\n"


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Mapping):
        return {_printable(key): _printable(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_printable(item) for item in value]
    return value
