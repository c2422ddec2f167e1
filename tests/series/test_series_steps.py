"""The series on the screen, step by step, and what is said of a step that is empty."""

from __future__ import annotations

from pathlib import Path

from tests.series.support import FILES, PACK, commit, git, nsroute, write

STEPS = """
[[step]]
name = "first"
namespaces = ["cache"]
message = "Move {step}: {edits} edits in {files} files"
[[step]]
name = "none"
fields = ["no_such_*"]
[[step]]
name = "second"
"""


def test_a_diff_is_the_series_step_by_step(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", {**FILES, "nsroute.toml": PACK + STEPS}))
    shown = nsroute(folder, "diff")
    assert shown.returncode == 1
    heads = [s for s in shown.stdout.splitlines() if s.startswith("# ") and ": " in s]
    assert heads[0] == "# first: Move first: 2 edits in 2 files"
    assert [s for s in heads if s.startswith("# second: ")]
    assert "skipped, nothing to do: none" in shown.stderr
    # Applied as a whole it is what the commits come to.
    (tmp_path / "whole.patch").write_text(shown.stdout)
    assert nsroute(folder, "apply", "--branch", "ns").returncode == 0
    git(folder, "apply", "--index", str(tmp_path / "whole.patch"))
    assert git(folder, "diff", "--cached", "--stat", "ns") == ""


def test_one_step_is_shown_alone(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", {**FILES, "nsroute.toml": PACK + STEPS}))
    shown = nsroute(folder, "diff", "--step", "first")
    assert shown.returncode == 1
    assert "get_cache().size" in shown.stdout and "get_net" not in shown.stdout
    shown = nsroute(folder, "diff", "--step", "second")
    assert "get_cache().size" in shown.stdout and "get_net" in shown.stdout
    empty = nsroute(folder, "diff", "--step", "none")
    assert (empty.returncode, empty.stdout) == (0, "")
    assert "skipped, nothing to do: none" in empty.stderr
    part = nsroute(
        commit(write(tmp_path / "plain", FILES)), "diff", "--step", "reads/net"
    )
    assert "get_net" in part.stdout and "get_cache" not in part.stdout


def test_when_all_is_done_nothing_is_left(tmp_path: Path) -> None:
    folder = commit(write(tmp_path / "shop", FILES))
    assert nsroute(folder, "apply").returncode == 0
    git(folder, "commit", "--quiet", "--all", "--message", "moved")
    shown = nsroute(folder, "diff")
    assert (shown.returncode, shown.stdout) == (0, "")
    assert "nothing to do: no read is left to convert" in shown.stderr
