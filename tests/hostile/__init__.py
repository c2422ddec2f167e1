"""A stranger's pack or tree runs nothing and writes nothing outside of the root."""
