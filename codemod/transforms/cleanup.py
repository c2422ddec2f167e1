"""What the migration left behind goes away: bindings, imports, parameters, arguments.

What: names bound to the record, and imports of its getters and of probes, that nothing
reads; parameters that hold the record and are read by nothing, or only to be handed to
such a parameter; and at every call of such a function the argument. To a fixpoint: an
argument that goes may have been the last read of a name.

Why: after the reads took namespaces, the record is handed through for nobody.

Before and after:

    def fits(words, config):            def fits(words):
        return len(words) < 9               return len(words) < 9

    fits(words, get_config())           fits(words)

A parameter goes only when every call of its function in the project is known and
nothing else pins the signature. What pins it is the reason why it is kept (``pinned``):
a decorator, an override or a base class, a stub, a function that is handed over without
a call, or that nothing in the project calls (a test, a command), a name in a string or
one that is computed (``getattr(self, "do_" + command)``), a name that is bound again,
``__all__``, an entry point, the pack's ``public``, a call with ``*`` or ``**``, an
argument whose evaluation does something.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from codemod.analysis.handed import HandedFacts, HandedParameter
from codemod.analysis.handed_calls import CallFacts, HandedCall
from codemod.index.source import Source
from codemod.model import Anchor
from codemod.packs import module_matches
from codemod.plan import Edit, RemoveArguments, RemoveParameters
from codemod.series.reads import Visibility
from codemod.series.task import FileTask
from codemod.series.units import components
from codemod.transforms.handed_facts import all_calls, all_handed, passed_on
from codemod.transforms.mentioned import mentions
from codemod.transforms.model import Example, KeptSite, StepContext, StepPlan
from codemod.transforms.public import OF_PACK, OWNED, Public
from codemod.transforms.samples import PACK, RECORD

NAME = "cleanup"
SUMMARY = "Bindings, imports, parameters and arguments that nothing reads go away."
EXAMPLES = (
    Example(
        PACK,
        {
            **RECORD,
            "app/low.py": "def fits(words, config):\n    return len(words) < 9\n\n\n"
            "def hook(config):\n    return 1\n\n\n"
            "HOOKS = [hook]\n",
            "app/high.py": "from app.config import Config, get_config\n"
            "from app.low import fits\n\n\n"
            "def check(words, config: Config):\n"
            "    return fits(words, config)\n\n\n"
            "def run(words):\n"
            "    config = get_config()\n"
            "    return check(words, config=config)\n",
        },
        {
            "app/low.py": "def fits(words):\n    return len(words) < 9\n\n\n"
            "def hook(config):\n    return 1\n\n\n"
            "HOOKS = [hook]\n",
            "app/high.py": "from app.low import fits\n\n\n"
            "def check(words):\n"
            "    return fits(words)\n\n\n"
            "def run(words):\n"
            "    return check(words)\n",
        },
        ("pinned",),
    ),
)

#: Pins that say that the place is none of the step's business: nobody is told of them.
_LEFT_OUT = "the step leaves it out"
_REFUSED = "that was refused in review"
_NOT_LISTED = frozenset({OWNED, OF_PACK, _LEFT_OUT})

#: A parameter of the project: path of its file, ordinal of its function, its name.
_Id = tuple[str, int, str]


def tasks(context: StepContext) -> StepPlan:
    """A task for each file that something nobody reads is in."""
    handed = all_handed(context)
    plan = _Plan(context, handed)
    plan.settle()
    return StepPlan(
        tuple(plan.tasks()), tuple(sorted(plan.kept())), together=plan.together()
    )


class _Plan:
    def __init__(self, context: StepContext, handed: Mapping[str, HandedFacts]) -> None:
        self.context = context
        self.handed = handed
        self.parameters: dict[_Id, HandedParameter] = {}
        self.of_function: dict[str, list[_Id]] = defaultdict(list)
        self.pins: dict[_Id, str] = {}
        public = Public(context)
        for path, facts in handed.items():
            module = context.index.sources[path].file.module
            for parameter in facts.parameters:
                where = (path, parameter.function, parameter.name)
                self.parameters[where] = parameter
                self.of_function[f"{module}.{parameter.path}"].append(where)
                pin = public.why(module, parameter.path) or parameter.pin
                if not pin and not context.selects(module, parameter.name):
                    pin = _LEFT_OUT
                if context.stays(path) is not None:
                    pin = _LEFT_OUT
                elif context.refuses(path, ("function", parameter.function)):
                    pin = _REFUSED
                if pin:
                    self.pins[where] = pin
        names = frozenset(
            self.parameters[where].path.rpartition(".")[2]
            for where in self.parameters
            if where not in self.pins
        )
        #: Other last names of functions, with the functions each may mean.
        self.renamed = passed_on(context, names)
        self.calls: Mapping[str, CallFacts] = all_calls(
            context, names | self.renamed.keys()
        )
        #: For each parameter, the arguments that are given to it, by file.
        self.given: dict[_Id, list[tuple[str, int, str]]] = defaultdict(list)
        #: The parameter that an argument goes to.
        self.goes_to: dict[tuple[str, int, str], _Id] = {}
        #: Functions that something in the project, other than themselves, calls.
        self.called: set[str] = set()

    def _pin(self, function: str, why: str) -> None:
        for where in self.of_function.get(function, ()):
            self.pins.setdefault(where, why)

    # -- calls ------------------------------------------------------------------

    def settle(self) -> None:
        """Decide which parameters go: all that can, to the greatest fixpoint."""
        methods = {
            function: self.parameters[wheres[0]].class_path
            for function, wheres in self.of_function.items()
        }
        for function, why in mentions(self.context, self.calls, methods, self.renamed):
            self._pin(function, why)
        for path in sorted(self.calls):
            for call in self.calls[path].calls:
                self._take_call(path, call)
        for function in self.of_function.keys() - self.called:
            # A test runner, a command line, a plugin: somebody else calls it.
            self._pin(function, "nothing in the project calls it")
        while True:
            before = len(self.pins)
            for where, parameter in self.parameters.items():
                if where in self.pins:
                    continue
                for ordinal, key in parameter.handed_to:
                    target = self.goes_to.get((where[0], ordinal, key))
                    if target is None or target in self.pins:
                        self.pins[where] = "it is read"
                        break
            if len(self.pins) == before:
                return

    def _take_call(self, path: str, call: HandedCall) -> None:
        """Note which arguments of a call go to which parameters, or pin them."""
        functions = {
            name for ref in call.refs for name in self.context.index.names.resolve(ref)
        }
        known = functions & self.of_function.keys()
        if not known:
            return
        module = self.context.index.sources[path].file.module
        self.called |= known - {f"{module}.{call.caller}"}
        line = f"a call in {path}"
        if len(functions) > 1:
            for function in known:
                self._pin(function, f"{line} may mean another function")
            return
        for where in self.of_function[next(iter(known))]:
            parameter = self.parameters[where]
            if self.context.refuses(path, ("call", call.ordinal)):
                self.pins.setdefault(where, _REFUSED)
                continue
            if self.context.stays(path) is not None:
                why = f"{path} calls it, which has to stay as it is"
                self.pins.setdefault(where, why)
                continue
            if call.stars:
                self.pins.setdefault(where, f"{line} unpacks its arguments")
                continue
            bound = call.bound or parameter.class_method or not parameter.bound
            if parameter.class_path and not bound:
                self.pins.setdefault(where, f"{line} calls the method off its class")
                continue
            key = self._key(parameter, call)
            if key is None:
                if parameter.needed:
                    self.pins.setdefault(where, f"{line} leaves it out, and fails")
                continue
            if key in call.effects or not self._quiet(call):
                why = f"{line} passes it what does something, or may fail in a try"
                self.pins.setdefault(where, why)
                continue
            self.given[where].append((path, call.ordinal, key))
            self.goes_to[path, call.ordinal, key] = where

    def _quiet(self, call: HandedCall) -> bool:
        record = self.context.index.record
        return all(record.getter_status(ref) == "yes" for ref in call.getters)

    @staticmethod
    def _key(parameter: HandedParameter, call: HandedCall) -> str | None:
        """The argument that a call gives a parameter, None when it gives none."""
        if parameter.position >= 0:
            number = parameter.position - parameter.bound
            if 0 <= number < call.positional:
                return str(number)
        if parameter.keyword and parameter.name in (*call.keys, *call.effects):
            return parameter.name
        return None

    # -- results ----------------------------------------------------------------

    def together(self) -> tuple[frozenset[str], ...]:
        """A parameter goes in one commit with the arguments that are given to it."""
        return components(
            frozenset({where[0], *(path for path, _, _ in self.given[where])})
            for where in self.parameters
            if where not in self.pins
        )

    def kept(self) -> list[KeptSite]:
        """The parameters that nothing reads and that stay, with what pins each."""
        found = []
        for where, why in self.pins.items():
            parameter = self.parameters[where]
            source = self.context.index.sources[where[0]]
            unread = all(
                self.goes_to.get((where[0], ordinal, key)) == where
                for ordinal, key in parameter.handed_to
            )
            listed = unread and why not in _NOT_LISTED
            if not listed or not self.context.selects(
                source.file.module, parameter.name
            ):
                continue
            found.append(
                KeptSite(
                    where[0],
                    parameter.line,
                    parameter.column,
                    parameter.path,
                    NAME,
                    parameter.name,
                    "pinned",
                    f"Nothing reads it, but {why}.",
                )
            )
        return found

    def tasks(self) -> list[FileTask]:
        """A task for each file with edits or with bindings that nothing reads."""
        edits: dict[str, list[Edit]] = defaultdict(list)
        counts: dict[str, int] = defaultdict(int)
        names: dict[tuple[str, int], list[str]] = defaultdict(list)
        keys: dict[tuple[str, int], list[str]] = defaultdict(list)
        for where in self.parameters:
            if where in self.pins:
                continue
            names[where[0], where[1]].append(where[2])
            counts[where[0]] += 1
            for path, ordinal, key in self.given[where]:
                keys[path, ordinal].append(key)
                counts[path] += 1
        for (path, ordinal), gone in sorted(names.items()):
            edits[path].append(
                RemoveParameters(Anchor("function", ordinal), tuple(gone))
            )
        for (path, ordinal), gone in sorted(keys.items()):
            edits[path].append(RemoveArguments(Anchor("call", ordinal), tuple(gone)))
        visibility = Visibility(self.context.index)
        found = []
        for path in sorted({*edits, *self.handed}):
            task = self._task(path, tuple(edits[path]), counts[path], visibility)
            if task is not None:
                found.append(task)
        return found

    def _task(
        self, path: str, edits: tuple[Edit, ...], count: int, visibility: Visibility
    ) -> FileTask | None:
        index = self.context.index
        source = index.sources[path]
        facts = index.facts(path)
        module = source.file.module
        unread = set()
        if self.context.selects(module, "") and not self._is_owner(module):
            for each in self.handed.get(path, HandedFacts()).unread:
                if self.context.refuses(path, (each.kind, each.ordinal)):
                    continue
                if each.kind == "assign" or self._leads_to_record(each.target):
                    unread.add((each.name, each.kind, each.ordinal))
        if not edits and not unread:
            return None
        words = {fact.bound for fact in facts.imports}
        words |= {name for name, _, _ in unread} | set(facts.record_names)
        visible = visibility.of(source, facts, words & self._mentioned(source, words))
        if visible is None and not edits:
            return None
        getters = {
            ref
            for facts_of in [self.calls.get(path, CallFacts())]
            for call in facts_of.calls
            for ref in call.getters
            if index.record.getter_status(ref) == "yes"
        }
        own = {
            fact.target
            for fact in facts.imports
            if index.record.getter_status(fact.target) == "yes"
        }
        return FileTask(
            source=source,
            facts=facts,
            vocabulary=index.vocabulary,
            getters=frozenset(getters | own),
            visible=visible,
            raised=index.pack.record.unpublished,
            edits=edits,
            counts=((NAME, count),),
            unread=frozenset(unread),
            spelled=frozenset(words),
        )

    def _is_owner(self, module: str) -> bool:
        return module_matches(self.context.pack.record.owners, module)

    def _leads_to_record(self, target: str) -> bool:
        """Whether an import is of a getter, the record as an object, or a probe."""
        index = self.context.index
        if index.record.getter_status(target) in ("yes", "mixed"):
            return True
        if "yes" in index.record.combined([("ref", target)], ""):
            return True
        probes = self.context.pack.probes
        if probes is None:
            return False
        wanted = {probe.replace(":", ".") for probe in probes.facts}
        return bool(index.names.resolve(target) & wanted)

    @staticmethod
    def _mentioned(source: Source, words: set[str]) -> set[str]:
        return {word for word in words if word.encode() in source.data}
