"""Where CI looks: GitHub, SARIF, JSON, text; a branch alone; shards; pre-commit."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema

from codemod.guards.baseline_file import FILE
from codemod.guards.samples import FILES
from tests.guards.support import commit, git, nsroute, write

REPOSITORY = Path(__file__).parents[2]

USE = """\
from app.context import get_config


def f():
    return (
        get_config()
        .port
    )


def g():
    return "é", get_config().size  # 100%
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path, {**FILES, "app/use.py": USE, ".gitignore": ".nsroute_cache"})


def test_text_shows_the_line_and_a_caret(project: Path) -> None:
    assert (
        nsroute(project, "check").stdout
        == """\
app/use.py:6:9: reads: port belongs to net.http
  |
6 |         get_config()
  |         ^^^^^^^^^^^^
7 |         .port
  |         ^^^^^
  fix: get_net().http.port

app/use.py:12:17: reads: size belongs to pool
   |
12 |     return "é", get_config().size  # 100%
   |                 ^^^^^^^^^^^^^^^^^
  fix: get_pool().size

2 findings in 1 file. `nsroute diff` shows the change, `nsroute apply` makes it.
"""
    )


def test_github_annotates_the_lines(project: Path) -> None:
    lines = nsroute(project.parent, "check", project.name, "--format", "github").stdout
    prefix = f"{project.name}/app/use.py"
    assert lines.splitlines()[:2] == [
        f"::error file={prefix},line=6,endLine=7,col=9,title=nsroute reads"
        "::port belongs to net.http%0Afix: get_net()%0A        .http.port",
        f"::error file={prefix},line=12,endLine=12,col=17,title=nsroute reads"
        "::size belongs to pool%0Afix: get_pool().size",
    ]
    assert lines.count("::error") == 2


def test_github_escapes_what_would_end_a_command(tmp_path: Path) -> None:
    text = "def f(config):\n    return 1  # nsroute: keep[x] 100%, a::b\n"
    write(tmp_path, {**FILES, "a,b%.py": text})
    out = nsroute(tmp_path, "check", "--format", "github").stdout
    assert "::error file=a%2Cb%25.py,line=2,endLine=2,col=1,title=" in out


def test_github_says_what_is_stale_and_what_was_not_checked(project: Path) -> None:
    nsroute(project, "check", "--update")
    write(project, {"app/use.py": "x = 1\n", "app/broken.py": "def f(:\n"})
    done = nsroute(project, "check", "--format", "github")
    assert done.exit_code == 3
    assert (
        f"::error file={FILE},title=nsroute reads::app.use:f port: the" in done.stdout
    )
    assert (
        "::error file=app/broken.py,line=1,title=nsroute::could not be" in done.stdout
    )


def sarif(folder: Path, *arguments: str) -> dict[str, object]:
    """The log, which has to be as the schema says."""
    text = nsroute(folder, "check", *arguments, "--format", "sarif").stdout
    StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate_json(text)
    log: dict[str, object] = json.loads(text)
    return log


