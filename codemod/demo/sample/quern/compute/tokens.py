"""Cut a text into the words that count."""

from __future__ import annotations

from quern.common import get_args
from quern.config import ServiceArgs


def split(text: str) -> list[str]:
    """The words of a text that are long enough, at most as many as the model takes."""
    config = get_args()
    words = [word for word in text.split() if len(word) >= config.min_length]
    return words[: config.max_tokens]


def is_cut(text: str) -> bool:
    """Whether ``split`` leaves out words at the end of this text."""
    words = text.split()
    if len(words) <= (config := get_args()).max_tokens:
        return False
    return sum(len(word) >= config.min_length for word in words) > config.max_tokens


def fits(words: list[str], service_args: ServiceArgs | None = None) -> bool:
    """Whether these words fit into one batch of these arguments, or of the process."""
    service_args = get_args() if service_args is None else service_args
    return len(words) <= service_args.max_batch_tokens
