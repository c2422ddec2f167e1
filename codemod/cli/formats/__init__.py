"""How the findings of a check are written: text, JSON, GitHub annotations, SARIF."""
