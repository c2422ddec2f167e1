"""Everything but kills: disks, files, workers, permissions, paths, and company.

Each function tries one kind of fault on copies of a shop, counts what it tried, and
gives back what was wrong afterwards.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from tests.faults.shop import Shop, torn
from tests.series import support

#: Exit codes that say something: done, something left, refused, something unread.
_SAID = (0, 1, 2, 3)

APPLY = ("apply", "--jobs", "1")
BRANCH = (*APPLY, "--branch", "moved", "--deterministic")
PATCHES = (*APPLY, "--patches", "../out", "--deterministic")


_Way = TypeVar("_Way")


@dataclass
class Place:
    """A shop, a folder to put copies of it in, and what came of each trial.

    ``few`` is for a quick look: two of the ways that a fault can take, not all.
    """

    shop: Shop
    folder: Path
    random: random.Random
    figures: Counter[str] = field(default_factory=Counter)
    few: bool = False

    def some(self, ways: Sequence[_Way]) -> Sequence[_Way]:
        """All of the ways, or two of them."""
        return self.random.sample(ways, 2) if self.few else ways

    @cached_property
    def after(self) -> dict[str, bytes]:
        """The files when nothing goes wrong."""
        folder = self.folder.with_name("after")
        copy = self.shop.copy(folder)
        done = copy.run(*APPLY)
        assert done.returncode == 0, done.stderr
        contents = copy.contents()
        shutil.rmtree(folder)
        return contents

    @cached_property
    def before(self) -> dict[str, bytes]:
        """The files as they are."""
        return self.shop.contents()

    def copy(self, name: str = "shop") -> Shop:
        """A copy of the shop in the place that is otherwise empty."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        return self.shop.copy(self.folder / name)

    def judge(self, done: subprocess.CompletedProcess[str], kind: str) -> list[str]:
        """Count a run, and say what is wrong with how it ended."""
        self.figures[kind] += 1
        wrong = []
        if done.returncode not in _SAID:
            wrong.append(f"{kind}: exit code {done.returncode}: {done.stderr[-2000:]}")
        if "Traceback" in done.stderr:
            wrong.append(f"{kind}: a traceback: {done.stderr[-2000:]}")
        return wrong


# -- disks ----------------------------------------------------------------------------


def file_size_limit(place: Place) -> list[str]:
    """No file may grow over a limit: what a quota does (``EFBIG``)."""
    wrong = []
    for arguments in place.some((APPLY, BRANCH, PATCHES)):
        copy = place.copy()
        state = copy.state
        limit = place.random.choice([0, 1, 500, 2300])

        def limited(limit: int = limit) -> None:
            # Without it the signal's default is to end the process.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = copy.run(*arguments, before=limited)
        wrong += place.judge(done, "a limit on the size of files")
        wrong += _unharmed(place, copy, arguments, state)
        if done.returncode == 0 and limit == 0:
            wrong.append(f"nothing could be written and nothing is said: {arguments}")
    return wrong


