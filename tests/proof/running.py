"""Runs generated projects in fresh interpreters and gives back what they showed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.proof.programs.build import Project

_ZYGOTE = Path(__file__).with_name("zygote.py")


@dataclass(frozen=True)
class Ran:
    """What one version of a program did.

    ``early`` are its calls before the record was published, each on its own.
    ``reads`` are the reads of the published record's fields: path, line, end line, end
    column (from 1, in characters; 0 where the interpreter does not say), field.
    """

    steps: list[dict[str, Any]]
    early: list[dict[str, Any]]
    reads: list[tuple[str, int, int, int, str]]


class Runner:
    """A process that runs programs, one after another, each in a child of its own."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-B", str(_ZYGOTE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, root: Path, project: Project) -> Ran:
        """Run the version of ``project`` that is in ``root``."""
        request = {
            "root": str(root),
            "before": project.before,
            "after": project.after,
            "calls": project.calls,
            "early": project.early,
            "steps": project.steps,
        }
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if isinstance(answer, str):
            raise RuntimeError(f"{root}: {answer}")
        reads = []
        texts: dict[str, list[str]] = {}
        for file, line, end, column, name in answer["reads"]:
            if file.startswith("<"):
                continue  # code made at run time
            path = Path(file).relative_to(root).as_posix()
            if path not in texts:
                texts[path] = (root / path).read_text(encoding="utf-8").split("\n")
            if column:
                # Columns of code objects count bytes.
                raw = texts[path][end - 1].encode()[:column]
                column = len(raw.decode("utf-8", "replace")) + 1
            reads.append((path, line, end, column, name))
        return Ran(answer["steps"], answer["early"], reads)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)


@contextmanager
def runner() -> Iterator[Runner]:
    """A runner for a while."""
    found = Runner()
    try:
        yield found
    finally:
        found.close()
