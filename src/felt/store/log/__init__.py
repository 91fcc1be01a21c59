"""The log: one Parquet star for matches, tournaments, rings and evolutions, read with DuckDB.

`schema` says what is in it: read it first. `matches` opens logs for writing, `reading` asks them.
`felt.store` exports what others use.
"""
