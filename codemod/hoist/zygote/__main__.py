"""Where a Python starts that is given this folder to run.

The folder leaves ``sys.path`` before anything of it is imported, so that its modules
take no name that one of the project's has.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys

_NAME = "_nsroute_zygote"


def _start() -> None:
    sys.path[:1] = []
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    spec = importlib.util.spec_from_file_location(
        _NAME,
        os.path.join(here, "__init__.py"),  # noqa: PTH118
        submodule_search_locations=[here],
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = package
    spec.loader.exec_module(package)
    importlib.import_module(f"{_NAME}.serving").main()


if __name__ == "__main__":
    _start()
