"""``python -m bench.agreement_page``: write ``docs/agreement.md`` from the figures."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import codemod
from bench.agreement import FORMS, Row, differences, rows
from bench.fetching import package

PAGE = Path(__file__).parent.parent / "docs" / "agreement.md"

#: Why nsroute stands by what it does, for each kind of difference.
_PARAMETER = (
    "They converted the reads of a parameter; nsroute keeps them",
    "The object comes from the caller. In the same commits the maintainers took the "
    "parameter out of the function and out of its calls, or knew that every caller "
    "passes the published record (two of these functions got a comment that elastic "
    "scaling rewrites the published value). A tool that sees `f(server_args)` cannot "
    "know that, and a caller that passes its own object would silently get other "
    "values. `unread-parameters` and the clean-up step take over once a person has "
    "decided.",
)
_REWRITTEN = (
    "They did other work at the read; nsroute converts it",
    "No read of the field is left in the function in 0.5.17 and no accessor either, "
    "because the code around it changed: the pool builders of `kv_cache_configurator` "
    "now go through one property, the scheduler copies a field to an attribute of its "
    "own, a function was merged into another. The reads that 0.5.16 has are reads of "
    "the process-wide record by the pack's word, with the same forms as their "
    "neighbours that the maintainers converted.",
)
_PARTLY = (
    "They converted some reads of the field in the function; nsroute converts all",
    "The reads are alike: the same attribute of the same object in one function, with "
    "no second record in sight. One value for all of them is what the function had "
    "before.",
)
_GONE = (
    "The function is gone in 0.5.17; nsroute converts its reads",
    "There is nothing to compare with. The read is one of the getter's alias, like the "
    "others that were converted in that file.",
)


def main() -> None:
    """Write the page."""
    old, new = package("sglang", "0.5.16"), package("sglang", "0.5.17")
    options = codemod.Options(
        routes_from=f"{new}/sglang/srt/server_args.py:ServerArgs", cache=False
    )
    found = rows(codemod.scan(old, "sglang", options))
    PAGE.write_text(page(found), encoding="utf-8")


def page(found: list[Row]) -> str:
    """The whole page as Markdown."""
    wanted = [r for r in found if r.outcome == "converted" and r.forms <= FORMS]
    direct = [r for r in wanted if r.forms == {"direct"}]
    kept = [r for r in found if r.outcome == "kept"]
    lines = [
        "# Agreement with SGLang's own migration",
        "",
        "Between 0.5.16 and 0.5.17 SGLang's maintainers moved reads of `ServerArgs` to",
        "namespaces. `bench/reader-wave.jsonl` holds what became of each (file,",
        "function, field) in about half of the files of `sglang/srt`. This is how",
        "`nsroute scan --rules sglang`, with the routes that 0.5.17 declares, compares",
        "on 0.5.16; `make bench` prints it again.",
        "",
        "| rows | ours | |",
        "|---|---:|---|",
        _figure("converted by them: direct, alias of the getter, self", wanted),
        _figure("of these, direct", direct),
        f"| kept by them, converted by us | {sum(r.converted for r in kept)} | of "
        f"{len(kept)} |",
        "",
        "Every other row where nsroute does something else follows, by kind.",
        "",
    ]
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in differences(found):
        groups[_kind(row)].append(row)
    for (title, why), members in groups.items():
        lines += [f"## {title} ({len(members)})", "", why, ""]
        lines += [_line(row) for row in sorted(members, key=_order)]
        lines.append("")
    return "\n".join(lines)


def _kind(row: Row) -> tuple[str, str]:
    if row.outcome == "converted":
        return _PARAMETER
    return {"partly": _PARTLY, "func-gone": _GONE}.get(row.outcome, _REWRITTEN)


def _figure(label: str, among: list[Row]) -> str:
    same = sum(row.same for row in among)
    share = 100 * same / len(among)
    return f"| {label} | {same} | of {len(among)}, {share:.1f}% the same accessor |"


def _order(row: Row) -> tuple[str, tuple[int, ...], str]:
    return row.file, row.lines, row.field


def _line(row: Row) -> str:
    numbers = ", ".join(str(number) for number in row.lines)
    ours = row.reads[0].replacement or row.reads[0].reason
    return f"- `{row.file}` `{row.function}`, `{row.field}` (line {numbers}): `{ours}`"


if __name__ == "__main__":
    main()
