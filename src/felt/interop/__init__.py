"""The door to other formats: hand histories and game files, read and written."""
