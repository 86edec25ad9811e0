"""How papermill sets parameters of notebooks of the kernel `madrigal`, written by `madrigal install --papermill`.

papermill loads what stands under `papermill.engine` when it starts; loading this is what registers the translator.
"""

import json
import re

from papermill.engines import NBClientEngine
from papermill.exceptions import PapermillException
from papermill.models import Parameter
from papermill.translators import Translator, papermill_translators

NAME = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
DECLARED = re.compile(
    r"^\s*(?:export\s+)?(?:let|const|var)\s+(?P<name>[\w$]+)\s*(?::\s*(?P<type>[^=]+?)\s*)?"
    r"=\s*(?P<default>.*?)\s*;?\s*(?://\s*(?P<help>.*?)\s*)?$"
)


class MadrigalTranslator(Translator):
    """Values as TypeScript has them, a `let` each: as `madrigal exec --param` does."""

    @classmethod
    def translate(cls, val):
        # Dates of a YAML file and the like become texts.
        return json.dumps(val, ensure_ascii=False, default=str)

    @classmethod
    def comment(cls, cmt_str):
        return f"// {cmt_str}".strip()

    @classmethod
    def assign(cls, name, str_val):
        if not NAME.fullmatch(name):
            raise PapermillException(
                f"error[M7104]: the parameter `{name}` can't be a name in TypeScript\n"
                "  hint: a name has letters, digits, `_` and `$`, and does not begin with a digit"
            )
        return f"let {name} = {str_val};"

    @classmethod
    def inspect(cls, parameters_cell):
        found = map(DECLARED.match, parameters_cell["source"].splitlines())
        return [
            Parameter(one["name"], one["type"] or "None", one["default"], one["help"] or "")
            for one in found
            if one is not None
        ]


class MadrigalEngine(NBClientEngine):
    """papermill's own engine, under the name by which papermill finds this file."""


papermill_translators.register("madrigal", MadrigalTranslator)
