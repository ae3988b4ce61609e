"""Reading YAML that people write: errors name file and line, for bad syntax and duplicate keys."""

from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import yaml

from scheduler_core.common.errors import StudyError


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
        self.check_commas(node)
        seen: dict[Any, int] = {}
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key, line = self.construct_object(key_node, deep=True), key_node.start_mark.line + 1
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
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise StudyError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise StudyError(f"{path}: expected text in UTF-8, found other bytes at position {error.start}") from error
    try:
        return yaml.load(text, Loader=StrictLoader)
    except StudyError as error:
        raise StudyError(f"{path}: {error}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise StudyError(f"{path}: {line}no valid YAML: {error.problem or error}") from error
    except yaml.YAMLError as error:
        raise StudyError(f"{path}: no valid YAML: {error}") from error
