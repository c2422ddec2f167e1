"""One strange module in a project: it is done or named, and the others are done."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from tests.series import support

#: The most that a run with one such file may take, in seconds and bytes.
SECONDS = 400
MEMORY = 6 * 1024**3


def try_shape(text: str, folder: Path) -> list[str]:
    """What goes wrong when a project has a module like this."""
    compiles = _compiles(text)
    files = {**support.FILES, "app/shape.py": text, "app/other.py": support.CACHE}
    root = support.write(folder / "shop", files)
    start = time.monotonic()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "codemod.cli", "apply", "--jobs", "1"),
            *("--no-cache", "--format", "json", "--step", "reads"),
        ],
        cwd=root,
        env=support.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS * 2,
        preexec_fn=_limited,
    )
    took = time.monotonic() - start
    if done.returncode not in (0, 1, 3):
        return [f"exit code {done.returncode}: {done.stderr[-500:]!r}"]
    result = json.loads(done.stdout)
    wrong = []
    named = {each["file"] for each in (*result["errors"], *result["rolled_back"])}
    written = {each["file"] for each in result["written"]}
    if "app/other.py" not in written:
        wrong.append("the other file is not done")
    if not named <= {"app/shape.py"}:
        wrong.append(f"others are named: {named}")
    after = (root / "app/shape.py").read_text(encoding="utf-8")
    if "app/shape.py" not in written and after != text:
        wrong.append("it changed and is not said to have")
    if "app/shape.py" in written and not _compiles(after):
        wrong.append("it does not compile any more")
    if not compiles and "app/shape.py" not in named:
        wrong.append("it is no Python here and is not named")
    if took > SECONDS:
        wrong.append(f"took {took:.0f} s")
    return wrong


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _compiles(text: str) -> bool:
    """Whether this Python takes it, asked in a process that may die of it."""
    if len(text) > 10_000_000:
        return True  # nobody looks
    code = "import sys; compile(sys.stdin.read(), 'x', 'exec')"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        input=text.encode(),
        capture_output=True,
        preexec_fn=_limited,
    )
    return done.returncode == 0
