"""Pages of the site: one module each."""
