"""Figures of writers and probes: what is changed, and why each of the rest is not."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.fetching import package
from codemod.api import Analysis, Options, analyse
from codemod.index.pool import default_jobs
from codemod.packs import Step, module_matches
from codemod.series.migrate import migrate
from codemod.series.task import combined
from codemod.transforms import TRANSFORMS, KeptSite, StepContext

OLD, NEW = "0.5.16", "0.5.17"
PROBES, AFTER = "0.5.18", "0.5.19"
WRITE = re.compile(r"server_args\.override\(")
CONTEXT = re.compile(r"get_context\(\)\.override\(")
PROBE = re.compile(r"\bis_sm\w*_supported\(\)")

#: Texts of changed files by path, and what was kept.
_Done = tuple[dict[str, str], list[KeptSite], list[KeptSite]]


def main() -> None:
    """Print every figure of the issue about writers and probes."""
    old, new = package("sglang", OLD), package("sglang", NEW)
    print(f"== writers: SGLang {OLD} with the routes of {NEW}")
    routes = f"{new}/sglang/srt/server_args.py:ServerArgs"
    _writers(analyse(old, "sglang", Options(routes_from=routes)), _texts(new))
    before, after = package("sglang", PROBES), package("sglang", AFTER)
    print(f"== probes: SGLang {PROBES}")
    _probes(analyse(before, "sglang"), _texts(after))


def _writers(analysis: Analysis, later: Mapping[str, str]) -> None:
    texts = _of(analysis)
    changed, kept, findings = _run(analysis, ("reads", "writers"))
    ours = {**texts, **changed}
    print(
        f"server_args.override( in {OLD}: {_count(WRITE, texts)}, "
        f"in {NEW}: {_count(WRITE, later)}, ours: {_count(WRITE, ours)}"
    )
    print(
        f"get_context().override( in {OLD}: {_count(CONTEXT, texts)}, "
        f"in {NEW}: {_count(CONTEXT, later)}, ours: {_count(CONTEXT, ours)}"
    )
    sites = {
        (site.file, site.line): site for site in kept if site.transform == "writers"
    }
    print("each call that stays:")
    for path, line in _places(WRITE, ours, texts):
        site = sites.pop((path, line), None)
        why = f"{site.reason}: {site.why}" if site else _other(analysis, path, line)
        print(f"  {path}:{line}: {why}")
    for (path, line), site in sorted(sites.items()):
        print(f"  {path}:{line}: {site.reason}: {site.why}")
    reads = Counter(site.reason for site in kept if site.transform == "reads")
    print(f"reads that stay with their writers: {reads['written']}")
    print(f"to be looked at by a person: {len(findings)}")
    for site in findings:
        print(f"  {site.file}:{site.line}: {site.reason}: {site.why}")


def _other(analysis: Analysis, path: str, line: int) -> str:
    """Why a call is none of a writer: who owns it, or what the line is."""
    module = analysis.index.project.by_path[path].module
    if module_matches(analysis.pack.record.owners, module):
        return "owner: its module owns the record"
    tree = ast.parse(analysis.index.sources[path].data)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or node.func.end_lineno != line:
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "override":
            return "not the record: a copy, or a record made here"
    return "no call: a text that mentions it"


def _probes(analysis: Analysis, later: Mapping[str, str]) -> None:
    texts = _of(analysis)
    changed, kept, findings = _run(analysis, ("probes",))
    ours = {**texts, **changed}
    print(
        f"is_sm*_supported() in {PROBES}: {_count(PROBE, texts)}, "
        f"in {AFTER}: {_count(PROBE, later)}, ours: {_count(PROBE, ours)}"
    )
    print("each call that is left:")
    for site in kept:
        if PROBE.search(site.text):
            print(f"  {site.file}:{site.line}: {site.text}: {site.reason}: {site.why}")
    reasons = Counter(site.reason for site in kept)
    print("all probes that stay: " + ", ".join(f"{k} {n}" for k, n in reasons.items()))
    print(f"patches to be looked at by a person: {len(findings)}")
    for site in findings:
        print(f"  {site.file}:{site.line}: {site.why}")


def _run(analysis: Analysis, names: tuple[str, ...]) -> _Done:
    context = StepContext(
        analysis.index,
        analysis.pack,
        analysis.routes,
        analysis.decided,
        Step("bench", names),
    )
    plans = [TRANSFORMS[name].tasks(context) for name in names]
    tasks = combined(task for plan in plans for task in plan.tasks)
    changes, failed = migrate(tasks, 88, default_jobs())
    print(f"files changed {len(changes)}, rolled back {len(failed)}")
    return (
        {change.path: change.after.decode("utf-8") for change in changes},
        [site for plan in plans for site in plan.kept],
        [site for plan in plans for site in plan.findings],
    )


def _of(analysis: Analysis) -> dict[str, str]:
    return {
        path: source.data.decode("utf-8", "replace")
        for path, source in sorted(analysis.index.sources.items())
    }


def _texts(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): path.read_text("utf-8", "replace")
        for path in sorted(root.rglob("*.py"))
    }


def _count(pattern: re.Pattern[str], texts: Mapping[str, str]) -> int:
    return sum(len(pattern.findall(text)) for text in texts.values())


def _places(
    pattern: re.Pattern[str], ours: Mapping[str, str], texts: Mapping[str, str]
) -> Iterator[tuple[str, int]]:
    """Where a pattern is still found, by the lines of the text before.

    A line that is left is one of those that there were with the same line after it.
    """
    for path, text in sorted(ours.items()):
        left = Counter(pair for _, pair in _pairs(pattern, text))
        for number, pair in _pairs(pattern, texts[path]):
            if left[pair]:
                left[pair] -= 1
                yield path, number


def _pairs(
    pattern: re.Pattern[str], text: str
) -> Iterator[tuple[int, tuple[str, ...]]]:
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if pattern.search(line):
            yield number, tuple(lines[number - 1 : number + 1])
