"""The `slotwise` command: one file per subcommand, each with ``add(parser)`` and ``run(arguments) -> exit code``.

A subcommand imports what it needs when it runs, so that `slotwise --help` answers at once.
"""
