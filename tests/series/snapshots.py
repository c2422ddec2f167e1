"""The reviewed series in ``snapshots/series``: of the demo and of small repositories.

``python -m tests.series.snapshots`` writes them anew (``make snapshots``); read what
changed before it is committed. A small repository shows one thing: each example of a
transform is one, and those of ``OWN`` show what a step can say.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.series import support
from tests.series.support import FILES, PACK, TOOL

FOLDER = support.REPOSITORY / "snapshots" / "series"

_DATE = "1700000000"
_APPLY = (
    *("apply", "--deterministic", "--author", "Ann <ann@example.org>"),
    *("--no-cache", "--jobs", "1"),
)

MESSAGE = '''
[[step]]
name = "reads"
split = "namespace"
message = """
Move {part} to {namespaces}

{edits} edits in {files} files:
{paths}

Kept, {kept}:
{kept_by_reason}
"""
'''

#: Small repositories besides the transforms' examples, by name.
OWN: dict[str, Mapping[str, str | bytes]] = {
    "default-series": FILES,
    "message-template": {**FILES, "nsroute.toml": PACK + MESSAGE},
    "split-by-module": {
        **FILES,
        "nsroute.toml": PACK + '\n[[step]]\nname = "reads"\nsplit = "module"\n',
    },
    "split-by-files": {
        **FILES,
        "nsroute.toml": PACK + '\n[[step]]\nname = "reads"\nsplit = { files = 2 }\n',
    },
    "a-selection": {
        **FILES,
        "nsroute.toml": PACK
        + '\n[[step]]\nname = "hosts"\nfields = ["host"]\nmodules = ["app.*"]\n',
    },
    "line-ends": {**FILES, "tool.py": TOOL.replace("\n", "\r\n")},
    "external-command": {
        **FILES,
        "nsroute.toml": PACK
        + '\n[[step]]\nname = "license"\ncommand = "echo none > LICENSE"\n',
    },
}


def repositories() -> dict[str, Mapping[str, str | bytes]]:
    """Every small repository by its name."""
    from codemod.transforms import TRANSFORMS

    found: dict[str, Mapping[str, str | bytes]] = {}
    for name, transform in TRANSFORMS.items():
        for number, example in enumerate(transform.EXAMPLES, 1):
            if not example.after:
                continue  # it shows what stays, and makes no commit
            pack = example.pack
            if name == "hoist":  # a step that no series has unless it is asked for
                pack += '\n[[step]]\nname = "hoist"\ntransform = "hoist"\n'
            files = {**example.before, "nsroute.toml": pack}
            found[f"{name}-{number}"] = files
    return found | OWN


def series(name: str, scratch: Path) -> dict[str, bytes]:
    """The files of a series, made in ``scratch``, by their names."""
    folder, out = scratch / name, scratch / f"{name}-patches"
    if name == "demo":
        from codemod.demo.run import write_sample

        write_sample(folder)
    else:
        support.commit(support.write(folder, repositories()[name]))
    env = {"SOURCE_DATE_EPOCH": _DATE}
    done = support.nsroute(folder, *_APPLY, "--patches", str(out), env=env)
    assert done.returncode == 0, done.stderr
    if not out.exists():
        return {}
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def names() -> list[str]:
    """The demo and every small repository."""
    return ["demo", *repositories()]


def stored(name: str) -> dict[str, bytes]:
    """The reviewed series of that name."""
    folder = FOLDER / name
    if not folder.is_dir():
        return {}
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def update() -> None:
    """Write every series anew, and remove those of repositories that are gone."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.iterdir():
        if path.is_dir() and path.name not in names():
            shutil.rmtree(path)
    with tempfile.TemporaryDirectory() as scratch:
        for name in names():
            made = series(name, Path(scratch))
            if made == stored(name):
                continue
            shutil.rmtree(FOLDER / name, ignore_errors=True)
            (FOLDER / name).mkdir()
            for file, data in made.items():
                (FOLDER / name / file).write_bytes(data)
            print(f"changed: snapshots/series/{name}", file=sys.stderr)


if __name__ == "__main__":
    update()
