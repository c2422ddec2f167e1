"""The only stage that writes: diffs to show, files to replace, git to ask."""

from __future__ import annotations

from codemod.delivery.diff import diff_bytes, unified_diff
from codemod.delivery.git import GitError, git_state
from codemod.delivery.write import write_file

__all__ = ["GitError", "diff_bytes", "git_state", "unified_diff", "write_file"]
