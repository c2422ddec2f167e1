"""What a field's annotation can say about the field, apart from its type."""

from dataclasses import dataclass
from typing import Annotated

A = Annotated


@dataclass(frozen=True)
class NS:
    """The namespace a field is read from, such as ``exec.kernel``."""

    path: str


@dataclass(frozen=True)
class Help:
    """One line for the command line's help."""

    text: str
