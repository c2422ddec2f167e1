"""Makes the same texts every time."""

from __future__ import annotations

from quern.loadgen.settings import get_args
from quern.runtime_context import get_args as service_args

WORDS = "Mill stone grain husk Flour river wheel sack Oven a bread".split()


def texts() -> list[str]:
    """Short texts that repeat now and then, none longer than the service takes."""
    state, made = get_args().seed, []
    longest = min(get_args().longest, service_args().max_tokens)
    for _ in range(get_args().texts):
        words = []
        for _ in range(1 + state % longest):
            state = (state * 75 + 74) % 65537
            words.append(WORDS[state % len(WORDS)])
        made.append(" ".join(words))
    return made[: len(made) // 2] + made[: len(made) // 3]
