"""Reports for people: HTML pages, plots, workbooks, the gallery."""
