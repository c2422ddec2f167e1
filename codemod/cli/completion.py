"""What the shell offers for a word on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemod.packs import Pack


def complete_rules(incomplete: str) -> list[str]:
    """Built-in packs, and TOML files."""
    from codemod.packs import builtin_packs

    names = [name for name in builtin_packs() if name.startswith(incomplete)]
    return names + _paths(incomplete, ".toml")


def complete_reason(incomplete: str) -> list[str]:
    """What ``scan --reason`` takes: the codes of the reasons, the pack's own too."""
    from codemod.decisions.reasons import ORDER

    codes = ["convert", *(module.CODE for module in ORDER if module.CODE != "keep")]
    pack = _pack_here()
    if pack is not None:
        codes += [rule.reason for rule in pack.keeps]
    return _beginning(codes, incomplete)


def complete_import_reason(incomplete: str) -> list[str]:
    """What ``hoist --reason`` takes."""
    from codemod.hoist.reasons import ALL

    return _beginning(["hoist", *(module.CODE for module in ALL)], incomplete)


def complete_guard(incomplete: str) -> list[str]:
    """The names of the guards."""
    from codemod.packs import GUARD_NAMES

    return _beginning(GUARD_NAMES, incomplete)


def complete_step(incomplete: str) -> list[str]:
    """The steps of the series; of a step by namespace also each of its parts."""
    from codemod.series.steps import series_of

    pack = _pack_here()
    if pack is None:
        return []
    names: list[str] = []
    for step in series_of(pack):
        names.append(step.name)
        if step.split == "namespace":
            roots = (each.root.partition(".")[0] for each in pack.accessors)
            names += [f"{step.name}/{root}" for root in roots]
    return _beginning(names, incomplete)


def _pack_here() -> Pack | None:
    """The pack of the current directory: a word may be completed before there is one.

    The options before the word are not asked; completion is a help and no promise.
    """
    from codemod.packs import load_pack
    from codemod.packs.errors import PackError

    try:
        return load_pack(None, Path())
    except (PackError, OSError):
        return None


def _beginning(words: Iterable[str], incomplete: str) -> list[str]:
    return [word for word in dict.fromkeys(words) if word.startswith(incomplete)]


def complete_path(incomplete: str) -> list[str]:
    """Python files, and directories on the way to them."""
    return _paths(incomplete, ".py")


def complete_folder(incomplete: str) -> list[str]:
    """Directories."""
    return _paths(incomplete, "/")


def _paths(incomplete: str, suffix: str) -> list[str]:
    head, slash, stem = incomplete.rpartition("/")
    try:
        entries = sorted(Path(head or slash or ".").iterdir())
    except OSError:
        return []
    found = []
    for entry in entries:
        # Hidden ones only when the word begins like one, as a shell does.
        if not entry.name.startswith(stem or "") or (entry.name[0] == "." and not stem):
            continue
        if entry.is_dir():
            found.append(f"{head}{slash}{entry.name}/")
        elif entry.suffix == suffix:
            found.append(f"{head}{slash}{entry.name}")
    return found
