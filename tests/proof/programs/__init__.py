"""The generator of small runnable projects that read one config record.

``build.program(draw)`` gives a ``Project``: its files, the calls that run it, and, for
every read in it, the decision that DESIGN.md's rules ask for. Everything random comes
from one ``Draw``, so hypothesis can shrink what it finds.
"""
