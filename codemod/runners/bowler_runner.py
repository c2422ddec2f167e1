"""Run a Bowler script on a tree, in the interpreter that has Bowler.

Called as ``bowler_runner.py script.py files.json report.json [argument ...]`` in the
root of the tree. The script has a ``main()``, or queries as module-level names. What it
asks for is written, whether it says ``diff``, ``idiff`` or ``write``. The report is a
list of ``[file, line, message]`` for each file that Bowler could not do.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Run the script with a tool that writes and remembers what it left out."""
    script, listed, report, arguments = (*sys.argv[1:4], sys.argv[4:])
    wanted = set(json.loads(Path(listed).read_text(encoding="utf-8")))
    # Not by import statements: nobody has to have Bowler to check this file's types.
    query: Any = importlib.import_module("bowler")
    tool: Any = importlib.import_module("bowler.tool")

    left_out: list[list[object]] = []
    tool.BowlerTool.IN_PROCESS = True
    tool.BowlerTool.NUM_PROCESSES = 1
    _watch(tool.BowlerTool, wanted, left_out)
    path = Path(script).resolve()
    sys.path[:0] = [str(path.parent), str(Path.cwd())]
    sys.argv[:] = [script, *arguments]
    spec = importlib.util.spec_from_file_location("nsroute_bowler_script", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if callable(getattr(module, "main", None)):
        module.main()
    else:
        for value in list(vars(module).values()):
            if isinstance(value, query.Query):
                value.execute(write=True, interactive=False, silent=True)
    Path(report).write_text(json.dumps(sorted(left_out)), encoding="utf-8")


def _watch(cls: Any, wanted: set[str], left_out: list[list[object]]) -> None:
    start, refactor, read = cls.__init__, cls.refactor_file, cls.refactor_string

    def begin(self: Any, *args: Any, **kwargs: Any) -> None:
        kwargs.update(interactive=False, write=True, silent=True, in_process=True)
        start(self, *args, **kwargs)

    def refactor_file(self: Any, filename: str, *args: Any, **kwargs: Any) -> Any:
        path = os.path.relpath(filename).replace(os.sep, "/")
        if path not in wanted:
            return []
        try:
            return refactor(self, filename, *args, **kwargs)
        except Exception as error:
            text = (str(error).strip().splitlines() or [""])[0]
            name = type(error).__name__
            left_out.append([path, 1, f"Bowler failed on it: {name}: {text}"])
            return []

    def refactor_string(self: Any, data: str, name: str) -> Any:
        tree = read(self, data, name)
        if tree is None:
            path = os.path.relpath(name).replace(os.sep, "/")
            left_out.append([path, 1, "Bowler cannot parse it: left as it was"])
        return tree

    def apply_hunks(self: Any, accepted: str, filename: str) -> None:
        if accepted:
            _patch(filename, accepted)

    cls.apply_hunks = apply_hunks
    cls.__init__ = begin
    cls.refactor_file = refactor_file
    cls.refactor_string = refactor_string


def _patch(filename: str, hunks: str) -> None:
    """Apply hunks, and keep the file's encoding, line ends and missing last one."""
    tokenize: Any = importlib.import_module("fissix.pgen2.tokenize")
    patch: Any = importlib.import_module("moreorless.patch")

    data = Path(filename).read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    old: str = data.decode(encoding)
    plain = old.replace("\r\n", "\n")
    ends = plain.endswith("\n")
    new: str = patch.apply_single_file(
        plain if ends else plain + "\n", f"--- {filename}\n+++ {filename}\n{hunks}"
    )
    if not ends:
        new = new[:-1]
    if "\r\n" in old:
        new = new.replace("\n", "\r\n")
    Path(filename).write_bytes(new.encode(encoding))


if __name__ == "__main__":
    main()
