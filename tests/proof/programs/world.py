"""The fixed part of every program: the record, its context, and the pack.

The bags are copies of the record's fields that every write to the published record
also reaches, so code that reads the record and code that reads the bags see the same
values at every moment. The record notes who reads each field, by file and span.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parents[2] / "data" / "proof"

#: Plain integer fields with a route: the ones that fit anywhere.
NUMBERS = {
    "alpha": "exec.kernel",
    "beta": "exec.kernel",
    "gamma": "exec",
    "zeta": "device",
    "eta": "serve",
    "iota": "model",
}
#: A field that only its writers and readers share: in a strict world what is written to
#: the record does not reach the bags, nor the other way round.
STRICT = "kappa"
#: A field whose accessor is shadowed by a live value when the pack says so.
CONFIGURED = "theta"
LISTS = {"delta": "model"}
MAPPINGS = {"eps": "model.cache"}
ROUTES = {**NUMBERS, CONFIGURED: "exec", STRICT: "exec", **LISTS, **MAPPINGS}
#: A field that no marker routes.
UNROUTED = "raw"
PROPERTY, METHOD = "total", "scaled"
WRITER = "override"
MEMBERS = (PROPERTY, METHOD, WRITER)

ACCESSORS = {
    "exec": "get_exec",
    "model": "get_model",
    "device": "get_device",
    "serve": "serve",
}
#: The aliases that accessors are imported under where their name is taken.
ALIASES = {
    "exec": "get_exec_namespace",
    "model": "get_model_namespace",
    "device": "device_ns",
    "serve": "serve_namespace",
}

OWNERS = ("app.config", "app.context", "app.probe", "app.owning")


@dataclass(frozen=True)
class PackWords:
    """What varies from pack to pack."""

    unpublished: str | None = "ValueError"
    same: bool = True
    access: tuple[str, ...] = ("attribute", "getattr")
    configured: bool = False
    derived: bool = False
    writers: bool = False
    probes: bool = False
    boot: bool = False
    entry: str = "app.boot:main"
    #: Functions, as module and path, that want the configured size.
    sites: tuple[tuple[str, str], ...] = ()

    def text(self) -> str:
        """The pack as TOML."""
        lines = [
            "[pack]",
            'name = "proof"',
            "[record]",
            'class = "app.config:Config"',
            'calls = ["app.context:get_args"]',
            'objects = ["app.context:config"]',
            'attributes = ["server_args"]',
            f"access = {list(self.access)!r}".replace("'", '"'),
            f"owners = {list(OWNERS)!r}".replace("'", '"'),
        ]
        if self.unpublished:
            lines.append(f'unpublished = "{self.unpublished}"')
        lines += ["[accessors]"]
        if self.unpublished and self.same:
            lines.append(f'unpublished = "{self.unpublished}"')
        for root, name in ACCESSORS.items():
            kind = "object" if root == "serve" else "call"
            alias = f', alias = "{ALIASES[root]}"' if root == "device" else ""
            lines.append(f'{root} = {{ {kind} = "app.context:{name}"{alias} }}')
        lines += [
            "[[keep]]",
            'reason = "per-instance"',
            'why = "This module has a record of its own."',
            'modules = ["app.kept"]',
            "[[keep]]",
            'reason = "named-keep"',
            'why = "Functions of this name must see the record."',
            'functions = ["keep_*", "**.keep_*"]',
            'fields = ["zeta"]',
        ]
        if self.configured:
            lines += [
                f"[configured.{CONFIGURED}]",
                'call = "app.context:configured_theta"',
            ]
            for module, function in self.sites:
                lines += [
                    f"[[configured.{CONFIGURED}.sites]]",
                    f'module = "{module}"',
                    f'function = "{function}"',
                    'why = "It wants what was asked for."',
                ]
        if self.writers:
            lines += ["[writers]", 'override = { call = "app.context:get_context" }']
        if self.probes:
            lines += [
                "[probes]",
                'call = "app.machine:get_platform"',
                'override = "app.machine:override_platform"',
                "[probes.facts]",
                'is_fast = "app.machine:is_fast"',
                'lanes = "app.machine:count_lanes"',
            ]
        if self.boot:
            lines += [
                "[publish]",
                'call = "app.context:publish"',
                f'entries = ["{self.entry}"]',
            ]
        if self.derived:
            lines += [
                "[derived]",
                f'{PROPERTY} = {{ call = "app.context:config_total", '
                'kind = "property" }',
                f'{METHOD} = {{ call = "app.context:config_scaled", kind = "method" }}',
            ]
        return "\n".join(lines) + "\n"


@cache
def _modules() -> dict[str, str]:
    return {
        f"app/{file.name}": file.read_text(encoding="utf-8")
        for file in sorted(_FOLDER.glob("*.py"))
    }


def fixed_files(pack: PackWords, early: bool = False) -> dict[str, str]:
    """The files that every project has; with ``early`` the context imports a module."""
    files = {"nsroute.toml": pack.text(), **_modules(), "app/sub/__init__.py": ""}
    if early:
        note = "# Here an early module may be imported."
        context = files["app/context.py"]
        assert note in context
        files["app/context.py"] = context.replace(note, "import app.early")
    return files
