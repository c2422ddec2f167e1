"""What goes wrong around a run: kills, full disks, files that change, no permission."""
