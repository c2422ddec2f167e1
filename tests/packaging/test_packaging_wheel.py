"""``pip install`` of the built wheel gives a working command with its packs."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_wheel_in_a_fresh_environment_runs_the_demo(tmp_path: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
    run(*pip, "wheel", "--no-deps", "-w", tmp_path / "dist", ROOT, cwd=tmp_path)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    packs = {name for name in names if name.startswith("codemod/_rules/")}
    assert {Path(p).name for p in packs} >= {"sglang.toml", "django.toml", "demo.toml"}
    assert "codemod/py.typed" in names
    assert not [name for name in names if "__pycache__" in name]
    home = tmp_path / "home"
    run(sys.executable, "-m", "venv", home, cwd=tmp_path)
    run(home / "bin" / "pip", "install", "-q", wheel, cwd=tmp_path)
    out = run(home / "bin" / "nsroute", "demo", tmp_path / "demo", cwd=tmp_path)
    assert "The program prints the same" in out
    version = run(home / "bin" / "nsroute", "--version", cwd=tmp_path)
    assert version.startswith("nsroute 0.")
