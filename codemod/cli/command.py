"""From a function to a command: options in bundles, exit codes, errors.

A command is a function that returns its exit code. A parameter whose type is a frozen
dataclass is a bundle: each of the dataclass's fields becomes an option, and the
function gets the filled dataclass.

    def scan(work: Work, look: Look, format_: FormatOption = Format.text) -> int:
        ...
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, get_type_hints

import typer

from codemod.cli.exits import FAULT, INTERRUPTED, USAGE, UsageError
from codemod.cli.options import Look
from codemod.cli.screen import Screen, When

Command = Callable[..., int]


def register(app: typer.Typer, function: Command, name: str, epilog: str = "") -> None:
    """Add ``function`` to ``app``; its docstring is the help, ``epilog`` examples."""
    app.command(name, epilog=f"\b\n{epilog}" if epilog else None)(_spread(function))


@dataclass(frozen=True, slots=True)
class _Bundle:
    cls: type[Any]
    names: tuple[str, ...]


def _spread(function: Command) -> Callable[..., None]:
    """``function`` with the fields of its bundles as parameters of their own."""
    # Not get_type_hints: before Python 3.11 it makes Optional[Annotated[…]] of a
    # parameter whose default is None, and hides what is annotated.
    hints = inspect.get_annotations(function, eval_str=True)
    bundles: dict[str, _Bundle] = {}
    own: list[inspect.Parameter] = []
    shared: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if is_dataclass(hints[name]) and isinstance(hints[name], type):
            parts = list(_fields(hints[name]))
            bundles[name] = _Bundle(hints[name], tuple(part.name for part in parts))
            shared += parts
        else:
            keyword = inspect.Parameter.KEYWORD_ONLY
            own.append(parameter.replace(kind=keyword, annotation=hints[name]))

    def command(**given: Any) -> None:
        arguments = {
            name: bundle.cls(**{part: given.pop(part) for part in bundle.names})
            for name, bundle in bundles.items()
        }
        colors: list[When] = [
            b.color.value for b in arguments.values() if isinstance(b, Look)
        ]
        color = colors[0] if colors else "auto"
        raise typer.Exit(guarded(lambda: function(**arguments, **given), color))

    parameters = [*own, *shared]
    command.__name__ = function.__name__
    command.__doc__ = function.__doc__
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command


def _fields(bundle: type[Any]) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(bundle, include_extras=True)
    for field in fields(bundle):
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        yield inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=hints[field.name],
        )


def guarded(work: Callable[[], int], color: When = "auto") -> int:
    """The exit code of ``work``; an error that a person can act on is printed."""
    from codemod.packs.errors import PackError
    from codemod.project.model import ProjectError

    try:
        return work()
    except KeyboardInterrupt:
        return interrupted(color)
    except UsageError as error:
        message, hint = error.message, error.hint
    except PackError as error:
        message, hint = str(error), _pack_hint(error.key)
    except ProjectError as error:
        message, hint = str(error), ""
    except OSError as error:
        # The machine said no: a full disk, no folder for temporary files, no git.
        place = "" if error.filename is None else f": {error.filename}"
        message = f"{error.strerror or error}{place}"
        hint = "see what stands in the way, and run it again; every file is whole"
    except Exception:
        # Not 1, with which Python would end: that is an answer, and this is none.
        traceback.print_exc()
        Screen(color).error(
            "this is a fault of nsroute itself, and no answer about your code",
            "please report the lines above; no file is half written",
        )
        return FAULT
    Screen(color).error(message, hint)
    return USAGE


def interrupted(color: When = "auto") -> int:
    """Say that the run ended early, and what that means for the files."""
    Screen(color).error("interrupted; every file is whole, old or new")
    return INTERRUPTED


def _pack_hint(key: str) -> str:
    if key in ("record.class", "routes.from"):
        return (
            "is ROOT the directory that holds the top-level packages (see --root), "
            "and no --include or --exclude leaves the module out?"
        )
    return ""
