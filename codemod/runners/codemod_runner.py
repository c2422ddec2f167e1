"""Run a LibCST ``CodemodCommand`` on files, in the interpreter that has LibCST.

Called as ``codemod_runner.py module.Class files.json report.json [argument ...]`` in
the root of the tree. The report is a list of ``[file, line, message]`` for each file
that was left out. Needs no nsroute, and runs on any Python that LibCST does.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path


def main() -> None:
    """Transform every listed file in place; report those that could not be."""
    target, listed, report, arguments = (*sys.argv[1:4], sys.argv[4:])
    sys.path.insert(0, str(Path.cwd()))
    import libcst
    from libcst.codemod import CodemodContext, SkipFile

    module, _, name = target.rpartition(".")
    command = getattr(importlib.import_module(module), name)
    parser = argparse.ArgumentParser(prog=target)
    command.add_args(parser)
    options = vars(parser.parse_args(arguments))
    paths = json.loads(Path(listed).read_text(encoding="utf-8"))
    left_out: list[list[object]] = []
    for path in paths:
        data = Path(path).read_bytes()
        try:
            tree = libcst.parse_module(data)
        except Exception as error:
            line = getattr(error, "raw_line", 1)
            text = f"LibCST cannot parse it: {_first_line(error)}"
            left_out.append([path, line, text])
            continue
        context = CodemodContext(
            filename=str(Path(path).resolve()), full_module_name=_module_of(path)
        )
        try:
            after = command(context, **options).transform_module(tree).bytes
        except SkipFile:
            continue
        except Exception as error:
            text = f"{name} failed on it: {type(error).__name__}: {_first_line(error)}"
            left_out.append([path, 1, text])
            continue
        if after != data:
            Path(path).write_bytes(after)
    Path(report).write_text(json.dumps(left_out), encoding="utf-8")


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [""])[0]


def _module_of(path: str) -> str:
    parts = path[: -len(".py")].split("/")
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


if __name__ == "__main__":
    main()
