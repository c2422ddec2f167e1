"""Figures of the guards: what they find in six releases of SGLang, and their speed."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from pathlib import Path

import codemod
from bench.fetching import sources, tool
from bench.timing import Run, paired, run
from codemod.guards.model import Finding
from codemod.guards.running import run_guards

RELEASES = ("0.5.18", "0.5.19", "0.5.20", "0.5.21", "0.5.22", "0.5.23")
SHOWN = ("reads", "legacy", "local-imports", "shadowing", "frozen")
NSROUTE = Path(sys.executable).parent / "nsroute"
PATTERN = "get_server_args().$F"


def main() -> None:
    """Print the table, the shadowing by name, and the speed of ``check``."""
    print("== findings of the guards by release of SGLang, without a baseline")
    print(f"| release | files | {' | '.join(SHOWN)} | frozen accessors |")
    print(f"| --- | {'---: | ' * (len(SHOWN) + 2)}")
    shadowing: list[tuple[str, Finding]] = []
    for release in RELEASES:
        files, findings = _findings(release)
        counts = Counter(finding.guard for finding in findings)
        frozen = [f for f in findings if f.guard == "frozen" and _is_accessor(f)]
        figures = " | ".join(f"{counts[guard]:,}" for guard in SHOWN)
        print(f"| {release} | {files:,} | {figures} | {len(frozen)} |", flush=True)
        shadowing += [(release, f) for f in findings if f.guard == "shadowing"]
    print("== every shadowing found")
    for release, finding in shadowing:
        place = f"{finding.file}:{finding.line}:{finding.column}"
        print(f"{release} {place} in {finding.function}: {finding.message}")
    print("== speed of check on 0.5.23, medians of 5 runs in turn")
    _speed(sources("sglang", RELEASES[-1]))


def _findings(release: str) -> tuple[int, tuple[Finding, ...]]:
    root = sources("sglang", release)
    analysis = codemod.analyse(root, "sglang", codemod.Options(cache=False))
    checked = run_guards(analysis, SHOWN, None, False)
    for problem in (*analysis.result.errors, *checked.problems):
        print(f"  not checked: {problem.file}:{problem.line}: {problem.message}")
    return analysis.result.summary.files, checked.findings


def _is_accessor(finding: Finding) -> bool:
    """Whether it is an accessor of the context, not a probe of the machine."""
    return finding.subject.startswith("get_") and not finding.subject.startswith(
        ("get_device_sm", "get_device_capability", "get_platform")
    )


def _speed(root: Path) -> None:
    ast_grep = tool("ast-grep", "ast-grep-cli")
    victim = root / "sglang/srt/server_args.py"
    text = victim.read_bytes()
    edits = iter(range(1000))

    def grep() -> Run:
        return run([ast_grep, "run", "-p", PATTERN, "-l", "py", root])

    def check() -> Run:
        return run([NSROUTE, "check", root, "--rules", "sglang", "--format", "json"])

    def cold() -> Run:
        shutil.rmtree(root / ".nsroute_cache", ignore_errors=True)
        return check()

    def changed() -> Run:
        victim.write_bytes(text + b"# edit %d\n" % next(edits))
        return check()

    try:
        grep()
        ours, theirs, ratio = paired(cold, grep)
        print(
            f"cold check {ours:.2f} s, ast-grep {theirs:.2f} s, "
            f"ratio {ratio:.2f} (<= 2)"
        )
        ours, theirs, ratio = paired(check, grep)
        print(
            f"warm check {ours:.2f} s, ast-grep {theirs:.2f} s, "
            f"ratio {ratio:.2f} (<= 0.4)"
        )
        one, none, ratio = paired(changed, check)
        print(
            f"one file changed {one:.2f} s, none {none:.2f} s, "
            f"ratio {ratio:.2f} (<= 1.3)"
        )
    finally:
        victim.write_bytes(text)
