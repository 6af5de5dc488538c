"""`python -m cardwin` is `cardwin`."""

from cardwin.cli import main

main()
