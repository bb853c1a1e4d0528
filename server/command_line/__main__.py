"""``python -m server.command_line`` is the ``looot`` command."""

from server.command_line import main

main()
