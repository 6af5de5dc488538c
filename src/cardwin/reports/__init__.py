"""Reports for people: HTML pages, plots and workbooks."""
