"""The service's database: SQLite or PostgreSQL. Begin with `db`."""
