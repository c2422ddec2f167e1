"""A process that imports modules, each in a fork of itself. Runs in any Python 3.8+.

Only the standard library may be imported here. It reads one JSON request a line from
its first argument's file descriptor and answers one JSON line to the second's:

``{"setup": {...}}``    sys.path, stand-ins, limits; once, first
``{"paths": [...]}``    other first entries of sys.path from now on
``{"overlay": {...}, "dropped": [...]}``  module name to [path, is_package, text] that
                        are served instead of files too, and modules that no longer are
``{"import": "a.b"}``   import it in a fork, as the first module; answers its outcome

A fork that has imported a package serves for the modules in it that come next. Each
fork has its own session, no input, its output read and thrown away beyond a limit, no
network, and dies with all its children when it has answered or its time is over. When
the input ends while it runs, whoever asked is gone: then too.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import json
import os
import select
import signal
import sys
import time
from typing import IO, Any

_OUTPUT_KEPT = 2000


class _Overlay:
    """Serves rewritten texts of modules in place of their files.

    They are compiled here, once, and not in each fork.
    """

    def __init__(self) -> None:
        self.texts: dict[str, Any] = {}
        self.compiled: dict[str, Any] = {}

    def serve(self, texts: dict[str, Any], dropped: list[str]) -> None:
        """Serve ``texts`` too from now on, and no longer those that are ``dropped``."""
        for name in [*dropped, *texts]:
            self.texts.pop(name, None)
            self.compiled.pop(name, None)
        self.texts.update(texts)
        for name, (file, _, text) in texts.items():
            with contextlib.suppress(SyntaxError, ValueError):
                self.compiled[name] = compile(text, file, "exec", dont_inherit=True)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        found = self.texts.get(name)
        if found is None:
            return None
        file, is_package, text = found
        loader = _TextLoader(name, file, text, self.compiled.get(name))
        places = [os.path.dirname(file)] if is_package else None  # noqa: PTH120
        return importlib.util.spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=places
        )


class _TextLoader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, text: str, code: Any) -> None:
        super().__init__(name, path)
        self.text = text
        self.code = code

    def get_code(self, fullname: str) -> Any:
        return self.code or super().get_code(fullname)

    def get_data(self, path: str) -> bytes:
        if path == self.path:
            return self.text.encode("utf-8", "surrogateescape")
        return super().get_data(path)

    def path_stats(self, path: Any) -> Any:
        raise OSError("a text that is in no file has no cached bytecode")

    def set_data(self, path: Any, data: Any, *, _mode: int = 0o666) -> None:
        pass


def main() -> None:
    """Answer requests until the input ends."""
    _become_reaper()
    requests = os.fdopen(int(sys.argv[1]), "r", encoding="utf-8")
    answers = os.fdopen(int(sys.argv[2]), "w", encoding="utf-8")
    overlay = _Overlay()
    server = _Server("", requests, answers)
    for line in requests:
        request = json.loads(line)
        if "setup" in request:
            server.setup = request["setup"]
            _set_up(server.setup, overlay)
            answer = {"version": list(sys.version_info[:3])}
        elif "paths" in request:
            server.forget()
            _move(request["paths"], server.setup["paths"])
            server.setup["paths"] = request["paths"]
            answer = {}
        elif "overlay" in request:
            server.forget()
            overlay.serve(request["overlay"], request["dropped"])
            answer = {}
        else:
            answer = server.imported(request["import"])
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    server.forget()


class _Server:
    """Imports modules, each in a fork; knows one package that is imported already.

    Importing ``a.b.c`` first imports ``a`` and ``a.b`` (reference 5.2), so a fork that
    has imported ``a`` can stand for every process that begins with it. Such a fork is
    kept for the modules that follow, and is a server itself, for what is in ``a``.
    ``package`` is what this process has imported, "" for nothing.
    """

    def __init__(self, package: str, requests: IO[str], answers: IO[str]) -> None:
        self.package = package
        self.requests = requests
        self.answers = answers
        self.setup: dict[str, Any] = {}
        self._warm: _Warm | None = None
        self._failed: dict[str, dict[str, Any]] = {}

    def imported(self, module: str) -> dict[str, Any]:
        """What came of importing ``module``; in doubt a fresh process says it."""
        answer = self._through_package(module)
        if answer is None:
            return self._alone(module)
        settled = answer["ok"] or answer["kind"] == "Timeout" or "package" in answer
        if settled or self.package:
            return answer
        return self._alone(module)

    def forget(self) -> None:
        """End the fork that has a package, and forget packages that failed."""
        self._failed.clear()
        if self._warm is not None:
            warm, self._warm = self._warm, None
            warm.end()
            _kill_orphans()

    def _through_package(self, module: str) -> dict[str, Any] | None:
        """The answer of a fork that has the next package on the way, if one serves."""
        start = f"{self.package}." if self.package else ""
        following, dot, _ = module[len(start) :].partition(".")
        package = f"{start}{following}"
        if not dot:
            return None
        if package in self._failed:
            return self._failed[package]
        if self._warm is None or self._warm.package != package:
            failed, self._failed = self._failed, {}
            self.forget()
            self._failed = failed
            failure = self._warm_up(package)
            if failure is not None:
                return failure
        if self._warm is None:
            return None
        answer = self._warm.ask(module, self.requests.fileno(), 4 * self._timeout())
        if answer is None:
            warm, self._warm = self._warm, None
            warm.end()
            _kill_orphans()
        return answer

    def _timeout(self) -> float:
        return float(self.setup["timeout"])

    def _warm_up(self, package: str) -> dict[str, Any] | None:
        """Import ``package`` in a fork that stays; the answer when that fails.

        A fork with threads does not stay: they would be missing in its own forks.
        """
        request_in, request_out = os.pipe()
        answer_in, answer_out = os.pipe()
        ends = (request_out, answer_in)
        fork = _Fork(self, (request_out, answer_in))
        if fork.child == 0:
            try:
                if not fork.run(package):
                    os._exit(1)
                _become_reaper()
                requests = os.fdopen(request_in, "r", encoding="utf-8")
                answers = os.fdopen(answer_out, "w", encoding="utf-8")
                server = _Server(package, requests, answers)
                server.setup = self.setup
                for line in requests:
                    answer = server.imported(json.loads(line)["import"])
                    answers.write(json.dumps(answer) + "\n")
                    answers.flush()
            finally:
                os._exit(0)
        os.close(request_in)
        os.close(answer_out)
        answer = fork.answer(stay=True)
        if answer["ok"] and answer.get("threads") == 1:
            self._warm = _Warm(package, fork.child, *ends)
            return None
        fork.end()
        for end in ends:
            os.close(end)
        if answer["ok"]:
            return None
        self._failed[package] = {**answer, "package": package}
        return self._failed[package]

    def _alone(self, module: str) -> dict[str, Any]:
        """Import ``module`` in a fork of this process, which ends then."""
        fork = _Fork(self, ())
        if fork.child == 0:
            status = 1
            try:
                fork.run(module)
                status = 0
            finally:
                os._exit(status)
        return fork.answer()

    def close_in_fork(self) -> None:
        """Close what a fork of this process has no business with."""
        for stream in (self.requests, self.answers):
            os.close(stream.fileno())
        if self._warm is not None:
            self._warm.close()

    def keeps(self) -> int:
        """The process that is to live on, 0 for none."""
        return self._warm.child if self._warm is not None else 0


class _Warm:
    """A fork that has imported ``package`` and serves for what is in it."""

    def __init__(self, package: str, child: int, requests: int, answers: int) -> None:
        self.package = package
        self.child = child
        self.requests = requests
        self.answers = answers

    def ask(self, module: str, watched: int, timeout: float) -> dict[str, Any] | None:
        """Its answer; None when it is gone, late, or ``watched`` has ended."""
        try:
            os.write(self.requests, json.dumps({"import": module}).encode() + b"\n")
        except OSError:
            return None
        deadline = time.monotonic() + timeout
        data = b""
        while not data.endswith(b"\n"):
            left = max(deadline - time.monotonic(), 0.0)
            ready, _, _ = select.select([self.answers, watched], [], [], left)
            if self.answers not in ready:
                return None
            more = os.read(self.answers, 65536)
            if not more:
                return None
            data += more
        answer: dict[str, Any] = json.loads(data)
        return answer

    def end(self) -> None:
        """End it and all it runs."""
        self.close()
        _kill(self.child)
        _wait(self.child)

    def close(self) -> None:
        """Close the pipes to it."""
        for pipe in (self.requests, self.answers):
            with contextlib.suppress(OSError):
                os.close(pipe)


def _set_up(setup: dict[str, Any], overlay: _Overlay) -> None:
    sys.path[:1] = []
    _move(setup["paths"], [])
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    spec = importlib.util.spec_from_file_location(
        "_nsroute_standins",
        os.path.join(here, "standins.py"),  # noqa: PTH118
    )
    assert spec is not None and spec.loader is not None
    standins = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(standins)
    own = setup["own"]
    sys.meta_path.insert(0, overlay)
    if setup["mock"] or setup["mock_missing"]:
        standins.make_serializable()
    if setup["mock"]:
        sys.meta_path.insert(0, standins.StandInFinder(setup["mock"]))
    if setup["mock_missing"]:
        sys.meta_path.append(standins.StandInFinder((), True, own))


def _move(paths: list[str], before: list[str]) -> None:
    sys.path[: len(before)] = []
    sys.path[:0] = paths


class _Fork:
    """A fork of this process that imports one module and says what came of it."""

    def __init__(self, server: _Server, foreign: tuple[int, ...]) -> None:
        self._server = server
        self._result_in, self._result_out = os.pipe()
        self._output_in, self._output_out = os.pipe()
        self._started = time.monotonic()
        self.child = os.fork()
        if self.child == 0:
            server.close_in_fork()
            for pipe in (self._result_in, self._output_in, *foreign):
                os.close(pipe)

    def run(self, module: str) -> bool:
        """In the fork: import ``module``, answer, and say whether it was imported."""
        _isolate(self._output_out, self._server.setup)
        imported = _import(module, self._result_out)
        null = os.open(os.devnull, os.O_WRONLY)
        for pipe in (1, 2):
            os.dup2(null, pipe)
        for pipe in (self._result_out, self._output_out, null):
            os.close(pipe)
        return imported

    def answer(self, stay: bool = False) -> dict[str, Any]:
        """What the fork says; unless it may ``stay``, it has ended then."""
        setup = self._server.setup
        os.close(self._result_out)
        os.close(self._output_out)
        deadline = self._started + setup["timeout"]
        watched = self._server.requests.fileno()
        texts, timed_out = _gather(self._result_in, self._output_in, watched, deadline)
        os.close(self._result_in)
        os.close(self._output_in)
        whole = texts[0].endswith(b"\n")
        status = 0 if stay and whole else self.end()
        answer = _answer(texts[0], status, timed_out, setup)
        answer["seconds"] = round(time.monotonic() - self._started, 3)
        answer["output"] = texts[1].decode("utf-8", "replace")
        return answer

    def end(self) -> int:
        """End the fork and what it started; its status."""
        if self.child < 0:
            return 0
        child, self.child = self.child, -1
        _kill(child)
        status = _wait(child)
        _kill_orphans(self._server.keeps())
        return status


def _answer(
    result: bytes, status: int, timed_out: bool, setup: dict[str, Any]
) -> dict[str, Any]:
    if timed_out:
        message = f"did not end within {setup['timeout']} seconds"
        return {"ok": False, "kind": "Timeout", "message": message, "chain": []}
    try:
        answer: dict[str, Any] = json.loads(result.decode("utf-8"))
        return answer
    except ValueError:
        pass
    if os.WIFSIGNALED(status):
        how = f"was killed by signal {os.WTERMSIG(status)}"
    else:
        how = f"left the interpreter with status {os.WEXITSTATUS(status)}"
    return {"ok": False, "kind": "Exit", "message": how, "chain": []}


def _gather(
    result: int, output: int, requests: int, deadline: float
) -> tuple[list[bytes], bool]:
    """What the fork wrote to both pipes, until its result is whole or time is over.

    Nothing is asked while it runs, so that ``requests`` can be read only at its end.
    """
    kept = {result: b"", output: b""}
    open_pipes = [result, output]
    while result in open_pipes:
        left = deadline - time.monotonic()
        if left <= 0:
            return [kept[result], kept[output]], True
        ready, _, _ = select.select([*open_pipes, requests], [], [], left)
        if requests in ready:
            break
        for pipe in ready:
            data = os.read(pipe, 65536)
            if not data:
                open_pipes.remove(pipe)
            elif pipe == result or len(kept[pipe]) < _OUTPUT_KEPT:
                kept[pipe] += data
        if kept[result].endswith(b"\n"):
            break
    return [kept[result], kept[output][:_OUTPUT_KEPT]], False


def _isolate(output: int, setup: dict[str, Any]) -> None:
    _die_with_parent()
    os.setsid()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(setup["folder"])
    if not _leave_network():
        _forbid_sockets()
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if setup["memory"]:
            resource.setrlimit(resource.RLIMIT_AS, (setup["memory"], setup["memory"]))
    except (ImportError, ValueError, OSError):
        pass


def _leave_network() -> bool:
    """Enter a network namespace that holds nothing; true when the system allows it."""
    try:
        import ctypes

        new_user, new_network = 0x10000000, 0x40000000
        libc = ctypes.CDLL(None, use_errno=True)
        user, group = os.getuid(), os.getgid()
        if libc.unshare(new_user | new_network) != 0:
            return False
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")
        return True
    except (ImportError, OSError, AttributeError):
        return False


def _write(path: str, text: str) -> None:
    with contextlib.suppress(OSError), open(path, "w") as file:  # noqa: PTH123
        file.write(text)


def _forbid_sockets() -> None:
    import socket

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise OSError("no network while modules are imported to try a hoist")

    for name in ("connect", "connect_ex", "bind"):
        setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "create_connection"):
        setattr(socket, name, refuse)


def _import(module: str, result: int) -> bool:
    owner = os.getpid()
    try:
        try:
            __import__(module)
            answer: dict[str, Any] = {"ok": True, "threads": _threads()}
        except BaseException as error:
            answer = _described(error)
    except BaseException as error:  # a broken __str__, a recursion at its limit
        answer = {"ok": False, "kind": type(error).__name__, "message": "", "chain": []}
    if os.getpid() != owner:
        os._exit(0)  # the module forked: only the first process answers
    data = json.dumps(answer).encode() + b"\n"
    while data:
        data = data[os.write(result, data) :]
    return bool(answer["ok"])


def _threads() -> int:
    """How many threads this process has."""
    try:
        return len(os.listdir("/proc/self/task"))  # noqa: PTH208
    except OSError:
        import threading

        return threading.active_count()


def _described(error: BaseException) -> dict[str, Any]:
    chain = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith("<frozen importlib"):
            chain.append([code.co_filename, trace.tb_lineno, code.co_name])
        trace = trace.tb_next
    kinds = [kind.__name__ for kind in type(error).__mro__]
    return {
        "ok": False,
        "kind": kinds[0],
        "kinds": kinds,
        "message": str(error)[:500],
        "chain": chain[1:][-400:],
    }


def _become_reaper() -> None:
    """Make orphans of killed forks children of this process (Linux)."""
    pr_set_child_subreaper = 36
    _prctl(pr_set_child_subreaper, 1)


def _die_with_parent() -> None:
    """Have the system kill this process when its parent is killed (Linux)."""
    pr_set_pdeathsig = 1
    _prctl(pr_set_pdeathsig, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    try:
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


def _kill(child: int) -> None:
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(child, signal.SIGKILL)


def _wait(child: int) -> int:
    while True:
        try:
            return os.waitpid(child, 0)[1]
        except InterruptedError:
            continue


def _kill_orphans(but: int = 0) -> None:
    for _ in range(100):
        children = [child for child in _children() if child != but]
        for child in children:
            _kill(child)
        try:
            pid, _status = os.waitpid(-1, 0 if children else os.WNOHANG)
        except ChildProcessError:
            return
        if not pid and not children:
            return


def _children() -> list[int]:
    try:
        path = f"/proc/self/task/{os.getpid()}/children"
        with open(path) as file:  # noqa: PTH123
            return [int(pid) for pid in file.read().split()]
    except (OSError, ValueError):
        return []


if __name__ == "__main__":
    main()
