"""Pages: each reads a request, asks the session, and fills a template."""
