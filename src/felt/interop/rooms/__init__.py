"""Hand histories of poker rooms in English text. Begin with `table_hand`."""
