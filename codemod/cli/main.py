"""The entry point of ``nsroute``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from codemod.cli.app import build_app

        build_app()(prog_name="nsroute")
    except KeyboardInterrupt:
        from codemod.cli.command import interrupted

        sys.exit(interrupted())
