"""The command line: parses arguments, calls the library, prints. No logic of its own."""
