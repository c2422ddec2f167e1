"""A ``try`` around it handles the ImportError: what it imports may be missing.

``except ImportError`` or ``ModuleNotFoundError``, ``except Exception``, a bare
``except``, ``suppress`` and ``pytest.raises`` count. At module level the name would
have to be there. So would one that the project does not have, or not every Python
(``winreg``, ``tkinter``): such an import fails today when the function runs.
"""

from __future__ import annotations

import re

from codemod.hoist.case import Case

#: Modules of the standard library that a system, a build or Python 3.10 to 3.14 may
#: not have (their "Availability", and PEP 594).
_NOT_EVERYWHERE = re.compile(
    "_winapi|aifc|asynchat|asyncore|audioop|cgi|cgitb|chunk|crypt|curses|dbm|distutils"
    "|ensurepip|fcntl|grp|idlelib|imghdr|imp|lib2to3|mailcap|msilib|msvcrt|nis|nntplib"
    "|nt|ossaudiodev|pipes|posix|pty|pwd|readline|resource|smtpd|sndhdr|spwd|sunau"
    "|syslog|telnetlib|termios|tkinter|tomllib|tty|turtle|turtledemo|uu|winreg|winsound"
    "|xdrlib"
)

CODE = "optional"
SUMMARY = "A handler waits for it to fail."
EXAMPLE = {
    "app.py": """\
def speed():
    try:
        from fast import factor  # <- optional
    except ImportError:
        return 1
    return factor
""",
    "fast.py": "factor = 2\n",
}


def why(case: Case) -> str | None:
    """The sentence that explains the keep, or None."""
    for context in case.site.contexts:
        if context.kind in ("try", "suppress"):
            return (
                f"`{context.text}` in line {context.line} handles its failure: what it "
                "imports may be missing."
            )
    top = case.site.imported.module.partition(".")[0]
    if _NOT_EVERYWHERE.fullmatch(top) and top not in case.project.roots:
        return f"{top} is not part of every Python: of some systems or versions only."
    missing = case.project.missing(case.site.imported)
    if missing:
        return f"There is no {missing} in this project, as far as its source shows."
    return None
