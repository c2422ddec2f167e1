"""Which files there are, their text, their module names.

``open_project`` lists a tree; ``read_text`` gives the characters of one file, and
``encode`` turns changed text back into bytes of the same kind.
"""

from __future__ import annotations

from codemod.project.model import Project, ProjectError, SourceFile
from codemod.project.opening import open_project
from codemod.project.text import Text, decode, encode, read_text

__all__ = [
    "Project",
    "ProjectError",
    "SourceFile",
    "Text",
    "decode",
    "encode",
    "open_project",
    "read_text",
]
