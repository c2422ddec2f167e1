"""A ``try`` around it handles the ImportError: what it imports may be missing.

``except ImportError``, ``except Exception``, a bare ``except``, ``suppress`` and
``pytest.raises`` count. At module level the name would have to be there. So would one
that the project does not have: such an import fails today when the function runs.
"""

from __future__ import annotations

from codemod.hoist.case import Case

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
    missing = case.project.missing(case.site.imported)
    if missing:
        return f"There is no {missing} in this project, as far as its source shows."
    return None
