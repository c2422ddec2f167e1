"""It would make importing this module load much more than it loads today.

A third-party package that is not loaded yet, or more than N modules of the project (50
by default): start-up pays for it even when the function is never called.
"""

from __future__ import annotations

CODE = "heavy"
SUMMARY = "Importing this module would load much more."
EXAMPLE = {
    "app.py": """\
def plot(values):
    import charts  # <- heavy

    charts.draw(values)
""",
    "charts.py": """\
import matplotlib


def draw(values):
    pass
""",
}


def why(packages: tuple[str, ...], modules: int, most: int) -> str | None:
    """The sentence for what an import would add, or None when that is little.

    ``packages`` are the third-party packages that would be new, ``modules`` the number
    of the project's modules, ``most`` how many of those are allowed.
    """
    if packages:
        shown = ", ".join(packages[:4]) + (" …" if len(packages) > 4 else "")
        what = "package" if len(packages) == 1 else f"{len(packages)} packages"
        more = f"{modules} module{'' if modules == 1 else 's'} of the project"
        also = f", and {more}" if modules else ""
        return f"It would load the third-party {what} {shown}{also}."
    if modules > most:
        return f"It would load {modules} modules more; at most {most} are allowed."
    return None
