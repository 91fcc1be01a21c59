"""What is kept on disk: the log of matches, in Parquet, read with DuckDB."""
