"""``python -m codemod.cli`` is ``nsroute``."""

from __future__ import annotations

from codemod.cli.main import main

main()
