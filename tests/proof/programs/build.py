"""A whole project: modules, how they hang together, and what to run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.proof.programs import world
from tests.proof.programs.boot import boot
from tests.proof.programs.corners import corner
from tests.proof.programs.definitions import Defined, Family, function, klass
from tests.proof.programs.draw import Draw
from tests.proof.programs.imports import write_imports
from tests.proof.programs.marks import strip
from tests.proof.programs.model import (
    YES,
    Base,
    Lines,
    Module,
    Place,
    Program,
    Scope,
    Site,
)
from tests.proof.programs.statements import block
from tests.proof.programs.world import PackWords

#: What programs may hold; a feature that is left out is not generated.
FEATURES = frozenset({"reads", "writes", "corners", "writers", "probes", "boot"})


@dataclass(frozen=True)
class Style:
    """How the text of a project looks; its meaning does not depend on it."""

    unit: str = "    "


PLAIN = Style()


@dataclass(frozen=True)
class Written:
    """A generated module: its file, its imports, and what follows, piece by piece."""

    path: str
    head: Lines
    pieces: list[Lines]

    def text(self, style: Style) -> str:
        """The marked text."""
        lines = [*self.head, *(line for piece in self.pieces for line in piece)]
        return "\n".join(render(lines, style)) + "\n"


@dataclass(repr=False)
class Project:
    """A generated project, ready to be written to a folder.

    ``files`` are texts by path, without marks; ``placed`` says where each site is:
    number → (path, line, column). ``before`` and ``after`` are the modules to import
    before and after the record is published, ``calls`` expressions to run then.
    """

    files: dict[str, str]
    placed: dict[int, tuple[str, int, int]]
    sites: list[Site]
    pack: PackWords
    before: list[str]
    after: list[str]
    calls: list[str]
    early: list[str] = field(default_factory=list)
    steps: list[dict[str, int]] = field(default_factory=list)
    #: The generated modules, for those who write them in another way.
    modules: list[Written] = field(default_factory=list)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """In a word, for hypothesis: all of it would be pages."""
        printer.text(f"Project({', '.join(each.path for each in self.modules)})")


def program(draw: Draw, features: frozenset[str] = FEATURES) -> Project:
    """Write one project."""
    words = PackWords(
        unpublished=draw.pick(("ValueError", "ValueError", None)),
        same=draw.chance(2),
        access=draw.pick(
            (
                ("attribute", "getattr"),
                ("attribute", "getattr", "subscript", "get"),
            )
        ),
        configured=draw.chance(3),
        derived=draw.chance(3),
        writers="writers" in features,
        probes="probes" in features,
    )
    if words.unpublished is None:
        words = replace(words, same=False)
    names = ["app.m0"]
    names += [
        name
        for name in (
            "app.sub",
            "app.sub.m1",
            "app.early",
            "app.owning",
            "app.kept",
            "app.boot",
        )
        if (name != "app.boot" or "boot" in features) and draw.chance(3)
    ]
    words = replace(words, boot="app.boot" in names)
    p = Program(draw, words, features)
    families: list[Family] = []
    for name in names:
        p.modules.append(_module(p, name, families))
    owed = [family for family in families if family.owes]
    if owed:
        p.modules.append(_module(p, "app.last", None, owed))
    return _assemble(p)


def _module(
    p: Program, name: str, families: list[Family] | None, owed: Sequence[Family] = ()
) -> Module:
    """One module; ``owed`` are classes it has to derive from.

    Without ``families`` no class of it may wait for one that derives from it.
    """
    draw = p.draw
    scope = Scope("module", counter=p.counter)
    module = Module(
        name,
        draw,
        scope,
        is_package=name == "app.sub",
        cyclic=name == "app.early",
        owner=name == "app.owning",
        kept=name == "app.kept",
        future=draw.chance(3),
    )
    module.after_publish = bool(owed) or (not module.cyclic and draw.chance(3))
    # Importing a module of a package imports the package.
    module.after_publish |= any(
        m.after_publish and name.startswith(f"{m.name}.") for m in p.modules
    )
    imports = write_imports(p, module)
    place = Place(module, scope)
    body: list[Lines] = []
    if name == "app.boot":
        body = boot(p, module, block)
    for _ in range(draw.between(1, 4)):
        body.append(_top(p, place, families))
    body += [_child(p, place, family) for family in owed]
    lines: Lines = []
    if draw.chance(2):
        lines.append(draw.pick(('"""A module."""', "'''Two\nlines.'''", "# A note.")))
    if module.future:
        lines.append("from __future__ import annotations")
    module.head = [*lines, *imports, *module.head]
    module.pieces = body
    return module


def _top(p: Program, place: Place, families: list[Family] | None) -> Lines:
    """One thing at module level."""
    draw = p.draw
    module, scope = place.module, place.scope
    if module.cyclic:
        return _cyclic_function(p, place)
    kind = draw.upto(10 if "corners" in p.features else 6)
    if kind > 6 and any(b.statuses == YES for b in module.bases):
        return corner(p, place)
    if kind == 0 and module.after_publish:
        return block(p, place, 2)
    if kind == 1:
        settled = [
            f
            for f in families or ()
            if f.module != module.name and (module.after_publish or not f.late)
        ]
        if settled:
            return _child(p, place, draw.pick(settled))
    if kind in (1, 2):
        name = scope.fresh("K")
        lines, methods = klass(p, place, name, family=families)
        module.calls += _calls(module, methods)
        return lines
    stem = draw.pick(("f", "f", "keep_it"))
    defined = function(p, place, scope.fresh(stem))
    module.calls += defined.calls(f"{module.name}.")
    return defined.lines


def _calls(module: Module, methods: list[tuple[Defined, str]]) -> list[str]:
    return [
        call
        for method, owner in methods
        for call in method.calls(f"{module.name}.{owner}")
    ]


def _child(p: Program, place: Place, above: Family) -> Lines:
    """A subclass, in this module, of a class of another."""
    module = place.module
    name = place.scope.fresh("K")
    top, _, last = above.module.rpartition(".")
    lines, text = p.draw.pick(
        (
            ([f"from {above.module} import {above.name}"], above.name),
            ([f"import {above.module}"], f"{above.module}.{above.name}"),
            ([f"from {top} import {last} as base_{name}"], f"base_{name}.{above.name}"),
        )
    )
    body, methods = klass(p, place, name, above, text)
    module.calls += _calls(module, methods)
    if p.draw.chance(3):
        # From outside nobody knows the class of the object.
        statuses = frozenset({"mixed"})
        base = Base(f"{name}().{above.attribute}", statuses, "stash")
        reader = place.scope.fresh("f")
        function_scope = place.scope.inner("function", reader)
        inner = Place(module, function_scope, live=True, own=(base,), depth=3)
        body += [f"def {reader}():", block(p, inner, 2)]
        module.calls.append(f"{module.name}.{reader}()")
    return [*lines, *body]


def _cyclic_function(p: Program, place: Place) -> Lines:
    """A function that imports the record itself: the module may not."""
    module = place.module
    name = place.scope.fresh("f")
    scope = place.scope.inner("function", name)
    local = p.draw.pick(
        (
            ("from app.context import get_args", "get_args()", "call"),
            ("from app.context import get_args as ga", "ga()", "call"),
            ("from app.context import config", "config", "object"),
            ("from app import context", "context.get_args()", "call"),
            ("import app.context as ctx", "ctx.get_args()", "call"),
        )
    )
    own = Base(local[1], YES, local[2])
    inner = Place(module, scope, live=True, own=(own,), depth=1)
    lines: Lines = [local[0], *block(p, inner, 3)]
    module.calls.append(f"{module.name}.{name}()")
    return [f"def {name}():", lines]


def _dotted(module: Module, call: str) -> str:
    """A call of a corner, with its module's name before the function's."""
    if "app." in call:
        return call
    return (
        call.replace("@", f"{module.name}.") if "@" in call else f"{module.name}.{call}"
    )


# -- text ---------------------------------------------------------------------------


def render(lines: Lines, style: Style = PLAIN, level: int = 0) -> list[str]:
    """The text lines of nested lines."""
    found: list[str] = []
    for line in lines:
        if isinstance(line, list):
            found += render(line, style, level + 1)
        else:
            found += (style.unit * level + line).split("\n")
    return found


def module_path(module: Module) -> str:
    """The file of a module."""
    tail = "/__init__.py" if module.is_package else ".py"
    return module.name.replace(".", "/") + tail


def _assemble(p: Program) -> Project:
    draw = p.draw
    written = [Written(module_path(m), m.head, m.pieces) for m in p.modules]
    texts, placed = place({each.path: each.text(PLAIN) for each in written})
    if p.pack.configured:
        wanted = {
            (site.module, site.path): None
            for site in p.sites
            if site.reason == "configured" and site.number in placed
        }
        p.pack = replace(p.pack, sites=tuple(each for each in wanted if draw.chance(2)))
    early = any(module.name == "app.early" for module in p.modules)
    files = {**world.fixed_files(p.pack, early), **texts}
    steps = [
        {draw.pick(("alpha", "gamma", "zeta", "iota")): draw.upto(20)}
        for _ in range(draw.between(1, 2))
    ]
    return Project(
        files=files,
        placed=placed,
        sites=p.sites,
        pack=p.pack,
        before=[m.name for m in p.modules if not m.after_publish],
        after=[m.name for m in p.modules if m.after_publish],
        calls=[_dotted(m, call) for m in p.modules for call in m.calls],
        early=[
            _dotted(m, c) for m in p.modules if not m.after_publish for c in m.calls
        ],
        steps=steps,
        modules=written,
    )


def place(
    marked: dict[str, str],
) -> tuple[dict[str, str], dict[int, tuple[str, int, int]]]:
    """Texts without their marks, and where each mark was."""
    texts: dict[str, str] = {}
    placed: dict[int, tuple[str, int, int]] = {}
    for path, text in marked.items():
        texts[path], marks = strip(text)
        for number, (line, column) in marks.items():
            placed[number] = (path, line, column)
    return texts, placed
