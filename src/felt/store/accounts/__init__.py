"""Players, their names and their accounts in the database. Begin with `players`."""