def full_disk(place: Place) -> list[str]:
    """A small disk that is full at another moment each time (``ENOSPC``).

    Gives nothing, and counts nothing, where the machine lets nobody mount one.
    """
    wrong = []
    for arguments in place.some((APPLY, BRANCH, PATCHES)):
        with _small_disk(place.folder.parent / "disk") as disk:
            if disk is None:
                return []
            inner = Place(place.shop, disk / "place", place.random, place.figures)
            copy = inner.copy()
            state = copy.state
            with _filled(disk, place.random.choice([0, 4096, 20_000, 60_000])):
                environment = {"TMPDIR": str(disk)}
                done = copy.run(*arguments, env=environment)
            inner.__dict__["after"] = place.after
            wrong += place.judge(done, "a full disk")
            wrong += _unharmed(inner, copy, arguments, state)
            wrong += copy.is_sound()
    return wrong


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[Path | None]:
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextlib.contextmanager
def _filled(disk: Path, spare: int) -> Iterator[None]:
    """Take all of a disk but some bytes."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 65536)
        file.truncate(max(file.tell() - spare, 0))
    try:
        yield
    finally:
        filler.unlink()


def _unharmed(
    place: Place, copy: Shop, arguments: tuple[str, ...], state: tuple[str, ...]
) -> list[str]:
    """Every file whole; with ``--branch`` and ``--patches`` all or nothing."""
    wrong = torn(copy.contents(), place.before, place.after)
    if arguments != APPLY:
        now = support.state(copy.folder)
        if now != state:
            wrong.append(f"{arguments}: the checkout is not as it was")
    out = copy.folder.parent / "out"
    if out.exists() and not (out / "0000-cover-letter.patch").exists():
        names = sorted(p.name for p in out.iterdir())
        if not any(name.startswith("0000") for name in names):
            wrong.append(f"patches by half: {names}")
    if any("moved" in name for name in copy.branches()):
        titles = support.titles(copy.folder, "moved")
        if len(titles) < 2:
            wrong.append(f"a branch by half: {titles}")
    if copy.temporary():
        wrong.append(f"left behind: {copy.temporary()}")
    return wrong


# -- files that change ----------------------------------------------------------------


def meddling(place: Place) -> list[str]:
    """Files vanish, change, and become directories while we run."""
    copy = place.copy()
    meddled: dict[str, bytes | None] = {}
    stop = threading.Event()
    paths = sorted(p for p in place.before if "/part" in p)
    place.random.shuffle(paths)
    end = time.monotonic() + 8
    pause = place.random.uniform(0.01, 0.1)

    def meddle() -> None:
        for number, path in enumerate(paths):
            if stop.wait(pause) or time.monotonic() > end:
                return
            file = copy.folder / path
            if number % 3 == 0:
                text = b"CHANGED = True\n" + place.before[path]
                _put(file, text)
                meddled[path] = text
            else:
                file.unlink()
                meddled[path] = None
                if number % 3 == 2:
                    file.mkdir()

    thread = threading.Thread(target=meddle)
    thread.start()
    done = copy.run(*APPLY, "--force")
    stop.set()
    thread.join()
    place.figures["files that vanish, change, become a directory"] += len(meddled)
    wrong = place.judge(done, "runs while files change")
    now = copy.contents()
    for path, data in place.before.items():
        if path not in meddled:
            if now.get(path) not in (data, place.after[path]):
                wrong.append(f"torn: {path}")
            continue
        # What somebody else did last is never undone; it may itself be migrated.
        theirs = meddled[path]
        ours = None if theirs is None else b"CHANGED = True\n" + place.after[path]
        moved = None if theirs is None else _is_theirs_migrated(theirs, now.get(path))
        if now.get(path) not in (theirs, ours) and not moved:
            wrong.append(f"another's change is lost: {path}: {now.get(path)!r}")
    return wrong


def _is_theirs_migrated(theirs: bytes, now: bytes | None) -> bool:
    """Whether a file is what they made of it, migrated.

    With a statement in front of it the docstring is none, and imports stand elsewhere.
    """
    return (
        now is not None
        and now.startswith(b"CHANGED = True\n")
        and b"get_cache().size - used" in now
        and now.count(b"\n") >= theirs.count(b"\n") - 1
    )


def _put(file: Path, data: bytes) -> None:
    """Change a file as a good editor does: whole."""
    other = file.with_suffix(".swap")
    other.write_bytes(data)
    other.replace(file)


# -- workers --------------------------------------------------------------------------


def killed_worker(place: Place) -> list[str]:
    """A worker process is killed: the run goes on, and says so if a file is lost."""
    wrong = []
    for command in ("scan", "apply"):
        copy = place.copy()
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "codemod.cli", command, "--jobs", "2"),
                *("--no-cache", "--format", "json"),
            ],
            cwd=copy.folder,
            env=support.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        killed = _kill_a_child(process, place.random)
        out, err = process.communicate()
        place.figures["workers killed"] += killed
        done = subprocess.CompletedProcess((), process.returncode, "", err.decode())
        ended = place.judge(done, "runs with a worker killed")
        wrong += ended or _nothing_left_out(place, json.loads(out), process.returncode)
        wrong += torn(copy.contents(), place.before, place.after)
    return wrong


def _nothing_left_out(place: Place, result: dict[str, Any], code: int) -> list[str]:
    """Whether every file is done or named, and no more named than one worker has."""
    named = {each["file"] for each in (*result["errors"], *result.get("failed", ()))}
    done = result["written"] if "written" in result else result["reads"]
    seen = {each["file"] for each in done} | named
    lost = [path for path in place.before if "/part" in path and path not in seen]
    wrong = [f"files left out silently: {lost[:3]}"] if lost else []
    if bool(named) != (code in (1, 3)):
        wrong.append(f"exit code {code} with errors in {named}")
    if len(named) > 1:
        wrong.append(f"one worker was killed, and these are given up: {named}")
    return wrong


def _kill_a_child(process: subprocess.Popen[bytes], chance: random.Random) -> bool:
    """Kill one of the processes that a run has started; whether there was one."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until = time.monotonic() + 20
    while process.poll() is None and time.monotonic() < until:
        try:
            found = [int(n) for n in children.read_text().split()]
            workers = [n for n in found if _is_worker(n)]
        except OSError:
            workers = []
        if workers:
            time.sleep(chance.uniform(0, 0.1))
            with contextlib.suppress(ProcessLookupError):
                os.kill(chance.choice(workers), signal.SIGKILL)
                return True
        time.sleep(0.002)
    return False


