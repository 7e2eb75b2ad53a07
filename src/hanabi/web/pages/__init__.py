"""The pages: each reads what is asked, asks the session, and fills a template."""
