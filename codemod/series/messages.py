"""Commit messages: the pack's template, or the transform's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from codemod.packs import Step
from codemod.series.commit import Change
from codemod.transforms.model import KeptSite

#: The titles of steps that have no template, by their first transform.
_TITLES = {
    "reads": "Read {part} through its namespace",
    "writers": "Write {part} through the context",
    "derived": "Ask derived members by name",
    "configured": "Ask for configured sizes by name",
    "probes": "Ask the platform instead of probing",
    "cleanup": "Remove what nothing reads any more",
    "hoist": "Import at module level",
    "external": "Run {step}",
}
_WHOLE = "the record"


def message_of(
    step: Step,
    part: str,
    changes: Sequence[Change],
    kept: Sequence[KeptSite],
    namespaces: Iterable[str],
) -> str:
    """The message of a commit: a title, and a body when there is more to say.

    Ends without a line end. Blank lines at its ends and spaces at line ends are
    removed, as git would do it, so that a patch carries the very same message.
    """
    values = _values(step, part, changes, kept, namespaces)
    template = step.message
    if template is None:
        text = f"{_title(step, part)}\n\n{_body(step, changes, kept)}"
    else:
        text = template.format_map(values)
    return cleaned(text)


def _title(step: Step, part: str) -> str:
    """The title of a step without a template; a split shows in it."""
    what = part if part and step.split == "namespace" else _WHOLE
    title = _TITLES[step.transforms[0]].format(part=what, step=step.name)
    if not part or step.split == "namespace":
        return title
    return f"{title}, in {part}" if step.split == "module" else f"{title}, part {part}"


def cleaned(text: str) -> str:
    """A message as ``git stripspace`` leaves it, without its last line end."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).strip("\n")


def _values(
    step: Step,
    part: str,
    changes: Sequence[Change],
    kept: Sequence[KeptSite],
    namespaces: Iterable[str],
) -> dict[str, str]:
    return {
        "step": step.name,
        "part": part,
        "transforms": " and ".join(step.transforms),
        "edits": str(sum(change.edits for change in changes)),
        "files": str(len(changes)),
        "paths": "\n".join(change.path for change in changes),
        "kept": str(len(kept)),
        "kept_by_reason": "\n".join(_by_reason(kept)),
        "namespaces": ", ".join(sorted(set(namespaces))),
    }


def _body(step: Step, changes: Sequence[Change], kept: Sequence[KeptSite]) -> str:
    counts: Counter[str] = Counter()
    for change in changes:
        counts.update(dict(change.counts))
    done = ", ".join(
        f"{name} {counts[name]}" for name in step.transforms if counts[name]
    )
    files = f"{len(changes)} file{'' if len(changes) == 1 else 's'}"
    text = f"{done} in {files}." if done else f"{files} changed."
    text = text[0].upper() + text[1:]
    if kept:
        places = f"{len(kept)} place{'' if len(kept) == 1 else 's'}"
        verb = "stays" if len(kept) == 1 else "stay"
        text += f"\n\n{places} {verb}:\n" + "\n".join(_by_reason(kept))
    return text


def _by_reason(kept: Sequence[KeptSite]) -> list[str]:
    counts = Counter(site.reason for site in kept)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"  {number} {reason}" for reason, number in ordered]
