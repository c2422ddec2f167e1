"""Which symbolic origins are the record, now that every file has been seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from codemod.analysis.facts import NONE, AttributeStore, FileFacts, Origin
from codemod.analysis.opened import ANY
from codemod.index.classes import Classes
from codemod.index.names import Names
from codemod.packs import Pack

#: ``yes``: always the record. ``mixed``: some bindings make it the record and others do
#: not. ``listed``: a parameter that may hold it. ``parameter``: one that need not.
Status = Literal["yes", "mixed", "listed", "parameter", "no"]

_OTHER_OBJECT = frozenset({"other"})


def dotted(place: str) -> str:
    """``module:name`` of a pack as a dotted name."""
    return place.replace(":", ".")


class RecordIndex:
    """Says of each origin whether it is the record.

    ``stores`` are all assignments of interest to attributes, with the module they
    stand in.
    """

    def __init__(
        self,
        pack: Pack,
        names: Names,
        classes: Classes,
        stores: Mapping[str, list[tuple[str, AttributeStore]]],
    ) -> None:
        record = pack.record
        self._pack = pack
        self._names = names
        self._classes = classes
        self._stores = stores
        self._getters = self._followed(record.calls)
        self._objects = self._followed(record.objects)
        self._classes_of_record = self._followed([record.cls] if record.cls else [])
        self._active: set[Origin] = set()
        self._status: dict[tuple[str, Origin], Status] = {}

    def _followed(self, places: Iterable[str]) -> frozenset[str]:
        found: set[str] = set()
        for place in places:
            found.add(dotted(place))
            found |= self._names.resolve(dotted(place))
        return frozenset(found)

    # -- one origin -------------------------------------------------------------

    def status(self, origin: Origin, module: str) -> Status:
        """Whether an origin, found in ``module``, is the record."""
        key = (module, origin)
        known = self._status.get(key)
        if known is None:
            if origin in self._active:
                return "no"
            self._active.add(origin)
            known = self._find_status(origin, module)
            self._active.discard(origin)
            self._status[key] = known
        return known

    def _find_status(self, origin: Origin, module: str) -> Status:
        kind = origin[0]
        if kind == "call":
            found = self.getter_status(origin[1])
            # Arguments would be lost: a getter takes none.
            return "mixed" if found == "yes" and origin[2] else found
        if kind == "ref":
            return self._ref_status(origin[1])
        if kind == "attr":
            return self._attribute_status(origin, module)
        if kind == "stash":
            return self._stash_status(origin, module)
        if kind == "param":
            return "listed" if self._is_listed(origin) else "parameter"
        return "no"

    def combined(self, origins: Iterable[Origin], module: str) -> frozenset[Status]:
        """The statuses of all origins of one expression."""
        return frozenset(self.status(origin, module) for origin in origins)

    def getter_status(self, ref: str) -> Status:
        """Whether the function that a dotted name means returns the record."""
        answers: set[Status] = set()
        for name in self._names.resolve(ref):
            if name in self._getters:
                answers.add("yes")
                continue
            module, rest = self._names.split(name)
            origins = self._record_origins(module, rest)
            if not origins:
                answers.add(self._answered_for(module, rest, self._getters))
            for origin in origins:
                same = origin[0] == "ref" and origin[1] != name
                answers.add(self.getter_status(origin[1]) if same else "no")
        return _all(answers)

    def _ref_status(self, ref: str) -> Status:
        answers: set[Status] = set()
        for name in self._names.resolve(ref):
            if name in self._objects:
                answers.add("yes")
                continue
            module, rest = self._names.split(name)
            if not module or not rest:
                answers.add("no")
            elif "." in rest:
                answers.add(self._class_attribute_status(name))
            else:
                answers.add(self._exported_status(module, rest))
                if self._answered_for(module, rest, self._objects) == "mixed":
                    answers.add("mixed")
        return _all(answers)

    def _answered_for(self, module: str, name: str, wanted: frozenset[str]) -> Status:
        """``mixed`` for a name that only a module's ``__getattr__`` knows (PEP 562).

        It is taken to give what is wanted by that name when it is spelled the same.
        """
        if not module or "." in name or not self._names.is_module(module):
            return "no"
        facts = self._names.module_facts(module)
        if name in facts.definitions or "__getattr__" not in facts.definitions:
            return "no"
        if any(fact.bound == name for fact in facts.imports):
            return "no"
        return "mixed" if name in {each.rpartition(".")[2] for each in wanted} else "no"

    def _exported_status(self, module: str, name: str) -> Status:
        """Whether a module-level name is the record for those who import it."""
        origins = self._record_origins(module, name)
        if not origins:
            return "no"
        answers = {self.status(origin, module) for origin in origins}
        if "yes" in answers or "mixed" in answers:
            # ``module.NAME = …`` from elsewhere rebinds it.
            for where, store in self._stores.get(name, ()):
                if not store.class_path:
                    answers |= self.combined(store.origins, where)
        return _all(answers)

    def _record_origins(self, module: str, name: str) -> tuple[Origin, ...]:
        if not module or not name or "." in name:
            return ()
        return self._names.module_facts(module).record_names.get(name, ())

    def _attribute_status(self, origin: Origin, module: str) -> Status:
        ref = origin[3]
        if ref and any(self._names.is_module(n) for n in self._names.resolve(ref)):
            return "no"  # ``pkg.server_args`` is a module here, not an attribute
        if ref and self._is_foreign(ref):
            # An attribute of a module is no attribute of an object; what an object of
            # another project has under that name, nothing here says.
            return "no" if ref.count(".") == 1 else "mixed"
        return "mixed" if self.others(origin, module) else "yes"

    def _is_foreign(self, ref: str) -> bool:
        """Whether a dotted name starts outside the project and what the pack names."""
        if self._names.split(ref)[0]:
            return False
        record = self._pack.record
        places = (*record.calls, *record.objects, record.cls or "")
        return ref.partition(".")[0] not in {
            p.partition(".")[0] for p in map(dotted, places)
        }

    def others(self, origin: Origin, module: str) -> list[tuple[str, int]]:
        """Where a class of the project puts another object under an attribute.

        Module and line of each place that makes the origin, an attribute of the pack or
        a stash, something else than the record.
        """
        if origin[0] == "stash" and origin[1]:
            classes, attribute = {f"{module}.{origin[1]}"}, origin[2]
        elif origin[0] == "attr":
            attribute = origin[1]
            classes = {f"{module}.{origin[2]}"} if origin[2] else set()
            refs = [ref for ref in origin[4].split("|") if ref]
            classes |= {name for ref in refs for name in self._names.resolve(ref)}
        else:
            return []
        found = []
        for where, store in self._stores.get(attribute, ()):
            holder = f"{where}.{store.class_path}"
            if not store.class_path or not any(
                self._classes.related(own, holder) for own in classes
            ):
                continue
            if origin[0] == "attr":
                is_other = self._is_other(store, where)
            else:
                is_other = self.combined(store.origins, where) != {"yes"}
            if is_other:
                found.append((where, store.line))
        return found

    def may_be_none(self, origins: Iterable[Origin], module: str) -> bool:
        """Whether a class shows that its attribute may be there and hold nothing."""
        for origin in origins:
            if origin[0] == "attr" and origin[2]:
                own = f"{module}.{origin[2]}"
                for where, store in self._stores.get(origin[1], ()):
                    holder = f"{where}.{store.class_path}"
                    if NONE in store.origins and self._classes.related(own, holder):
                        return True
        return False

    def _is_other(self, store: AttributeStore, module: str) -> bool:
        """Whether an assignment shows that the attribute holds another object.

        The pack's word makes ``self.server_args`` the record, whatever unknown value
        it was given. A call of something that is not a getter makes a new object, and
        a parameter annotated with another class of the project is another record.
        """
        for origin in store.origins:
            if origin[0] == "call" and self.status(origin, module) == "no":
                return True
            if origin[0] == "param" and self._is_other_class(origin[2]):
                return True
        return False

    def _is_other_class(self, annotations: str) -> bool:
        """Whether an annotation names classes of the project, and no record's."""
        refs = [ref for ref in annotations.split("|") if ref]
        meant = {name for ref in refs for name in self._names.resolve(ref)}
        if not self._classes_of_record:
            return False
        known = [name for name in meant if self._classes.is_class(name)]
        return bool(known) and not any(map(self._may_be_record_class, meant))

    def _may_be_record_class(self, name: str) -> bool:
        """Whether an object of a class may be the record: a base, or a protocol."""
        return (
            any(self._classes.related(name, each) for each in self._classes_of_record)
            or name.rpartition(".")[2] in ("Any", "object", "TypeVar")
            or any(b.endswith("Protocol") for b in self._classes.ancestors(name))
        )

    def _stash_status(self, origin: Origin, module: str) -> Status:
        _, class_path, attribute = origin
        if not class_path:
            # On an object of unknown class: the record if it is a stash anywhere.
            known = any(
                store.class_path and self.combined(store.origins, where) == {"yes"}
                for where, store in self._stores.get(attribute, ())
            )
            return "mixed" if known else "no"
        return self._class_attribute_status(f"{module}.{class_path}.{attribute}")

    def _class_attribute_status(self, name: str) -> Status:
        owner, _, attribute = name.rpartition(".")
        answers: set[Status] = set()
        for where, store in self._stores.get(attribute, ()):
            if not store.class_path:
                # ``other.attribute = value``: it may be an instance of this class.
                answers |= self.combined(store.origins, where)
            elif self._classes.related(owner, f"{where}.{store.class_path}"):
                answers |= self.combined(store.origins, where)
        if answers:
            for where, store in self._stores.get(ANY, ()):
                if self._classes.related(owner, f"{where}.{store.class_path}"):
                    answers.add("no")
        return _all(answers)

    def _is_listed(self, origin: Origin) -> bool:
        _, listed, annotations = origin
        if listed == "name":
            return True
        if listed.startswith("default:"):
            refs = listed[len("default:") :].split("|")
            return any(self.getter_status(ref) in ("yes", "mixed") for ref in refs)
        refs = [ref for ref in annotations.split("|") if ref]
        return any(
            self._names.resolve(ref) & self._classes_of_record
            or ref in self._classes_of_record
            for ref in refs
        )

    # -- exports ----------------------------------------------------------------

    def exported_words(self, module: str, facts: FileFacts) -> dict[str, str]:
        """Module-level names of a file that others may reach the record by.

        Maps the name to ``getter`` or ``object``.
        """
        found: dict[str, str] = {}
        for name in facts.record_names:
            full = f"{module}.{name}"
            if self.getter_status(full) in ("yes", "mixed"):
                found[name] = "getter"
            elif self._exported_status(module, name) in ("yes", "mixed"):
                found[name] = "object"
        return found

    def stash_words(self) -> frozenset[str]:
        """Instance attributes that some class binds to the record."""
        return frozenset(
            attribute
            for attribute, stores in self._stores.items()
            if attribute not in self._pack.record.attributes
            and any(
                store.class_path
                and {"yes", "mixed"} & self.combined(store.origins, where)
                for where, store in stores
            )
        )


def _all(answers: set[Status]) -> Status:
    """One status from those of all bindings: the record only if every one is."""
    if not answers:
        return "no"
    if len(answers) == 1:
        return next(iter(answers))
    if "yes" in answers or "mixed" in answers:
        return "mixed"
    if "listed" in answers:
        return "listed"
    return "parameter" if "parameter" in answers else "no"
