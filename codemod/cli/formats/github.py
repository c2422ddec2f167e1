"""Workflow commands that GitHub shows as annotations on the lines of a change.

The escapes are those of GitHub's workflow commands: ``%``, carriage return and line
feed in data; ``:`` and ``,`` in properties too.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemod.cli.formats.text import summary
from codemod.cli.screen import safe
from codemod.guards.checking import Report


def github_lines(prefix: str, baseline: str, report: Report) -> Iterator[str]:
    """One annotation for each finding; ``prefix`` leads from the workspace to ROOT."""
    for finding in report.findings:
        lines = finding.text.count("\n")
        place = {
            "file": f"{prefix}{finding.file}",
            "line": str(finding.line),
            "endLine": str(finding.line + lines),
            "col": str(finding.column),
            "title": f"nsroute {finding.guard}",
        }
        yield _command("error", place, f"{finding.message}\nfix: {finding.fix}")
    for stale in report.stale:
        place = {"file": baseline, "title": f"nsroute {stale.guard}"}
        message = (
            f"{stale.key}: the baseline has {stale.baseline}, now there are "
            f"{stale.now}; run `nsroute check --update`"
        )
        yield _command("error", place, message)
    for problem in report.problems:
        place = {
            "file": f"{prefix}{problem.file}",
            "line": str(max(problem.line, 1)),
            "title": "nsroute",
        }
        yield _command("error", place, f"could not be checked: {problem.message}")
    yield safe(summary(report))


def _command(name: str, properties: dict[str, str], message: str) -> str:
    listed = ",".join(f"{key}={_property(text)}" for key, text in properties.items())
    return f"::{name} {listed}::{_data(message)}"


def _data(text: str) -> str:
    lines = (safe(line) for line in text.replace("\r", "").split("\n"))
    return "%0A".join(line.replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
