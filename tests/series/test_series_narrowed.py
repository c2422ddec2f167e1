"""Paths and globs narrow every step, and nothing is torn at the border."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.transforms import TRANSFORMS
from tests.series.support import FILES, PACK, commit, git, nsroute, write
from tests.series.test_series_verify import WRITERS, WRITTEN


def changed(folder: Path, *arguments: str) -> dict[str, str]:
    """What a run in place changes: each file with its new lines."""
    done = nsroute(folder, "apply", *arguments)
    assert done.returncode == 0, done.stderr
    found = {}
    for path in git(folder, "diff", "--name-only").splitlines():
        diff = git(folder, "diff", "--unified=0", "--", path).splitlines()[4:]
        found[path] = "\n".join(s[1:] for s in diff if s.startswith("+"))
    git(folder, "checkout", "--quiet", "--", ".")
    return found


def example(tmp_path: Path, name: str) -> Path:
    """The first example of a transform, as a repository."""
    made = TRANSFORMS[name].EXAMPLES[0]
    return commit(write(tmp_path / name, {**made.before, "nsroute.toml": made.pack}))


@pytest.mark.parametrize(
    "name", ["reads", "writers", "derived", "configured", "probes"]
)
def test_a_path_with_nothing_to_do_leaves_all_others(tmp_path: Path, name: str) -> None:
    folder = example(tmp_path, name)
    write(folder, {"app/idle.py": "x = 1\n"})
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "idle")
    assert changed(folder) != {}
    assert changed(folder, "app/idle.py") == {}
    assert changed(folder, "app.idle") == {}


def test_a_writer_stays_with_readers_that_nobody_asked_for(tmp_path: Path) -> None:
    files = {**FILES, **WRITTEN, "nsroute.toml": PACK + WRITERS}
    folder = commit(write(tmp_path / "shop", files))
    for only in ("app/writer.py", "app.writer"):
        assert changed(folder, only) == {
            "app/writer.py": "from app.context import get_cache, get_config\n"
            "    return get_cache().policy"
        }
    found = changed(folder, "app/cache.py")
    assert list(found) == ["app/cache.py"]
    assert "return get_config().size, get_cache().policy" in found["app/cache.py"]
    found = changed(folder, "app")
    assert "get_context().override" in found["app/writer.py"]
    assert "get_cache().size" in found["app/server.py"]
    shown = nsroute(folder, "diff", "app/writer.py")
    assert "get_context" not in shown.stdout
    listed = nsroute(folder, "diff", "app/writer.py", "--format", "json").stdout
    assert "app/cache.py:5 has to read it off the record (outside)" in listed


def test_a_probe_stays_that_a_test_elsewhere_patches(tmp_path: Path) -> None:
    folder = example(tmp_path, "probes")
    found = changed(folder, "app/use.py")
    assert list(found) == ["app/use.py"]
    assert "get_platform().lanes if fast() else 1" in found["app/use.py"]
    assert changed(folder, "tests/test_use.py") == {}
    assert list(changed(folder, "app", "tests")) == ["app/use.py", "tests/test_use.py"]


def test_a_parameter_stays_with_calls_that_nobody_asked_for(tmp_path: Path) -> None:
    folder = example(tmp_path, "cleanup")
    assert changed(folder, "app/low.py") == {}
    assert "app/low.py" not in changed(folder, "app/high.py")
    assert list(changed(folder, "app")) == ["app/high.py", "app/low.py"]


def test_an_external_step_is_narrowed_too(tmp_path: Path) -> None:
    step = """
[[step]]
name = "note"
command = "for f in tool.py app/cache.py new.py; do echo '# noted' >> $f; done"
"""
    files = {**FILES, "nsroute.toml": PACK + step}
    folder = commit(write(tmp_path / "shop", files))
    assert changed(folder, "app/cache.py") == {"app/cache.py": "# noted"}
    assert not (folder / "new.py").exists()
    assert list(changed(folder)) == ["app/cache.py", "tool.py"]
    assert (folder / "new.py").exists()
