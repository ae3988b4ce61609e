"""The `slotwise` command: one file per subcommand, each with ``add(parser)`` and ``run(arguments) -> exit code``.

The command line is the front door and the one place in this package that may use `traces`; it imports what a
subcommand needs only when that subcommand runs, so that `slotwise --help` answers at once.
"""
