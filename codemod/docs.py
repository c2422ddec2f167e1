"""Writes the pages of ``docs/`` that are made from the code.

``python -m codemod.docs FOLDER``, or ``make docs``.

Each reason, form, transform and guard carries its own page as a docstring and its own
examples, which the tests run; so the docs cannot say what the code does not do.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType


@dataclass(frozen=True, slots=True)
class Section:
    """One folder of pages: where it is written, its title, and its modules."""

    folder: str
    title: str
    intro: str
    modules: tuple[ModuleType, ...]


def sections() -> list[Section]:
    """Every kind of page there is code for."""
    from codemod.decisions.forms import FORMS
    from codemod.decisions.reasons import ORDER
    from codemod.guards import GUARDS
    from codemod.hoist.reasons import ALL

    return [
        Section(
            "reasons",
            "Why a read is kept",
            "The reasons are asked in this order; the first that holds names the keep.",
            ORDER,
        ),
        Section(
            "forms",
            "How a read gets at the record",
            "The `form` of a read in `nsroute scan`.",
            FORMS,
        ),
        Section(
            "guards",
            "What `nsroute check` keeps",
            "A pack's `[guards]` says which run and what they are told; a line may be "
            "excused with `# nsroute: keep[reason] why`.",
            tuple(GUARDS.values()),
        ),
        Section(
            "hoist",
            "Why a local import stays",
            "`nsroute hoist` asks these reasons in this order; the first that holds "
            "names the keep. In the examples it stays on the lines marked `# <-`.",
            ALL,
        ),
    ]


def pages() -> dict[str, str]:
    """The text of every generated page, by its path below ``docs``."""
    found: dict[str, str] = {}
    for section in sections():
        lines = [f"# {section.title}", "", section.intro, ""]
        for module in section.modules:
            name = module.__name__.rpartition(".")[2].replace("_", "-")
            lines.append(f"- [`{module.CODE}`]({name}.md): {module.SUMMARY}")
            found[f"{section.folder}/{name}.md"] = _page(module)
        found[f"{section.folder}/README.md"] = "\n".join([*lines, ""])
    return found


def _page(module: ModuleType) -> str:
    doc = inspect.getdoc(module) or ""
    lines = [f"# `{module.CODE}`", "", module.SUMMARY, "", _markdown(doc), ""]
    for title, text in _examples(module):
        lines += [title, "", "```python", text.rstrip(), "```", ""]
    return "\n".join(lines)


def _examples(module: ModuleType) -> Iterator[tuple[str, str]]:
    example = getattr(module, "EXAMPLE", None)
    if isinstance(example, dict):  # a small project, by path
        for path, text in example.items():
            yield f"`{path}`:", text or "# empty"
    elif example is not None:
        yield "Example:", example
    if hasattr(module, "BEFORE"):
        yield "Before:", module.BEFORE
        if module.AFTER != module.BEFORE:
            yield "After:", module.AFTER
    for sample in getattr(module, "INVALID", ())[:1]:
        text = sample.text or next(iter(sample.files.values()))
        yield "Found, on the lines marked `# <-`:", text
    for sample in getattr(module, "VALID", ())[:1]:
        if len(sample.text.splitlines()) > 1:
            yield "Fine:", sample.text


def _markdown(doc: str) -> str:
    """A docstring's double backquotes as Markdown's single ones."""
    return re.sub(r"``(.+?)``", r"`\1`", doc, flags=re.DOTALL)


def write(folder: Path) -> None:
    """Write every page below ``folder``, and remove pages of what is gone."""
    made = pages()
    for section in sections():
        for old in (folder / section.folder).glob("*.md"):
            if f"{section.folder}/{old.name}" not in made:
                old.unlink()
    for path, text in made.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    importlib.import_module("codemod.docs").write(Path(sys.argv[1]))
