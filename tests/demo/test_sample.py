"""The sample project by itself: it works everywhere, and it holds every case."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codemod.demo.run import run_program, run_tests, sample_files, write_sample
from codemod.packs.loading import load_pack

SAMPLE = {path.as_posix(): content for path, content in sample_files()}
SOURCES = {
    path: content.decode() for path, content in SAMPLE.items() if path[-3:] == ".py"
}


def interpreters() -> dict[str, str]:
    """The Pythons that the sample promises to run on, of those on this machine."""
    found = {".".join(map(str, sys.version_info[:2])): sys.executable}
    for version in ("3.10", "3.11", "3.12", "3.13", "3.14"):
        candidates = sorted(
            (Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python")
        )
        candidates += [Path(path)] if (path := shutil.which(f"python{version}")) else []
        for candidate in candidates:
            # A pyenv shim is there for versions that are not switched on, and fails.
            asked = subprocess.run([candidate, "-V"], capture_output=True, text=True)
            if version not in found and asked.stdout.startswith(f"Python {version}."):
                found[version] = str(candidate)
    return found


INTERPRETERS = interpreters()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("sample") / "quern"
    write_sample(target)
    return target


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.mark.parametrize("python", INTERPRETERS.values(), ids=INTERPRETERS)
def test_its_own_tests_pass(written: Path, python: str) -> None:
    done = run_tests(written, python)
    assert done.code == 0, done.stderr
    assert int(re.findall(r"Ran (\d+) tests", done.stderr)[0]) >= 45


@pytest.mark.parametrize("python", INTERPRETERS.values(), ids=INTERPRETERS)
def test_its_program_prints_the_same_report_on_each_python(
    written: Path, python: str
) -> None:
    done = run_program(written, python)
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout == run_program(written).stdout
    for line in (
        "workers 4 configured, 4 live",
        "workers 6 configured, 3 live",
        "runners dense/6 of 12 on cpu:0, sparse/2 of 12 on cpu:1",
    ):
        assert line in done.stdout.splitlines()


def test_the_person_s_environment_changes_nothing(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run_program(written)
    monkeypatch.setenv("QUERN_GENERATION", "1")
    monkeypatch.setenv("PYTHONHASHSEED", "4")
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    assert run_program(written) == expected


def test_running_leaves_the_tree_as_it_was(written: Path) -> None:
    run_program(written)
    run_tests(written)
    assert git(written, "status", "--porcelain", "--ignored") == ""


def test_it_is_written_byte_for_byte_with_one_commit(written: Path) -> None:
    assert {
        path.relative_to(written).as_posix(): path.read_bytes()
        for path in written.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(written).parts
    } == SAMPLE
    assert git(written, "log", "--format=%an %ae %s") == (
        "nsroute demo demo@nsroute.invalid Start quern"
    )
    assert git(written, "branch", "--show-current") == "main"
    assert set(git(written, "ls-files").splitlines()) == set(SAMPLE)
    assert "user." not in git(written, "config", "--local", "--list")


def test_the_commit_does_not_depend_on_git_s_configuration(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home with a space"
    hooks = home / "template" / "hooks"
    hooks.mkdir(parents=True)
    (hooks / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    (home / "ignore").write_text("*.toml\n")
    configuration = f"""
        [commit]
            gpgSign = true
        [core]
            autocrlf = true
            hooksPath = {hooks}
            excludesFile = {home / "ignore"}
        [init]
            templateDir = {hooks.parent}
            defaultBranch = trunk
    """
    (home / ".gitconfig").write_text(configuration)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "somebody")
    target = tmp_path / "naïve folder"
    write_sample(target)
    monkeypatch.undo()
    assert (home / ".gitconfig").read_text() == configuration
    assert git(target, "rev-parse", "HEAD") == git(written, "rev-parse", "HEAD")
    assert git(target, "status", "--porcelain") == ""


def test_a_commit_needs_no_identity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    write_sample(tmp_path / "quern")
    assert git(tmp_path / "quern", "rev-list", "--count", "HEAD") == "1"


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="is not empty"):
        write_sample(tmp_path)
    assert list(tmp_path.iterdir()) == [tmp_path / "mine.txt"]


def test_it_is_code_that_a_linter_has_nothing_to_say_about(written: Path) -> None:
    for command in (["check", "--select", "E,F,I"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "--no-cache", "."],
            cwd=written,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_its_pack_is_the_built_in_one(written: Path) -> None:
    ours, built_in = load_pack(None, written), load_pack("demo", written)
    assert ours.keeps == built_in.keeps
    assert {keep.reason for keep in ours.keeps} == {
        "per-instance",
        "per-runner",
        "live-shadowed",
    }
    assert ours.publish == built_in.publish is not None


def test_the_pack_names_each_member_that_is_not_a_field(written: Path) -> None:
    tree = ast.parse(SOURCES["quern/config/args.py"])
    members = {
        node.name: "property" if node.decorator_list else "method"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    derived = load_pack("demo", written).derived
    assert {name: member.kind for name, member in derived.items()} == members


def test_the_readme_points_at_reads() -> None:
    places = re.findall(r"explain (\S+):(\d+)", SAMPLE["README.md"].decode())
    assert places
    for file, line in places:
        assert "get_args()." in SOURCES[file].splitlines()[int(line) - 1]


# What the sample must hold, each as a pattern in one of its files. They are anchored
# to the code they mean, so that a case that is edited away is missed here.
CENSUS = {
    "form call": ("quern/compute/kernels.py", r"match get_args\(\)\.weighting:"),
    "form object": ("quern/schedule/scheduler.py", r"settings\.max_batch_size"),
    "form alias": ("quern/compute/tokens.py", r"config = get_args\(\)\n"),
    "form self": ("quern/compute/runner.py", r"self\.service_args\.dim"),
    "form attribute": ("quern/serving/report.py", r"scheduler\.service_args\.max_"),
    "form stash": ("quern/compute/cache.py", r"self\._config = get_args\(\)"),
    "stash in a subclass": (
        "quern/compute/cache.py",
        r"(?s)class LruCache\(VectorCache\).*self\._config\.cache_entries",
    ),
    "form parameter": ("quern/schedule/policy.py", r"2 < service_args\.max_tokens"),
    "via getattr": ("quern/compute/cache.py", r'getattr\(get_args\(\), "cache_policy"'),
    "via getattr with default": (
        "quern/serving/metrics.py",
        r'getattr\(rc\.get_args\(\), "slow_after", 0\)',
    ),
    "module alias": ("quern/serving/metrics.py", r"(?m)^import \S+ as rc$"),
    "relative import": ("quern/compute/kernels.py", r"from \.\.runtime_context import"),
    "re-export": ("quern/common/__init__.py", r"__all__ = \[\"get_args\""),
    "import under another name": (
        "quern/loadgen/workload.py",
        r"import get_args as service_args",
    ),
    "second getter": ("quern/loadgen/settings.py", r"def get_args\(\) -> LoadArgs"),
    "walrus": ("quern/compute/tokens.py", r"\(config := get_args\(\)\)\.max_tokens"),
    "f-string": ("quern/compute/kernels.py", r'f"\{get_args\(\)\.seed\}'),
    "decorator argument": (
        "quern/compute/cache.py",
        r"    @lru_cache\(maxsize=get_args\(\)\.cache_entries\)",
    ),
    "comprehension": ("quern/compute/tokens.py", r"if len\(word\) >= config\.min_"),
    "lambda": (
        "quern/schedule/policy.py",
        r"lambda request: \(\s+sizes\[get_args\(\)",
    ),
    "chain with comments": (
        "quern/schedule/scheduler.py",
        r"get_args\(\)  #.*\n\s+#.*\n\s+\.max_batch_tokens",
    ),
    "closure": ("quern/compute/kernels.py", r"        if position < config\.dim"),
    "tuple assignment": ("quern/serving/report.py", r"config, live = get_args\(\), "),
    "accessor in use already": ("quern/serving/metrics.py", r"get_serving\(\)\.log_"),
    "keep suppressed": ("quern/serving/report.py", r"# nsroute: keep\[banner\] "),
    "keep owner": ("quern/runtime_context.py", r"return get_args\(\)\.workers"),
    "keep per-instance": (
        "quern/serving/engine.py",
        r"self\.service_args\.lowercase",
    ),
    "keep per-runner": ("quern/compute/runner.py", r"self\.service_args\.precision"),
    "keep live-shadowed": ("quern/topology.py", r"range\(sa\.workers\)"),
    "keep configured": ("quern/serving/report.py", r"get_args\(\)\.workers\} conf"),
    "back-fill by if": (
        "quern/schedule/policy.py",
        r"if service_args is None:\n\s+service_args = get_args\(\)",
    ),
    "back-fill by or": ("quern/schedule/policy.py", r"= service_args or get_args\(\)"),
    "back-fill by conditional": (
        "quern/compute/tokens.py",
        r"= get_args\(\) if service_args is None else service_args",
    ),
    "back-fill by walrus": ("quern/compute/devices.py", r"\(service_args := service_a"),
    "keep ambiguous": (
        "quern/schedule/policy.py",
        r"config = get_args\(\)\n    if trial:\n        config = TRIAL",
    ),
    "keep write-target": ("quern/admin.py", r"get_args\(\)\.slow_after = 1"),
    "keep side-effect": ("quern/admin.py", r"engines\.pop\(\)\.service_args\."),
    "augmented write-target": ("quern/admin.py", r"get_args\(\)\.metrics_window \*= 2"),
    "import-time in a module": ("quern/compute/tables.py", r"(?m)^SCALES = .*get_args"),
    "import-time in a class": ("quern/compute/tables.py", r"    value = 1 .*get_args"),
    "import-time decorator": (
        "quern/compute/tables.py",
        r"(?m)^@lru_cache\(.*get_args",
    ),
    "import-time default": (
        "quern/compute/tables.py",
        r"longest: int = get_args\(\)\.",
    ),
    "getter as a default": ("quern/compute/tables.py", r"config=get_args\(\)\)"),
    "keep guarded": (
        "quern/serving/metrics.py",
        r"try:\n\s+return rc\.get_args\(\)\.metrics_window\n\s+except ValueError",
    ),
    "guarded alias": (
        "quern/serving/metrics.py",
        r"try:\n\s+config = rc\.get_args\(\)\n\s+except ValueError",
    ),
    "before publishing": ("quern/startup.py", r"resolve\(\)\n    context\.publish\(\)"),
    "derived property": ("quern/serving/report.py", r"get_args\(\)\.tokens_per_worker"),
    "derived method": ("quern/serving/report.py", r"get_args\(\)\.uses_dense_kernel\("),
    "derived with argument": ("quern/serving/report.py", r"\.batches_for\(200\)"),
    "bound method": ("quern/serving/report.py", r"get_args\(\)\.uses_dense_kernel\n"),
    "keep unrouted": ("quern/serving/report.py", r"get_args\(\)\.config_path"),
    "name taken": ("quern/compute/devices.py", r"return Device\(get_args\(\)\.device"),
    "alias taken too": ("quern/compute/devices.py", r"get_device_namespace = _PODS"),
    "use whole": ("quern/serving/report.py", r"fingerprint\(get_args\(\)\)"),
    "use asdict": ("quern/serving/report.py", r"asdict\(get_args\(\)\)"),
    "use hasattr": ("quern/serving/report.py", r"hasattr\(get_args\(\), "),
    "use vars": ("quern/serving/report.py", r"vars\(get_args\(\)\)"),
    "use computed": ("quern/serving/report.py", r"getattr\(get_args\(\), name\)"),
    "field inherited": ("quern/config/base.py", r"device: Annotated\[str.*NS\("),
    "field under Annotated's alias": ("quern/config/args.py", r"dim: A\[int.*NS\("),
    "field as a string": ("quern/config/args.py", r'max_batch_tokens: "A\[int'),
    "field by a constant": ("quern/config/args.py", r"NS\(CACHE\)"),
    "field without a route": ("quern/config/args.py", r"config_path: A\[(?!.*NS)"),
    "writer": ("quern/schedule/scheduler.py", r"self\.service_args\.override\("),
    "writer of two kinds": (
        "quern/admin.py",
        r"override\(.*workers=.*, cache_entries=",
    ),
    "writer of a copy": ("quern/compute/runner.py", r"override\(\"preview\", kernel="),
    "writer of the context": ("quern/admin.py", r"get_context\(\)\.override\("),
    "writer before publishing": ("quern/startup.py", r"config\.override\(\"resolve\""),
    "probe": ("quern/startup.py", r"if is_fast_device\(\)"),
    "probe of a value": ("quern/startup.py", r"device_generation\(\) < 2"),
    "probe at import": ("quern/compute/kernels.py", r"(?m)^LANES = .*has_wide_lanes\("),
    "probe patched by decorator": ("tests/test_startup.py", r"    @patch\(\"quern\."),
    "probe patched in a block": ("tests/test_compute.py", r"with patch\(\"quern\."),
    "probe patched on a module": ("tests/test_startup.py", r"patch\.object\(startup"),
    "probe overridden": ("tests/test_startup.py", r"override_platform\(generation=1\)"),
    "local import, safe": ("quern/serving/report.py", r"    import json"),
    "local import, cycle": ("quern/topology.py", r"    from quern\.runtime_context"),
    "local import, needs startup": ("quern/compute/runner.py", r"    from .* tables"),
    "local import, optional": (
        "quern/startup.py",
        r"try:\n\s+import tomllib\n\s+except ImportError",
    ),
}


@pytest.mark.parametrize("case", CENSUS)
def test_it_holds(case: str) -> None:
    file, pattern = CENSUS[case]
    assert re.search(pattern, SOURCES[file])


def test_a_parameter_is_left_that_nothing_reads() -> None:
    tree = ast.parse(SOURCES["quern/compute/cache.py"])
    (function,) = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "make_cache"
    )
    assert [argument.arg for argument in function.args.args] == ["service_args"]
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    assert "service_args" not in names


def test_the_context_imports_modules_that_read_the_configuration() -> None:
    for importer, imported in (
        ("quern/runtime_context.py", "from quern import topology"),
        ("quern/topology.py", "from quern.placement import place"),
        ("quern/placement.py", "    from quern.runtime_context import get_args"),
    ):
        assert f"\n{imported}" in SOURCES[importer]
