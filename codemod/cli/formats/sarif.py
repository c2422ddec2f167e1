"""SARIF 2.1.0 (OASIS), the format that code scanning services take."""

from __future__ import annotations

import hashlib
import inspect
from collections import Counter
from typing import Any
from urllib.parse import quote

from codemod import __version__
from codemod.guards import GUARDS
from codemod.guards.checking import Report
from codemod.guards.model import Finding
from codemod.model import Problem

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(prefix: str, baseline: str, report: Report) -> dict[str, Any]:
    """The log of one run; ``prefix`` leads from the repository to ROOT."""
    seen: Counter[str] = Counter()
    results = [_result(prefix, finding, seen) for finding in report.findings]
    numbers = {code: number for number, code in enumerate(GUARDS)}
    for stale in report.stale:
        text = (
            f"{stale.key}: the baseline has {stale.baseline}, now there are "
            f"{stale.now}; run `nsroute check --update`"
        )
        results.append(
            {
                "ruleId": stale.guard,
                "ruleIndex": numbers[stale.guard],
                "level": "error",
                "message": {"text": text},
                "locations": [_location(baseline, 1, None)],
            }
        )
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "nsroute",
                        "semanticVersion": __version__,
                        "rules": [_rule(code) for code in GUARDS],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(prefix, report.problems)],
                "results": results,
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    guard = GUARDS[code]
    page = inspect.cleandoc(guard.__doc__ or "")
    return {
        "id": code,
        "shortDescription": {"text": guard.SUMMARY},
        "fullDescription": {"text": page.partition("\n\n")[0].replace("\n", " ")},
        "help": {"text": page},
        "defaultConfiguration": {"level": "error"},
    }


def _result(prefix: str, finding: Finding, seen: Counter[str]) -> dict[str, Any]:
    # The place is no part of it, so that a service knows a finding again that moved.
    name = "\0".join([*finding.key, finding.text])
    digest = hashlib.sha256(name.encode("utf-8", "backslashreplace")).hexdigest()[:32]
    seen[digest] += 1
    message = f"{finding.message}\nfix: {finding.fix}"
    return {
        "ruleId": finding.guard,
        "ruleIndex": list(GUARDS).index(finding.guard),
        "level": "error",
        "message": {"text": message},
        "locations": [
            _location(f"{prefix}{finding.file}", finding.line, finding),
        ],
        "partialFingerprints": {"nsroute/v1": f"{digest}:{seen[digest]}"},
    }


def _location(path: str, line: int, finding: Finding | None) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": line}
    if finding is not None:
        region["startColumn"] = finding.column
        if finding.text:
            lines = finding.text.split("\n")
            region["endLine"] = line + len(lines) - 1
            start = finding.column if len(lines) == 1 else 1
            region["endColumn"] = start + len(lines[-1])
    place: dict[str, Any] = {
        "artifactLocation": {
            "uri": quote(path, errors="surrogateescape"),
            "uriBaseId": "%SRCROOT%",
        },
        "region": region,
    }
    location: dict[str, Any] = {"physicalLocation": place}
    if finding is not None and finding.function:
        name = f"{finding.module}.{finding.function}"
        location["logicalLocations"] = [{"fullyQualifiedName": name}]
    return location


def _invocation(prefix: str, problems: tuple[Problem, ...]) -> dict[str, Any]:
    """A run that could not check a file did not succeed, whatever it found."""
    found: dict[str, Any] = {"executionSuccessful": not problems}
    if problems:
        found["toolExecutionNotifications"] = [
            {
                "level": "error",
                "message": {"text": problem.message},
                "locations": [
                    _location(f"{prefix}{problem.file}", max(problem.line, 1), None)
                ],
            }
            for problem in problems
        ]
    return found
