"""The full screen as values: what is known goes in, rows of styled text come out. No I/O, no clock."""
