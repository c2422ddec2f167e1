"""What the shell offers for a word on the command line."""

from __future__ import annotations

from pathlib import Path


def complete_rules(incomplete: str) -> list[str]:
    """Built-in packs, and TOML files."""
    from codemod.packs import builtin_packs

    names = [name for name in builtin_packs() if name.startswith(incomplete)]
    return names + _paths(incomplete, ".toml")


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
