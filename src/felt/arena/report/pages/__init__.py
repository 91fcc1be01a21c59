"""Reports as self-contained HTML pages, one file for each kind of competition."""
