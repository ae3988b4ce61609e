"""`slotwise completion SHELL`: a script by which a shell completes commands, options and their values."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

SHELLS = ("bash", "zsh", "fish")


class Words(NamedTuple):
    """What may follow a command: its options with their values, which are none for a flag, and the values of its arguments."""

    options: dict[str, list[str] | None]
    arguments: list[str]


def add(parser: argparse.ArgumentParser) -> None:
    """Add the argument."""
    parser.add_argument(
        "shell",
        choices=SHELLS,
        help="put `source <(slotwise completion bash)` into ~/.bashrc, the same with zsh into ~/.zshrc; for fish "
        "`slotwise completion fish | source`",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the script of a shell."""
    from slotwise.cli.main import COMMANDS, build_parser, subcommands

    known = {name: words_of(subcommands(build_parser(name))[name]) for name in COMMANDS}
    if arguments.shell == "fish":
        print("\n".join(fish_lines(known, COMMANDS)))
        return 0
    if arguments.shell == "zsh":
        print("autoload -U +X compinit bashcompinit && compinit && bashcompinit")
    print("\n".join(bash_lines(known)))
    return 0


def words_of(parser: argparse.ArgumentParser) -> Words:
    """Return the words of a command, those of its actions among them."""
    options: dict[str, list[str] | None] = {}
    arguments: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            below = [words_of(one) for one in action.choices.values()]
            arguments += [*action.choices, *(word for words in below for word in words.arguments)]
            options |= {name: values for words in below for name, values in words.options.items()}
        elif action.option_strings:
            values = None if action.nargs == 0 else values_of(action)
            options |= {name: values for name in action.option_strings if name.startswith("--")}
        else:
            arguments += values_of(action)
    return Words(options, arguments)


def values_of(action: argparse.Action) -> list[str]:
    """Return the known values of an option or argument: its choices, or the names of what it takes; files are no words."""
    if action.choices:
        return [str(choice) for choice in action.choices]
    match action.metavar:
        case "POLICY":
            from scheduler_core.declarations.policy import policy_names

            return list(policy_names())
        case "LOG" | "RUN_OR_LOG":
            from traces.catalog import catalog

            return [entry.name if " " in entry.label else entry.label for entry in catalog().values()]
        case "MODEL":
            from traces.models import models

            return list(models())
        case "STUDY":
            from slotwise.cli.study import list_studies

            return [name for name, _ in list_studies()]
    return []


def bash_lines(known: dict[str, Words]) -> Iterator[str]:
    """Yield the lines of a script for bash; where it has no words, bash completes files."""
    yield "_slotwise() {"
    yield "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= words="
    yield "    (( COMP_CWORD > 1 )) && command=${COMP_WORDS[1]}"
    yield '    case "$command $before" in'
    for name, words in known.items():
        for option, values in words.options.items():
            if values is not None:
                yield f'        "{name} {option}") words="{" ".join(values)}" ;;'
        yield f'        "{name} "*) words="{" ".join([*words.arguments, *words.options])}" ;;'
    yield f'        *) words="{" ".join(known)} --help --version" ;;'
    yield "    esac"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield "}"
    yield "complete -o default -F _slotwise slotwise"


def fish_lines(known: dict[str, Words], meanings: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a script for fish."""
    for name, words in known.items():
        meaning = meanings[name].replace("'", "\\'")
        yield f"complete -c slotwise -n __fish_use_subcommand -xa {name} -d '{meaning}'"
        within = f"complete -c slotwise -n '__fish_seen_subcommand_from {name}'"
        if words.arguments:
            yield f"{within} -a '{' '.join(words.arguments)}'"
        for option, values in words.options.items():
            takes = "" if values is None else f" -xa '{' '.join(values)}'" if values else " -r"
            yield f"{within} -l {option.removeprefix('--')}{takes}"
