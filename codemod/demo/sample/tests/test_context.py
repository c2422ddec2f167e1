"""The record and its namespaces."""

from __future__ import annotations

import unittest

from quern import runtime_context as rc
from quern import topology
from quern.config import ServiceArgs
from tests.support import ServiceTest

ACCESSORS = {
    "device": rc.get_device,
    "exec": rc.get_exec,
    "model": rc.get_model,
    "parallel": rc.get_parallel,
    "schedule": rc.get_schedule,
    "serving": rc.get_serving,
}


def through_namespace(field: str) -> object:
    root, *path = rc.ROUTES[field].split(".")
    value = ACCESSORS[root]()
    for name in [*path, field]:
        value = getattr(value, name)
    return value


class BeforePublishing(unittest.TestCase):
    def test_everything_refuses(self):
        for accessor in (rc.get_args, *ACCESSORS.values()):
            with self.subTest(accessor.__name__), self.assertRaises(ValueError):
                accessor()
        with self.assertRaises(ValueError):
            getattr(rc.settings, "dim")

    def test_held_arguments_are_read_but_namespaces_stay_closed(self):
        self.addCleanup(rc.get_context().forget)
        rc.get_context().hold(ServiceArgs(dim=3))
        self.assertEqual(rc.get_args().dim, 3)
        with self.assertRaises(ValueError):
            rc.get_model()
        with self.assertRaises(ValueError):
            rc.get_context().override("test", dim=4)


class AfterPublishing(ServiceTest):
    arguments = {"workers": 3, "cache_policy": "fifo"}

    def test_every_routed_field_is_in_its_namespace(self):
        for field in rc.ROUTES:
            with self.subTest(field):
                given = getattr(self.service_args, field)
                self.assertEqual(through_namespace(field), given)

    def test_one_field_has_no_route(self):
        self.assertEqual(set(vars(self.service_args)) - set(rc.ROUTES), {"config_path"})

    def test_workers_are_those_alive(self):
        topology.lose("cpu:1")
        self.assertEqual(rc.get_parallel().workers, 2)
        self.assertEqual(rc.configured_workers(), 3)

    def test_override_reaches_namespaces_and_leaves_the_record(self):
        rc.get_context().override("test", weighting="count")
        self.assertEqual(rc.get_exec().kernel.weighting, "count")
        self.assertEqual(rc.get_args().weighting, "log")

    def test_override_of_the_record_reaches_namespaces(self):
        rc.get_args().override("test", weighting="count")
        self.assertEqual(rc.get_exec().kernel.weighting, "count")

    def test_scoped_reaches_both_and_ends(self):
        rc.get_context().override("test", dim=5)
        with rc.get_context().scoped(dim=9):
            self.assertEqual((rc.get_model().dim, rc.settings.dim), (9, 9))
        self.assertEqual((rc.get_model().dim, rc.settings.dim), (5, 12))

    def test_mistakes_are_refused(self):
        with self.assertRaisesRegex(AttributeError, "read-only"):
            rc.get_model().dim = 3
        with self.assertRaisesRegex(AttributeError, "has no 'dimm'"):
            rc.get_model().dimm  # noqa: B018
        with self.assertRaisesRegex(AttributeError, "in no namespace"):
            rc.get_context().override("test", config_path="x")
        with self.assertRaisesRegex(AttributeError, "no argument 'dimm'"):
            rc.get_args().override("test", dimm=1)

    def test_named_accessors_say_what_the_members_say(self):
        self.assertEqual(rc.tokens_per_worker(), self.service_args.tokens_per_worker)
        self.assertTrue(rc.uses_dense_kernel())
        self.assertEqual(rc.batches_for(49), 2)