def test_sarif_is_valid_and_says_the_same(project: Path) -> None:
    (run,) = sarif(project)["runs"]  # type: ignore[misc]
    assert run["invocations"] == [{"executionSuccessful": True}]
    rules = run["tool"]["driver"]["rules"]
    first, second = run["results"]
    assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "reads"
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "app/use.py", "uriBaseId": "%SRCROOT%"},
                "region": {
                    "startLine": 6,
                    "startColumn": 9,
                    "endLine": 7,
                    "endColumn": 14,
                },
            },
            "logicalLocations": [{"fullyQualifiedName": "app.use.f"}],
        }
    ]
    region = second["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (17, 34)
    assert first["partialFingerprints"] != second["partialFingerprints"]


def test_sarif_of_nothing_and_of_trouble_is_valid(project: Path) -> None:
    nsroute(project, "check", "--update")
    assert sarif(project)["runs"][0]["results"] == []  # type: ignore[index]
    write(project, {"app/use.py": "x = 1\n", "app/brökén, %.py": "def f(:\n"})
    (run,) = sarif(project)["runs"]  # type: ignore[misc]
    assert [r["ruleId"] for r in run["results"]] == ["reads", "reads"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    place = invocation["toolExecutionNotifications"][0]["locations"][0]
    uri = place["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "app/br%C3%B6k%C3%A9n%2C%20%25.py"


def test_a_fingerprint_outlives_a_move_of_lines(project: Path) -> None:
    def prints() -> list[object]:
        (run,) = sarif(project)["runs"]  # type: ignore[misc]
        return [result["partialFingerprints"] for result in run["results"]]

    before = prints()
    write(project, {"app/use.py": f"# A word.\n{USE}"})
    assert prints() == before


def test_json_has_the_keys_of_the_contract(project: Path) -> None:
    nsroute(project, "check", "--update")
    more = USE.replace("get_config().size", "get_config().size, get_config().port")
    write(project, {"app/use.py": more.replace("        .port", "        .slots")})
    found = json.loads(nsroute(project, "check", "--format", "json").stdout)
    assert list(found) == ["schema", "findings", "stale"]
    assert found["stale"] == [
        {"guard": "reads", "key": "app.use:f port", "baseline": 1, "now": 0}
    ]
    (finding,) = found["findings"]
    assert list(finding) == [
        "guard",
        "file",
        "line",
        "column",
        "function",
        "message",
        "fix",
    ]


class TestDiffBase:
    """``--diff-base``: what a branch adds, and nothing that was there."""

    @pytest.fixture
    def branch(self, project: Path) -> Path:
        commit(project)
        git(project, "switch", "--quiet", "--create", "work")
        return project

    def added(self, folder: Path) -> list[tuple[str, int, str]]:
        done = nsroute(folder, "check", "--diff-base", "main", "--format", "json")
        found = json.loads(done.stdout)["findings"]
        assert done.exit_code == (1 if found else 0)
        return [(f["file"], f["line"], f["guard"]) for f in found]

    def test_nothing(self, branch: Path) -> None:
        assert self.added(branch) == []
        write(branch, {"app/use.py": USE.replace("def g", "X = 1\n\n\ndef renamed")})
        assert self.added(branch) == []

    def test_one_more_in_a_function_that_had_one(self, branch: Path) -> None:
        new = USE.replace('"é"', "get_config().size")
        write(branch, {"app/use.py": new})
        assert len(self.added(branch)) == 1
        commit(branch, "more")
        assert len(self.added(branch)) == 1

    def test_a_new_file_that_git_does_not_know(self, branch: Path) -> None:
        write(branch, {"app/new.py": USE})
        assert self.added(branch) == [
            ("app/new.py", 6, "reads"),
            ("app/new.py", 12, "reads"),
        ]

    def test_a_renamed_file(self, branch: Path) -> None:
        git(branch, "mv", "app/use.py", "app/used.py")
        assert self.added(branch) == []

    def test_a_finding_in_a_file_that_did_not_change(self, branch: Path) -> None:
        write(
            branch,
            {
                "app/main.py": FILES["app/main.py"].replace(
                    "    context = get_context()",
                    "    from app.report import report\n\n    report()\n"
                    "    context = get_context()",
                )
            },
        )
        assert self.added(branch) == [("app/report.py", 5, "pre-publish")]

    def test_what_main_did_since_is_not_the_branch_s(self, branch: Path) -> None:
        git(branch, "switch", "--quiet", "main")
        write(branch, {"app/use.py": "x = 1\n"})
        commit(branch, "main goes on")
        git(branch, "switch", "--quiet", "work")
        assert self.added(branch) == []


class TestShards:
    """``--shard I/N`` and ``merge``: together the same as one run."""

    @pytest.fixture
    def parts(self, project: Path) -> list[str]:
        write(project, {f"app/m{n}.py": USE for n in range(6)})
        names = []
        for number in "123":
            part = nsroute(project, "check", "--shard", f"{number}/3", "-f", "json")
            assert part.exit_code == 1
            (project / f"{number}.json").write_text(part.stdout)
            names.append(f"{number}.json")
        return names

    def test_the_parts_are_the_whole(self, project: Path, parts: list[str]) -> None:
        whole = nsroute(project, "check")
        sizes = [
            len(json.loads((project / part).read_text())["findings"]) for part in parts
        ]
        assert sum(sizes) == 14 and all(size < 14 for size in sizes)
        again = nsroute(project, "merge", *reversed(parts))
        assert (again.exit_code, again.stdout) == (1, whole.stdout)

    def test_a_missing_part_is_not_green(self, project: Path, parts: list[str]) -> None:
        done = nsroute(project, "merge", *parts[:2])
        assert (done.exit_code, done.stdout) == (2, "")
        assert "not all was checked: there is no part 3/3" in done.stderr

    @pytest.mark.parametrize(
        ("spoil", "words"),
        [
            (lambda t: t[:-40], "is not JSON"),
            (lambda t: "{}", "is no output of"),
            (lambda t: t.replace('"index":1', '"index":2'), "part 2/3 is given twice"),
            (lambda t: t.replace('"of":3', '"of":4'), "is of 3 parts"),
            (lambda t: t.replace('"tree":"', '"tree":"0'), "checked different files"),
            (lambda t: t.replace('"fix"', '"fixed"'), "is not as nsroute writes it"),
            (lambda t: t.replace('"schema": 1', '"schema": 7'), "has schema 7"),
        ],
    )
    def test_a_spoilt_part(
        self, spoil: object, words: str, project: Path, parts: list[str]
    ) -> None:
        file = project / parts[0]
        text = file.read_text()
        file.write_text(spoil(text))  # type: ignore[operator]
        assert file.read_text() != text
        done = nsroute(
            project, "merge", *parts, *(parts[:1] if "twice" in words else ())
        )
        assert (done.exit_code, done.stdout) == (2, "")
        if "twice" in words:
            words = "there is no part 1/3"
        assert words in done.stderr, done.stderr


def test_a_spoilt_cache_gives_the_same(project: Path) -> None:
    clean = nsroute(project, "check").stdout
    cache = project / ".nsroute_cache"
    names = sorted(path.name for path in cache.iterdir() if path.name[0] != ".")
    assert names == ["calls", "facts", "guards", "routes"]
    for data in (b"", b"junk", b"\x00" * 5000):
        for name in names:
            (cache / name).write_bytes(data)
        assert nsroute(project, "check").stdout == clean
    for name in names:
        file = cache / name
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
        assert nsroute(project, "check").stdout == clean
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert nsroute(project, "check").stdout == clean


def test_a_cache_that_cannot_be_written_costs_only_time(project: Path) -> None:
    (project / ".nsroute_cache").write_text("a file, not a folder")
    done = nsroute(project, "check")
    assert done.exit_code == 1 and "2 findings" in done.stdout


def test_a_baseline_that_cannot_be_written_is_an_error(project: Path) -> None:
    (project / FILE).mkdir()
    for arguments in (["check"], ["check", "--update"]):
        done = nsroute(project, *arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"{FILE}: cannot be" in done.stderr


def test_one_changed_file_is_one_file_parsed(project: Path) -> None:
    import codemod.api
    from codemod.guards.running import run_guards

    for change, parsed in (("", None), ("", 0), ("# more\n", 1)):
        write(project, {"app/use.py": USE + change})
        analysis = codemod.api.analyse(project, None, codemod.api.Options(jobs=1))
        made = run_guards(analysis, (), 1).made
        if parsed is not None:
            assert (len(analysis.index.parsed), made) == (parsed, parsed)


@pytest.fixture
def hook(tmp_path: Path) -> Path:
    """The project with a pre-commit configuration that names this repository's hook.

    The hook runs the nsroute at hand (``language: system``): an environment of its own
    would be fetched from the package index. All else is as ``.pre-commit-hooks.yaml``
    has it.
    """
    text = (REPOSITORY / ".pre-commit-hooks.yaml").read_text()
    hooks = tmp_path / "hooks"
    command = f"{sys.executable} -m codemod.cli check"
    assert "entry: nsroute check" in text and "language: python" in text
    text = text.replace("entry: nsroute check", f"entry: {command}")
    text = text.replace("language: python", "language: system")
    write(hooks, {".pre-commit-hooks.yaml": text})
    commit(hooks)
    rev = git(hooks, "rev-parse", "HEAD").strip()
    config = f"repos:\n- repo: {hooks}\n  rev: {rev}\n  hooks:\n  - id: nsroute-check\n"
    project = write(
        tmp_path / "project",
        {
            **FILES,
            ".pre-commit-config.yaml": config,
            ".gitignore": ".nsroute_cache\n",
        },
    )
    commit(project)
    return project


def test_the_real_pre_commit_runs_the_hook(hook: Path, tmp_path: Path) -> None:
    import os

    env = dict(os.environ, PRE_COMMIT_HOME=str(tmp_path / "home"))
    env["PYTHONPATH"] = str(REPOSITORY)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", *arguments],
            cwd=hook,
            env=env,
            capture_output=True,
            text=True,
        )

    done = run("run", "--all-files")
    assert done.returncode == 0, done.stdout + done.stderr
    write(hook, {"app/use.py": USE})
    git(hook, "add", "--all")
    done = run("run")
    assert done.returncode == 1
    assert "app/use.py:12:17: reads: size belongs to pool" in done.stdout


def test_the_action_runs_the_check() -> None:
    """Its steps are composite, and its script is one that bash takes."""
    import yaml

    action = yaml.safe_load((REPOSITORY / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        if "run" in step:
            assert step["shell"] == "bash"
            # Inputs come by the environment: nobody can put shell code into one.
            assert "${{" not in step["run"]
            done = subprocess.run(["bash", "-n"], input=step["run"], text=True)
            assert done.returncode == 0
