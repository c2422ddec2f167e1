"""A process that imports modules, each in a fork of itself.

It runs in the Python of the project, any from 3.8, and there under the name
``_nsroute_zygote``: the folder is given to that Python to run. So only the standard
library and the modules of this folder may be imported here.
"""
