"""The examples of reasons and forms do what their pages say."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from reads_support import PACK, scan, write

import codemod
from codemod.decisions.forms import FORMS
from codemod.decisions.reasons import ORDER
from codemod.docs import pages

#: What the pack has to say for an example to show its reason.
PACKS = {
    "keep": PACK
    + '\n[[keep]]\nreason = "per-engine"\nwhy = "x"\nmodules = ["app.engine"]\n',
    "configured": PACK
    + '\n[configured.workers]\ncall = "app.context:configured_workers"\n',
}
PATHS = {"owner": "app/context.py", "keep": "app/engine.py"}
#: Its example needs what runs before publishing, which guards find out.
CALL_CHAINS = {"pre-publish"}
HEAD = "from app.context import get_config\n"


@pytest.mark.parametrize(
    "reason",
    [r for r in ORDER if r.CODE not in CALL_CHAINS],
    ids=lambda reason: str(reason.CODE),
)
def test_a_reason_keeps_its_example(tmp_path: Path, reason: ModuleType) -> None:
    marker = re.compile(r"  ?# <- ([a-z-]+)$|\s+# <- ([a-z-]+)$", re.MULTILINE)
    wanted = [m.group(1) or m.group(2) for m in marker.finditer(reason.EXAMPLE)]
    text = HEAD + marker.sub("", reason.EXAMPLE)
    if "config: Config" in text:
        text = "from app.config import Config\n" + text
    path = PATHS.get(reason.CODE, "app/mod.py")
    result = scan(tmp_path, {path: text}, PACKS.get(reason.CODE, PACK))
    found = [(r.reason, r.why) for r in result.reads if r.file == path]
    assert [code for code, _ in found] == wanted
    assert all(why and why.strip() for _, why in found)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: str(form.CODE))
def test_a_form_reads_as_its_example_says(tmp_path: Path, form: ModuleType) -> None:
    root = write(tmp_path, {"app/mod.py": form.BEFORE})
    options = codemod.Options(cache=False, jobs=1)
    plan = codemod.diff(root, None, options)
    reads = [r for r in plan.analysis.result.reads if r.file == "app/mod.py"]
    assert {r.form for r in reads} == {form.CODE}
    assert not plan.rolled_back
    after = {c.path: c.after.decode() for c in plan.changes}
    assert after.get("app/mod.py", form.BEFORE) == form.AFTER


def test_the_docs_are_those_of_the_code() -> None:
    docs = Path(__file__).parent.parent.parent / "docs"
    for path, text in pages().items():
        there = (docs / path).read_text(encoding="utf-8")
        assert there == text, f"docs/{path}: run `make docs`"
