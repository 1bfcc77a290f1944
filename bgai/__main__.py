"""`python -m bgai` is the `bgai` command."""

from bgai.cli.main import main

main()
