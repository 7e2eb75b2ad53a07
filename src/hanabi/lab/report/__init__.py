"""Tables, charts and figures of the results."""