def _is_worker(number: int) -> bool:
    """Whether it is one of our own processes rather than a git."""
    with contextlib.suppress(OSError):
        return b"codemod" in Path(f"/proc/{number}/cmdline").read_bytes()
    return False


def little_memory(place: Place) -> list[str]:
    """Too little memory for one file: it is named, and the others are done."""
    copy = place.copy()
    big = "x = [\n" + "    get_config().size,\n" * 400_000 + "]\n"
    support.write(copy.folder, {"app/big.py": big})

    def limited() -> None:
        most = 700 * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    wrong = []
    for jobs in ("1", "2"):
        done = copy.run(
            *("scan", "--jobs", jobs, "--no-cache", "--format", "json"), before=limited
        )
        wrong += place.judge(done, "runs with too little memory")
        if wrong:
            break
        result = json.loads(done.stdout)
        if [error["file"] for error in result["errors"]] != ["app/big.py"]:
            wrong.append(f"little memory, {jobs} jobs: {result['errors']}")
        mine = {path for path in place.before if "/part" in path}
        if not mine <= {read["file"] for read in result["reads"]}:
            wrong.append(f"little memory, {jobs} jobs: others are not done")
    return wrong


# -- permission -----------------------------------------------------------------------


def _powerless() -> None:
    """Give up what lets root read and write anything (capabilities(7))."""
    if os.getuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            if libc.prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
                os._exit(99)


def no_permission(place: Place) -> list[str]:
    """Files and folders that may not be read or written, and a closed ``.git``."""
    wrong = []
    trials: list[tuple[str, str, int, tuple[str, ...]]] = [
        ("unreadable file", "app/part1/m1.py", 0o000, APPLY),
        ("read-only file", "app/part1/m1.py", 0o444, APPLY),
        ("unreadable folder", "app/part2", 0o000, APPLY),
        ("read-only folder", "app/part2", 0o555, APPLY),
        ("read-only root", ".", 0o555, APPLY),
        ("read-only objects", ".git/objects", 0o555, BRANCH),
        ("read-only refs", ".git/refs/heads", 0o555, BRANCH),
        ("unreadable .git", ".git", 0o000, APPLY),
        ("read-only place for patches", "..", 0o555, PATCHES),
    ]
    for name, path, mode, arguments in place.some(trials):
        copy = place.copy()
        target = copy.folder / path
        old = target.stat().st_mode & 0o7777
        target.chmod(mode)
        try:
            done = copy.run(*arguments, "--force", before=_powerless)
        finally:
            target.chmod(old)
        wrong += place.judge(done, "permissions denied")
        wrong += torn(copy.contents(), place.before, place.after)
        if name.startswith("unreadable f") and path not in done.stderr:
            wrong.append(f"{name}: it is not said: {done.stderr}")
        if arguments is BRANCH and done.returncode != 2:
            wrong.append(f"{name}: exit code {done.returncode}")
        wrong += [f"{name}: {each}" for each in copy.is_sound()]
        if copy.temporary():
            wrong.append(f"{name}: left behind: {copy.temporary()}")
    return wrong


