"""What commands write: files, terminals, answers for people and as JSON."""
