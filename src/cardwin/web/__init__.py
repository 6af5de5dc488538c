"""The page: what it shows comes from /api, and nothing here computes; heavy rooms are imported where they are used."""
