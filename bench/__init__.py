"""The measured figures: ``make bench`` prints every one of them again.

Packages are fetched from the package index into ``bench/.data``, which git ignores.
Compared figures are measured in the same run. Nothing here is a test: a figure that
falls short is printed as it is.
"""
