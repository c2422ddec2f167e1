"""One served name: its own arguments, and the scheduler it shares with the others."""

from __future__ import annotations

from dataclasses import dataclass

from quern.config import ServiceArgs
from quern.schedule import Request, Scheduler


@dataclass(frozen=True)
class Answer:
    """What a client gets for one text."""

    name: str
    vector: tuple[float, ...]


class Engine:
    """Cleans texts and shapes answers as its own arguments say.

    Several engines live in one process, so nothing here may ask the process.
    """

    def __init__(self, service_args: ServiceArgs, scheduler: Scheduler) -> None:
        self.service_args = service_args
        self.scheduler = scheduler
        self.pending: list[Request] = []

    def submit(self, texts: list[str], preview: bool = False) -> None:
        """Queue texts; ``answers`` has them once the scheduler ran."""
        for text in texts:
            if self.service_args.lowercase:
                text = text.lower()
            name = self.service_args.served_name
            self.pending.append(self.scheduler.submit(name, text, preview))

    def answers(self) -> list[Answer]:
        """The answers that are ready, in the order of the texts."""
        ready = [request for request in self.pending if request.vector is not None]
        self.pending = [request for request in self.pending if request not in ready]
        return [self._answer(request.vector or ()) for request in ready]

    def _answer(self, vector: tuple[float, ...]) -> Answer:
        args = self.service_args
        rounded = tuple(round(value, args.answer_digits) for value in vector)
        return Answer(args.served_name, rounded)
