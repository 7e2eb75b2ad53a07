"""What may take hours: many inputs, many games."""