# -- paths and company ----------------------------------------------------------------

NAMES = (
    "with space",
    'quote\'s "and" more',
    "line\nbreak",
    "größe 大きさ",
    "--option",
    "colon:semi;dollar$HOME`id`",
    "[brackets] *?",
    "back\\slash",
    "\udcff not utf-8",
)


def odd_paths(place: Place) -> list[str]:
    """Every delivery in a repository with an odd name gives what it gives elsewhere."""
    wrong = []
    for name in place.some(NAMES):
        copy = place.copy(name)
        patch = copy.run("diff", "--jobs", "1")
        wrong += place.judge(patch, "paths with odd names")
        if patch.returncode == 1:
            data = patch.stdout.encode("utf-8", "surrogateescape")
            support.git(copy.folder, "apply", "--check", data=data)
        else:
            wrong.append(f"{name!r}: diff: {patch.stderr}")
        for arguments in (BRANCH, PATCHES, APPLY):
            done = copy.run(*arguments)
            wrong += place.judge(done, "paths with odd names")
            if done.returncode != 0:
                wrong.append(f"{name!r}: {arguments}: {done.stderr}")
        if copy.contents() != place.after:
            wrong.append(f"{name!r}: not what it is elsewhere")
        if "moved" not in copy.branches():
            continue
        support.git(copy.folder, "checkout", "--quiet", "--force", "moved")
        if copy.contents() != place.after:
            wrong.append(f"{name!r}: the branch is another")
    return wrong


def company(place: Place) -> list[str]:
    """Ten runs at once on one cache: the same answer, whole files, ten branches."""
    copy = place.copy()
    wrong = []
    many = 3 if place.few else 10
    alone = _answer(copy.run("scan", "--format", "json", "--no-cache"))
    shutil.rmtree(copy.folder / ".nsroute_cache")

    def at_once(commands: list[tuple[str, ...]]) -> list[str]:
        found: list[str] = []
        with ThreadPoolExecutor(10) as pool:
            runs = pool.map(lambda arguments: copy.run(*arguments), commands)
            for done in runs:
                found += place.judge(done, "runs at once")
                if done.stdout.startswith("{") and _answer(done) != alone:
                    found.append("runs at once do not say the same")
        return found

    wrong += at_once([("scan", "--format", "json", "--jobs", "1")] * many)
    again = copy.run("scan", "--format", "json", "--jobs", "1")
    if _answer(again) != alone:
        wrong.append("the cache of runs at once gives another answer")
    wrong += at_once([(*APPLY, "--branch", f"b{n}") for n in range(many)])
    made = [name for name in copy.branches() if name.startswith("b")]
    if len(made) != many:
        wrong.append(f"branches made at once: {made}")
    wrong += copy.is_sound()
    wrong += at_once([(*APPLY, "--force")] * many)
    wrong += torn(copy.contents(), place.before, place.after)
    if copy.contents() != place.after:
        wrong.append("ten runs at once did not finish the work of one")
    return wrong


def _answer(done: subprocess.CompletedProcess[str]) -> str:
    """What a scan says, without how many files it had to parse for it."""
    result = json.loads(done.stdout)
    del result["summary"]["files_parsed"]
    return json.dumps(result)


Harm = Callable[[Place], list[str]]

HARMS: tuple[Harm, ...] = (
    file_size_limit,
    full_disk,
    meddling,
    killed_worker,
    little_memory,
    no_permission,
    odd_paths,
    company,
)
