"""One file for each command; ``codemod.cli.app`` lists them."""
