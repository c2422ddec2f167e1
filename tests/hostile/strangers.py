"""A repository that means harm, and what must not have happened after a run on it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.series import support

#: Sets the title of a terminal window, clears it, and turns text round: as characters,
#: as C1 controls, as bidirectional ones.
PAYLOADS = ("\x1b]0;owned\x07", "\x1b[2J", "\x9b2J", "\u202eevil", "\x08\x08")

#: What may never stand in what a person sees. Our own colours are taken out before.
_OWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[AK]|\r(?=\n)")
_RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def raw_characters(shown: str, terminal: bool = False) -> list[str]:
    """Pieces of an output that would reach a terminal as they are."""
    if terminal:
        shown = _OWN.sub("", shown).replace("\r", "")
    return [
        shown[max(match.start() - 40, 0) : match.end() + 20]
        for match in _RAW.finditer(shown)
    ][:3]


def with_escapes(folder: Path) -> Path:
    """A repository with terminal sequences wherever a file can have them."""
    text = "".join(PAYLOADS).replace("\x08", "")
    source = (
        "from app.context import get_config\n"
        "\n"
        "\n"
        "def room(config, used):\n"
        f"    return get_config().size, '{text}', used  # {text}\n"
        "\n"
        "\n"
        f"def kept(config, x=get_config().host):  # {text}\n"
        f"    return getattr(config, 'size', '{text}'), get_config( # {text}\n"
        f"    ).port, get_config().policy  # nsroute: keep {text}\n"
        "\n"
        "\n"
        "def late():\n"
        "    from app import cache\n"
        "\n"
        f"    return cache, '{text}', get_config().nothing\n"
    )
    pack = support.PACK.replace('name = "shop"', f'name = "{_toml(text)}"')
    pack += (
        "\n[[keep]]\n"
        'reason = "per-file"\n'
        f'why = "Because {_toml(text)}."\n'
        'modules = ["app.kept"]\n'
        "\n[[step]]\n"
        'name = "reads"\n'
        'transform = "reads"\n'
        f'message = "Move reads {_toml(text)}"\n'
    )
    files: dict[str, str | bytes] = {
        **support.FILES,
        "nsroute.toml": pack,
        "app/escapes.py": source,
        "app/kept.py": source,
        f"app/e{PAYLOADS[0]}{PAYLOADS[3]}.py": source,
        f"app/{PAYLOADS[1]}/x.py": source,
        f"app/bad{PAYLOADS[0]}.py": f"def f(:\n    '{text}'\n",
        f"app/big{PAYLOADS[0]}.py": f"# coding: {'x' * 20}\nx = '{text}'\n",
        "app/nothing.py": f"'{text}' = 1\n",
    }
    return support.commit(support.write(folder, files))


def _toml(text: str) -> str:
    return "".join(f"\\u{ord(c):04x}" if not c.isalnum() else c for c in text)


def with_bytes(folder: Path) -> Path:
    """A repository with names that are no UTF-8."""
    support.write(folder, support.FILES)
    for name in (b"app/\xff\xfe.py", b"app/d\xff/x.py", b"not\xff.txt"):
        path = Path(os.fsdecode(os.fsencode(folder) + b"/" + name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(support.CACHE)
    return support.commit(folder)


#: Names of files and folders that a careless command line takes for options.
OPTIONS = (
    "--help.py",
    "-c.py",
    "--exec=touch owned;.py",
    "-rf/--output=x.py",
    "app/--no-index.py",
    "@file.py",
    "$(touch owned).py",
    ":(exclude)x.py",
    "*.py",
)


def with_options(folder: Path) -> Path:
    """A repository whose names look like options, pathspecs and shell."""
    files = dict.fromkeys(OPTIONS, support.CACHE)
    return support.commit(support.write(folder, {**support.FILES, **files}))


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, links as where they lead, for a comparison afterwards."""
    found: dict[str, bytes] = {}
    for here, names, files in os.walk(folder):
        for name in (*names, *files):
            path = Path(here, name)
            key = path.relative_to(folder).as_posix()
            if path.is_symlink():
                found[key] = b"-> " + os.fsencode(path.readlink())
            elif path.is_file():
                found[key] = path.read_bytes()
    return found


def with_links(folder: Path, outside: Path) -> Path:
    """A repository whose links lead out of it, to files that a run might touch.

    The cache is one of them, as is what the cache writes first.
    """
    support.write(
        outside,
        {
            "victim.py": support.CACHE,
            "package/__init__.py": "",
            "package/cache.py": support.CACHE,
            "cache/keep.txt": "mine",
        },
    )
    support.write(folder, support.FILES)
    for name, target in (
        ("app/linked.py", outside / "victim.py"),
        ("app/package", outside / "package"),
        ("pkg", outside / "package"),
        ("nsroute-baseline.toml", outside / "new-baseline.toml"),
        (".nsroute_cache", outside / "cache"),
    ):
        (folder / name).symlink_to(target)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return support.commit(folder)
