"""A pack whose words stand in everybody's code, so that it is walked and rewritten.

The record of this made-up migration is what much code reads: ``os.path``,
``os.environ``, ``sys.flags``, event loops, string buffers, and ``self.options``. What
the rewritten code would do does not matter here; that it is well formed does.
"""

from __future__ import annotations

import keyword
import zlib
from collections.abc import Iterable
from pathlib import Path

from codemod.packs import Pack, load_pack

_TEXT = """\
[pack]
name = "world"
[record]
objects = ["os:path", "os:environ", "sys:flags", "sys:stdout", "sys:stderr",
  "sys:version_info", "test.support:os_helper", "django.conf:settings",
  "numpy:random", "numpy:testing", "matplotlib:rcParams", "torch:nn", "torch:cuda"]
calls = ["io:StringIO", "io:BytesIO", "asyncio:get_running_loop",
  "asyncio:get_event_loop", "asyncio:new_event_loop", "threading:current_thread",
  "threading:Event", "threading:Lock", "argparse:ArgumentParser", "time:localtime",
  "unittest.mock:Mock", "unittest.mock:MagicMock", "logging:getLogger",
  "email.message:Message", "sys:exc_info", "os:getcwd", "inspect:currentframe",
  "sympy:Dummy", "networkx:Graph", "networkx:DiGraph", "pandas:DataFrame"]
attributes = ["options", "loop", "parser", "server", "config", "request", "query",
  "compiler", "model", "app", "flags"]
access = ["attribute", "getattr", "subscript", "get"]
[accessors]
exec = "world_of_tests.accessors:get_exec"
model = "world_of_tests.accessors:get_model"
path = "world_of_tests.accessors:path"
settings = { object = "world_of_tests.accessors:settings" }
[routes.fields]
"""
_PLACES = ("exec", "exec.kernel", "model", "model.cache.sizes", "path", "settings.a")


def pack_for(folder: Path, fields: Iterable[str]) -> Pack:
    """The pack that routes ``fields``, each always to the same place."""
    lines = [
        f'{field} = "{_PLACES[zlib.crc32(field.encode()) % len(_PLACES)]}"'
        for field in sorted(fields)
        if field.isascii() and field.isidentifier() and not keyword.iskeyword(field)
    ]
    # An accessor that no field is routed to is a mistake in a pack.
    lines += [f'world_{n} = "{place}"' for n, place in enumerate(_PLACES)]
    path = folder / "world.toml"
    path.write_text(_TEXT + "\n".join(lines) + "\n", encoding="utf-8")
    return load_pack(str(path), folder)


#: What the first look routes, so that the pack is a pack.
FIRST = ("join", "getvalue", "write", "name", "debug", "encoding", "path")
