"""Games: rules as data, and one engine that plays them all."""
