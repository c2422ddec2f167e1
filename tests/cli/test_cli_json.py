"""The data contract: keys, values and bytes of ``--format json``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

import codemod.api
from codemod.cli.jsontext import json_bytes

from . import support
from .support import nsroute, result_of


def test_scan_has_the_keys_and_values_of_the_contract(shop: Path) -> None:
    found = result_of(shop, "scan")
    assert list(found) == [
        "schema",
        "tool",
        "root",
        "pack",
        "summary",
        "reads",
        "uses",
        "errors",
    ]
    assert found["schema"] == 1
    assert found["tool"].startswith("nsroute ")
    assert found["root"] == "."
    assert found["pack"] == "shop"
    summary = found["summary"]
    assert {key: summary[key] for key in ("files", "reads", "convert", "keep")} == {
        "files": 7,
        "reads": 9,
        "convert": 5,
        "keep": {"derived": 1, "import-time": 1, "parameter": 1, "unrouted": 1},
    }
    assert found["reads"][0] == {
        "file": "app/cache.py",
        "module": "app.cache",
        "line": 5,
        "column": 12,
        "function": "room",
        "form": "call",
        "via": "attribute",
        "text": "get_config().size",
        "field": "size",
        "namespace": "cache",
        "decision": "convert",
        "reason": None,
        "why": None,
        "replacement": "get_cache().size",
    }
    kept = found["reads"][1]
    assert (kept["decision"], kept["reason"]) == ("keep", "parameter")
    assert kept["why"] and kept["replacement"] is None
    assert found["uses"] == [
        {"file": "app/server.py", "line": 20, "function": "dump", "kind": "asdict"}
    ]
    assert found["errors"] == []


def test_the_library_gives_the_same_as_the_command(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop)
    library = dataclasses.asdict(codemod.api.scan("."))
    command = result_of(shop, "scan")
    # How many files were parsed depends on the cache.
    for result in (library, command):
        del result["summary"]["files_parsed"]
    assert json.loads(json.dumps(library)) == command


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    many = {f"app/m{n}.py": support.FILES["app/cache.py"] * 40 for n in range(60)}
    folder = support.write(tmp_path, {**support.FILES, **many})
    runs = [
        nsroute(folder, "scan", "--format", "json", "--no-cache", *jobs).stdout
        for jobs in ([], ["--jobs", "1"], ["--jobs", "3"])
    ]
    assert runs[0] and len(set(runs)) == 1
    assert not (folder / ".nsroute_cache").exists()
    cold, warm = (nsroute(folder, "check", "--format", "json").stdout for _ in "12")
    assert cold == warm
    assert (folder / ".nsroute_cache").exists()


def test_root_is_as_given(shop: Path) -> None:
    for root in ("shop", "./shop", str(shop)):
        found = result_of(shop.parent, "scan", root)
        assert (found["root"], found["summary"]["reads"]) == (str(Path(root)), 9)


def test_check_has_the_keys_and_values_of_the_contract(shop: Path) -> None:
    found = result_of(shop, "check")
    assert list(found) == ["schema", "findings", "stale"]
    assert found["schema"] == 1
    assert found["stale"] == []
    assert found["findings"][2] == {
        "guard": "reads",
        "file": "app/server.py",
        "line": 11,
        "column": 9,
        "function": "address",
        "message": "host belongs to net.http",
        "fix": "get_net()\n        # the public one\n        .http.host",
    }
    assert len(found["findings"]) == 5


def test_routes(shop: Path) -> None:
    found = result_of(shop, "routes")
    assert found["fields"][1] == {
        "field": "host",
        "namespace": "net.http",
        "accessor": "get_net().http",
        "file": "app/config.py",
        "line": 16,
    }
    assert [f["field"] for f in found["fields"]] == [
        "debug",
        "host",
        "policy",
        "port",
        "size",
    ]
    assert found["unrouted"] == ["debug"]
    assert found["members"] == {"url": "property"}
    assert found["without_accessor"] == []
    assert found["unused_accessors"] == []
    assert found["missing_accessors"] == []


def test_routes_lists_what_a_scan_would_refuse(shop: Path) -> None:
    pack = support.PACK.replace('net = "app.context:get_net"', 'disk = "app.d:get"')
    support.write(shop, {"nsroute.toml": pack})
    done = nsroute(shop, "routes", "--format", "json")
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert found["without_accessor"] == ["net.http"]
    assert found["unused_accessors"] == ["disk"]
    assert found["missing_accessors"] == ["disk"]
    assert [f["accessor"] for f in found["fields"] if f["field"] == "host"] == [None]
    assert nsroute(shop, "scan").returncode == 2


def test_explain(shop: Path) -> None:
    found = result_of(shop, "explain", "app/server.py:19:40")
    assert (found["file"], found["line"], found["column"]) == ("app/server.py", 19, 40)
    assert [read["field"] for read in found["reads"]] == ["url"]
    assert found["uses"] == []
    both = result_of(shop, "explain", "app/server.py:19")
    assert [read["field"] for read in both["reads"]] == ["debug", "url"]
    none = result_of(shop, "explain", "app/server.py:1")
    assert (none["reads"], none["uses"]) == ([], [])
    use = result_of(shop, "explain", "app/server.py:20")
    assert [use["kind"] for use in use["uses"]] == ["asdict"]


def test_diff_holds_what_git_applies(repository: Path) -> None:
    found = result_of(repository, "diff")
    assert [(c["file"], c["reads"]) for c in found["changes"]] == [
        ("app/cache.py", 2),
        ("app/server.py", 2),
        ("tool/main.py", 1),
    ]
    assert (found["rolled_back"], found["errors"]) == ([], [])
    patch = repository.parent / "all.patch"
    patch.write_text("".join(change["diff"] for change in found["changes"]))
    support.git(repository, "apply", str(patch))
    assert result_of(repository, "diff")["changes"] == []


def test_apply_says_what_it_wrote(repository: Path) -> None:
    found = result_of(repository, "apply", "app")
    assert [w["file"] for w in found["written"]] == ["app/cache.py", "app/server.py"]
    assert found["failed"] == []
    status = support.git(repository, "status", "--porcelain", "--untracked-files=no")
    assert status == " M app/cache.py\n M app/server.py\n"


def test_json_text() -> None:
    plain = json_bytes({"schema": 1, "none": [], "list": [{"a": "é|\x1b"}, 2], "m": {}})
    assert plain.decode() == (
        '{\n "schema": 1,\n "none": [],\n "list": [\n  {"a":"é|\\u001b"},\n  2\n ],'
        '\n "m": {}\n}\n'
    )


def test_json_text_of_a_path_that_is_not_utf_8() -> None:
    root = b"caf\xe9".decode("utf-8", "surrogateescape")
    found = json.loads(json_bytes({"root": root, "list": [root, {"k": 1}]}))
    assert found == {"root": "caf\\udce9", "list": ["caf\\udce9", {"k": 1}]}
