"""The only dealer: matches, duplicate tables, tournaments."""
