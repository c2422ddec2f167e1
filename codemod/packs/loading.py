"""Which pack to use: the one named, or the one the repository configures."""

from __future__ import annotations

from pathlib import Path

from codemod.packs.builtin import builtin_packs, builtin_path
from codemod.packs.errors import PackError, did_you_mean
from codemod.packs.model import KeyPath, Pack
from codemod.packs.tomlfile import read_toml, syntax_error

_IN_PYPROJECT: KeyPath = ("tool", "nsroute")


def load_pack(rules: str | None, root: Path) -> Pack:
    """The pack called or at ``rules``, else the one configured at ``root``.

    ``rules`` is a built-in's name or the path of a TOML file. Without it
    ``[tool.nsroute]`` in ``root/pyproject.toml`` or ``root/nsroute.toml`` is read.
    Raises PackError, which names file, line and key of what is wrong.
    """
    if rules is None:
        path, table = _configured(Path(root))
        return _load(path, table, str(path))
    builtin = builtin_path(rules)
    if builtin is not None:
        return _load(builtin, (), rules)
    path = Path(rules)
    if path.is_file():
        nested = _IN_PYPROJECT if path.name == "pyproject.toml" else ()
        return _load(path, nested, rules)
    if path.is_dir():
        raise PackError(rules, 0, "--rules", "is a directory, not a TOML file")
    known = builtin_packs()
    raise PackError(
        rules,
        0,
        "--rules",
        f"neither a built-in pack{did_you_mean(rules, known)} nor a file "
        f"(built in: {', '.join(known)})",
    )


def _load(path: Path, table: KeyPath, source: str) -> Pack:
    from codemod.packs.checks import build_pack
    from codemod.packs.layers import read_layers

    return build_pack(read_layers(path, table), source)


def _configured(root: Path) -> tuple[Path, KeyPath]:
    own, pyproject = root / "nsroute.toml", root / "pyproject.toml"
    has_own = own.is_file()
    if pyproject.is_file() and _has_table(pyproject):
        if has_own:
            raise PackError(
                str(pyproject),
                0,
                "tool.nsroute",
                f"{own} configures nsroute too; keep one of the two",
            )
        return pyproject, _IN_PYPROJECT
    if has_own:
        return own, ()
    raise PackError(
        str(own),
        0,
        "",
        "no pack is configured: run `nsroute init` to write one, or pass "
        f"--rules with a path or a built-in ({', '.join(builtin_packs())})",
    )


def _has_table(pyproject: Path) -> bool:
    from codemod.project.toml import TOMLDecodeError, loads

    text = read_toml(pyproject)
    if "nsroute" not in text:
        return False  # also when it is broken: it is not our file then
    try:
        tool = loads(text).get("tool")
    except TOMLDecodeError as error:
        raise syntax_error(pyproject, text, error) from None
    return isinstance(tool, dict) and "nsroute" in tool
