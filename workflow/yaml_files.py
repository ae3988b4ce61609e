"""Reading YAML that people write: errors name file and line, for bad syntax and duplicate keys."""

from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import yaml

from scheduler_core.common.errors import InputError, StudyError
from scheduler_core.common.inputs import read_study_text

DEEPEST, MOST_VALUES = 100, 1_000_000
"""Lists and mappings within each other, and values of a file: several times those of any study."""


class StrictLoader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """YAML as usual, but a key written twice in one mapping is an error, and dates, ``on`` and ``no`` stay the texts they are."""

    yaml_implicit_resolvers: ClassVar = {
        first: [
            (tag, form)
            for tag, form in known
            if tag != "tag:yaml.org,2002:timestamp" and (tag != "tag:yaml.org,2002:bool" or first in "tTfF")
        ]
        for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping as a dict, refusing a key that occurs twice."""
        if not isinstance(node, yaml.MappingNode):
            raise StudyError(f"line {node.start_mark.line + 1}: expected a mapping of keys to values")
        self.check_commas(node)
        seen: dict[Any, int] = {}
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise StudyError(f"line {line}: a key is a word; found a list or a mapping")
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise StudyError(f"line {line}: duplicate key '{key}', first written in line {seen[key]}")
            seen[key] = line
        mapping: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return mapping

    @staticmethod
    def check_commas(node: yaml.MappingNode) -> None:
        """Refuse a text that a comma within ``{...}`` cuts in two: what follows the comma is then a key without a value."""
        for (key, before), (rest, value) in pairwise(node.value if node.flow_style else []):
            cut = value.value == "" and value.tag == "tag:yaml.org,2002:null"
            if cut and isinstance(before, yaml.ScalarNode) and isinstance(rest, yaml.ScalarNode):
                line = rest.start_mark.line + 1
                raise StudyError(
                    f"line {line}: '{rest.value}' has no value. If it belongs to the text before the comma, put this text into "
                    f'quotes: {key.value}: "{before.value}, {rest.value}"'
                )


def read_yaml(path: Path | str) -> Any:
    """Return the content of a YAML file.

    Raise :class:`StudyError` when the file is missing, is no YAML, or has a key twice; the text names file and line.
    """
    try:
        text = read_study_text(path)
    except InputError as error:
        raise StudyError(str(error)) from error
    try:
        check_nesting(text)
        return yaml.load(text, Loader=StrictLoader)
    except StudyError as error:
        raise StudyError(f"{path}: {error}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise StudyError(f"{path}: {line}no valid YAML: {error.problem or error}") from error
    except yaml.YAMLError as error:
        raise StudyError(f"{path}: no valid YAML: {error}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # PyYAML's constructors raise these for values that do not have the form of their type
        raise StudyError(f"{path}: a value does not have the form of its type: {error}") from error


def check_nesting(text: str) -> None:
    """Refuse YAML that is nested too deeply, or too large once its aliases are written out, before a parser recurses into it."""
    open_parts: list[tuple[str | None, int]] = []  # anchor, and size so far
    sizes: dict[str, int] = {}
    for event in yaml.parse(text, Loader=StrictLoader):
        anchor, size = getattr(event, "anchor", None), 1
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.CollectionStartEvent):
            open_parts.append((anchor, 1))
            if len(open_parts) > DEEPEST:
                raise StudyError(f"line {line}: more than {DEEPEST} lists or mappings within each other")
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, size = open_parts.pop()
        elif isinstance(event, yaml.AliasEvent):
            if any(anchor == outer for outer, _ in open_parts):
                raise StudyError(f"line {line}: the alias *{anchor} stands within what it names")
            size = sizes.get(str(anchor), 1)
        elif not isinstance(event, yaml.ScalarEvent):
            continue
        if size > MOST_VALUES:
            raise StudyError(f"line {line}: more than {MOST_VALUES:,} values, aliases written out")
        if anchor is not None and not isinstance(event, yaml.AliasEvent):
            sizes[anchor] = size
        if open_parts:
            outer, so_far = open_parts[-1]
            open_parts[-1] = (outer, so_far + size)
