"""What a worker makes of one file: the facts of the scan, and of the guards if asked.

Both from one syntax tree, since parsing is most of the work on a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from codemod.analysis.facts import FileFacts
from codemod.analysis.guard_facts import Watched
from codemod.analysis.parsing import hold_trees
from codemod.analysis.summarise import check_syntax, check_tree, summarise
from codemod.analysis.vocabulary import Vocabulary
from codemod.analysis.words import Words
from codemod.index.limits import LimitError, limited
from codemod.index.source import Source
from codemod.index.store import encode
from codemod.model import Problem
from codemod.project import SourceFile
from codemod.project.text import decode as decode_text


@dataclass(frozen=True, slots=True)
class Job:
    """What is asked about every file; ``watched`` is None without guards."""

    vocabulary: Vocabulary
    watched: Watched | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One file; ``close`` says that it mentions a word of the vocabulary."""

    source: Source
    close: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """The encoded facts of one file.

    ``guards`` are the guards' facts: b"" for a file that mentions nothing they watch,
    None when they were not asked for. ``tree`` says that a file that is not close was
    parsed for them, which finds every error of the parser and none of the symbol table.
    """

    path: str
    facts: bytes
    guards: bytes | None = None
    tree: bool = False


def summarise_batch(batch: list[Task], job: Job) -> list[Summary]:
    """A summary of each file of a batch."""
    return [summary(task, job) for task in batch]


def summary(task: Task, job: Job) -> Summary:
    """The summary of one file; one that costs too much has a problem that says so."""
    try:
        with limited(len(task.source.data)):
            return _summary(task, job)
    except LimitError as error:
        facts = FileFacts(problem=(1, f"cannot be analysed: it {error}"))
        guards = None if job.watched is None else b""
        return Summary(task.source.file.path, encode(facts), guards)


def _summary(task: Task, job: Job) -> Summary:
    file = task.source.file
    watched = job.watched
    text = decode_text(task.source.data, file.path)
    if isinstance(text, Problem):
        facts = FileFacts(problem=(max(text.line, 1), text.message))
        return Summary(file.path, encode(facts), None if watched is None else b"")
    guards: bytes | None = None
    if watched is not None:
        guards = b""
        words = watched_words(task.source.data, task.close, watched)
        if words or watched.all_imports:
            guards = encoded_guards(file, text.text, watched.among(words))
    tree = bool(guards) and not task.close
    if tree:
        facts = check_tree(text.text)
    elif not task.close:
        facts = check_syntax(text.text)
    else:
        facts = summarise(text.text, file.module, file.is_package, job.vocabulary, True)
    return Summary(file.path, encode(facts), guards, tree)


def encoded_guards(file: SourceFile, text: str, watched: Watched) -> bytes:
    """The encoded facts of the guards of a file with this text."""
    import msgspec

    from codemod.analysis.guarding import guard_facts

    return msgspec.msgpack.encode(
        guard_facts(text, file.module, file.is_package, watched)
    )


def watched_words(data: bytes, close: bool, watched: Watched) -> frozenset[str]:
    """The words that the guards watch and a file's bytes hold; none: not worth a look.

    Names of methods are common words: they count only in a file that is ``close``.
    """
    words, methods = _searches(watched)
    found = words.found(data)
    called = close and any(f".{name}".encode() in data for name in methods)
    if not (found or called or watched.all_imports):
        return frozenset()
    return found | {name for name in methods if name.encode() in data}


@lru_cache(maxsize=4)
def _searches(watched: Watched) -> tuple[Words, tuple[str, ...]]:
    return Words(watched.words), tuple(sorted(watched.methods))


#: What a worker was given when it started. A forked one has it without a copy, where
#: sending the text of a whole project with the tasks costs both sides.
_shared: tuple[list[list[Task]], Job] | None = None


def share(batches: list[list[Task]], job: Job, hold: int) -> None:
    """Give a worker, when it starts, every batch there will be.

    It need not free the trees of ``hold`` characters of text.
    """
    global _shared
    _shared = batches, job
    hold_trees(hold)


def shared_batch(number: int) -> list[Summary]:
    """The summaries of a batch by its number, in a worker."""
    assert _shared is not None
    batches, job = _shared
    return summarise_batch(batches[number], job)
