"""Module names: each case is a tree and the names that imports would use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codemod.project import SourceFile, open_project


def tree(root: Path, files: dict[str, str] | list[str]) -> Path:
    for name in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[name] if isinstance(files, dict) else "")
    return root


def names(root: Path) -> dict[str, str]:
    return {file.path: file.module for file in open_project(root).files}


# The files (those with content are metadata) → the module of each Python file.
TREES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "flat": (
        {"app/__init__.py": "", "app/core/__init__.py": "", "app/core/x.py": ""},
        {
            "app/__init__.py": "app",
            "app/core/__init__.py": "app.core",
            "app/core/x.py": "app.core.x",
        },
    ),
    "a module beside packages": ({"main.py": ""}, {"main.py": "main"}),
    "src": (
        {"src/app/__init__.py": "", "src/app/x.py": "", "tests/test_x.py": ""},
        {
            "src/app/__init__.py": "app",
            "src/app/x.py": "app.x",
            "tests/test_x.py": "tests.test_x",
        },
    ),
    "python and lib": (
        {"python/app/__init__.py": "", "lib/tool.py": ""},
        {"python/app/__init__.py": "app", "lib/tool.py": "tool"},
    ),
    "namespace packages below a root": (
        {"src/google/cloud/app/__init__.py": "", "src/google/other.py": ""},
        {
            "src/google/cloud/app/__init__.py": "google.cloud.app",
            "src/google/other.py": "google.other",
        },
    ),
    "a folder without __init__ inside a package": (
        {"sglang/__init__.py": "", "sglang/srt/utils/x.py": "", "sglang/srt/y.py": ""},
        {
            "sglang/__init__.py": "sglang",
            "sglang/srt/utils/x.py": "sglang.srt.utils.x",
            "sglang/srt/y.py": "sglang.srt.y",
        },
    ),
    "src, python and lib inside a package": (
        {
            "app/__init__.py": "",
            "app/src/a.py": "",
            "app/lib/__init__.py": "",
            "app/python/b/c.py": "",
        },
        {
            "app/__init__.py": "app",
            "app/src/a.py": "app.src.a",
            "app/lib/__init__.py": "app.lib",
            "app/python/b/c.py": "app.python.b.c",
        },
    ),
    "a package called src": (
        {"src/__init__.py": "", "src/a.py": ""},
        {"src/__init__.py": "src", "src/a.py": "src.a"},
    ),
    "a monorepo of projects": (
        {
            "services/api/pyproject.toml": "[project]\nname='api'\n",
            "services/api/src/api/__init__.py": "",
            "services/worker/setup.py": "",
            "services/worker/worker/__init__.py": "",
            "services/worker/tests/test_w.py": "",
            "tools/dev.py": "",
        },
        {
            "services/api/src/api/__init__.py": "api",
            "services/worker/setup.py": "setup",
            "services/worker/worker/__init__.py": "worker",
            "services/worker/tests/test_w.py": "tests.test_w",
            "tools/dev.py": "tools.dev",
        },
    ),
    "a directory that no import can name": (
        {"my-app/app/__init__.py": "", "my-app/1.0/x.py": "", "a/b-c/d/e.py": ""},
        {
            "my-app/app/__init__.py": "app",
            "my-app/1.0/x.py": "x",
            "a/b-c/d/e.py": "d.e",
        },
    ),
    "such a directory inside a package": (
        {"app/__init__.py": "", "app/data-v1/x.py": ""},
        {"app/__init__.py": "app", "app/data-v1/x.py": "app.data-v1.x"},
    ),
    "an old setup.py inside a package": (
        {"num/__init__.py": "", "num/core/__init__.py": "", "num/core/setup.py": ""},
        {
            "num/__init__.py": "num",
            "num/core/__init__.py": "num.core",
            "num/core/setup.py": "num.core.setup",
        },
    ),
    "a root that holds metadata and an __init__": (
        {"pyproject.toml": "", "__init__.py": "", "nodes.py": ""},
        {"__init__.py": "__init__", "nodes.py": "nodes"},
    ),
    "setuptools: where": (
        {
            "pyproject.toml": "[tool.setuptools.packages.find]\nwhere = ['source']\n",
            "source/app/__init__.py": "",
            "docs/conf.py": "",
        },
        {"source/app/__init__.py": "app", "docs/conf.py": "docs.conf"},
    ),
    "setuptools: package-dir": (
        {
            "pyproject.toml": (
                "[tool.setuptools.package-dir]\n"
                "'' = 'source'\nextra = 'other/extra_impl'\n"
            ),
            "source/app.py": "",
            "other/extra_impl/sub/x.py": "",
            "other/y.py": "",
        },
        {
            "source/app.py": "app",
            "other/extra_impl/sub/x.py": "extra.sub.x",
            "other/y.py": "other.y",
        },
    ),
    "setup.cfg": (
        {
            "sub/setup.cfg": (
                "[options]\npackage_dir =\n    = code\n"
                "[options.packages.find]\nwhere = more\n"
            ),
            "sub/code/a.py": "",
            "sub/more/b.py": "",
        },
        {"sub/code/a.py": "a", "sub/more/b.py": "b"},
    ),
    "hatch": (
        {
            "pyproject.toml": (
                "[tool.hatch.build.targets.wheel]\n"
                "packages = ['source/app', 'flat']\n"
                "[tool.hatch.build.targets.wheel.sources]\n'impl/x' = 'xyz'\n"
            ),
            "source/app/__init__.py": "",
            "flat/__init__.py": "",
            "impl/x/y.py": "",
        },
        {
            "source/app/__init__.py": "app",
            "flat/__init__.py": "flat",
            "impl/x/y.py": "xyz.y",
        },
    ),
    "poetry": (
        {
            "pyproject.toml": (
                "[tool.poetry]\npackages = [{ include = 'app', from = 'code' }]\n"
            ),
            "code/app/a.py": "",
        },
        {"code/app/a.py": "app.a"},
    ),
    "maturin": (
        {
            "pyproject.toml": "[tool.maturin]\npython-source = 'py'\n",
            "py/app/a.py": "",
        },
        {"py/app/a.py": "app.a"},
    ),
    "metadata that cannot be read": (
        {"pyproject.toml": "[tool.setuptools\n", "setup.cfg": "oops", "src/a.py": ""},
        {"src/a.py": "a"},
    ),
    "metadata that points out of the tree": (
        {
            "pyproject.toml": (
                "[tool.setuptools.packages.find]\nwhere = ['../..', '/']\n"
            ),
            "app/a.py": "",
        },
        {"app/a.py": "app.a"},
    ),
}


@pytest.mark.parametrize(("files", "expected"), TREES.values(), ids=TREES)
def test_module_names(
    tmp_path: Path, files: dict[str, str], expected: dict[str, str]
) -> None:
    # The name of the folder above must not matter; pytest's own cannot be spelled.
    assert names(tree(tmp_path / "top", files)) == expected


@pytest.mark.parametrize("root", ["", "python", "python/sglang", "python/sglang/srt"])
def test_the_same_names_from_every_root(tmp_path: Path, root: str) -> None:
    repository = tree(
        tmp_path / "repo",
        {
            "README.md": "",
            "python/pyproject.toml": "[project]\nname = 'sglang'\n",
            "python/sglang/__init__.py": "",
            "python/sglang/srt/server_args.py": "",
            "python/sglang/srt/layers/__init__.py": "",
            "python/sglang/srt/layers/moe/topk.py": "",
            "test/srt/test_a.py": "",
        },
    )
    found = {
        f"{root}/{path}".lstrip("/"): module
        for path, module in names(repository / root).items()
    }
    assert found["python/sglang/srt/server_args.py"] == "sglang.srt.server_args"
    assert found["python/sglang/srt/layers/__init__.py"] == "sglang.srt.layers"
    assert found["python/sglang/srt/layers/moe/topk.py"] == "sglang.srt.layers.moe.topk"
    assert found.get("test/srt/test_a.py") in (None, "test.srt.test_a")


@pytest.mark.parametrize("root", ["", "sglang", "sglang/srt"])
def test_an_unpacked_wheel(tmp_path: Path, root: str) -> None:
    wheel = tree(
        tmp_path / "wheel", ["sglang/__init__.py", "sglang/srt/x.py", "sglang/srt/y.py"]
    )
    (wheel / "sglang-1.0.dist-info").mkdir()
    assert "sglang.srt.x" in names(wheel / root).values()


def test_a_root_inside_a_checkout_stops_at_its_top(tmp_path: Path) -> None:
    """An __init__.py above the checkout is another story."""
    tree(tmp_path, ["outer/__init__.py", "outer/repo/.git/HEAD", "outer/repo/app/x.py"])
    assert names(tmp_path / "outer/repo/app") == {"x.py": "x"}
    assert names(tmp_path / "outer/repo") == {"app/x.py": "app.x"}


def test_a_package_is_marked(tmp_path: Path) -> None:
    tree(tmp_path / "top", ["app/__init__.py", "app/x.py", "app/__main__.py"])
    assert open_project(tmp_path / "top").files == (
        SourceFile("app/__init__.py", "app", True),
        SourceFile("app/__main__.py", "app.__main__", False),
        SourceFile("app/x.py", "app.x", False),
    )


class TestTwoFilesOfOneName:
    def test_both_stay_and_the_first_by_path_is_found(self, tmp_path: Path) -> None:
        tree(tmp_path, ["b/src/conftest.py", "a/src/conftest.py"])
        project = open_project(tmp_path)
        assert [file.module for file in project.files] == ["conftest", "conftest"]
        assert project.by_module["conftest"].path == "a/src/conftest.py"
        assert project.by_path["b/src/conftest.py"].module == "conftest"

    def test_a_package_wins_over_a_module(self, tmp_path: Path) -> None:
        """As in the import system: a directory with __init__.py is tried first."""
        tree(tmp_path, {"a.py": "who = 'module'", "a/__init__.py": "who = 'package'"})
        assert open_project(tmp_path).by_module["a"].path == "a/__init__.py"
        done = subprocess.run(
            [sys.executable, "-c", "import a; print(a.who)"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == "package"

    def test_a_name_no_import_can_spell_never_wins(self, tmp_path: Path) -> None:
        tree(tmp_path, ["a.b.py", "a/b.py"])
        assert open_project(tmp_path).by_module["a.b"].path == "a/b.py"


@pytest.mark.parametrize("case", ["src", "python and lib", "setuptools: package-dir"])
def test_the_names_import(tmp_path: Path, case: str) -> None:
    """With the import roots on the path, Python finds every module under its name."""
    files, expected = TREES[case]
    root = tree(tmp_path / "top", files)
    roots = {
        "src": ["src", "."],
        "python and lib": ["python", "lib"],
        "setuptools: package-dir": ["source", "."],
    }[case]
    if case == "setuptools: package-dir":
        (root / "source/extra").symlink_to(root / "other/extra_impl")
    code = "import importlib, sys\nfor m in sys.argv[1:]: importlib.import_module(m)\n"
    subprocess.run(
        [sys.executable, "-c", code, *expected.values()],
        env={"PYTHONPATH": ":".join(str(root / place) for place in roots)},
        check=True,
    )
