"""Texts that modules have instead of those of their files."""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import os
from typing import Any


class Overlay:
    """Serves rewritten texts of modules in place of their files.

    They are compiled here, once, and not in each fork.
    """

    def __init__(self) -> None:
        self.texts: dict[str, Any] = {}
        self.compiled: dict[str, Any] = {}

    def serve(self, texts: dict[str, Any], dropped: list[str]) -> None:
        """Serve ``texts`` too from now on, and no longer those that are ``dropped``."""
        for name in [*dropped, *texts]:
            self.texts.pop(name, None)
            self.compiled.pop(name, None)
        self.texts.update(texts)
        for name, (file, _, text) in texts.items():
            with contextlib.suppress(SyntaxError, ValueError):
                self.compiled[name] = compile(text, file, "exec", dont_inherit=True)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        found = self.texts.get(name)
        if found is None:
            return None
        file, is_package, text = found
        loader = _TextLoader(name, file, text, self.compiled.get(name))
        places = [os.path.dirname(file)] if is_package else None  # noqa: PTH120
        return importlib.util.spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=places
        )


class _TextLoader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, text: str, code: Any) -> None:
        super().__init__(name, path)
        self.text = text
        self.code = code

    def get_code(self, fullname: str) -> Any:
        return self.code or super().get_code(fullname)

    def get_data(self, path: str) -> bytes:
        if path == self.path:
            return self.text.encode("utf-8", "surrogateescape")
        return super().get_data(path)

    def path_stats(self, path: Any) -> Any:
        raise OSError("a text that is in no file has no cached bytecode")

    def set_data(self, path: Any, data: Any, *, _mode: int = 0o666) -> None:
        pass
