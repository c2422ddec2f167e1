"""What a command's exit code says.

====  ==========================================================================
0     done, and there is nothing to say
1     there is something: a diff, a finding, an unrouted field, a file rolled back
2     the command line or the pack is wrong; nothing was done
3     a file could not be read or parsed; all others were done
70    a fault of nsroute itself, with a traceback (EX_SOFTWARE of sysexits.h)
130   interrupted; every file is whole, old or new
====  ==========================================================================

When several apply the first of 130, 70, 2, 3, 1 is taken: 1 is an answer, and an answer
about a part of the tree must not pass for one about the whole.
"""

from __future__ import annotations

OK = 0
FOUND = 1
USAGE = 2
UNREADABLE = 3
FAULT = 70
INTERRUPTED = 130

_GRAVEST_FIRST = (INTERRUPTED, FAULT, USAGE, UNREADABLE, FOUND)


def gravest(*codes: int) -> int:
    """The one exit code of a command to which all of ``codes`` apply."""
    return next((code for code in _GRAVEST_FIRST if code in codes), OK)


class UsageError(Exception):
    """The command line asks for something that cannot be; ``hint`` says what can."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
