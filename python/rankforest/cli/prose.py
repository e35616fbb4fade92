"""Docstrings of estimators, in the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docstring_parser import DocstringStyle, parse

# Between two sentences; the second may start with markup or with a quoted value.
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z`\"])")
# A citation with the blank before it, or a name or code in backquotes.
_MARKUP = re.compile(r"\s*\[\d+\]_|``(?P<code>.+?)``|`(?P<name>[\w.]+)(?:=(?P<value>[^`]+))?`")
_QUOTED = re.compile(r'"(-?\w+)"')


def descriptions(docstring: str) -> dict[str, str]:
    """Return what a numpydoc docstring says about each parameter, on one line.

    Paragraphs about callables, which only Python has, are left out.
    """
    parsed = parse(docstring, style=DocstringStyle.NUMPYDOC)
    return {
        parameter.arg_name: _without_callables(parameter.description or "")
        for parameter in parsed.params
        if parameter.args[0] == "param"
    }


def _without_callables(description: str) -> str:
    paragraphs = description.split("\n\n")
    return " ".join(" ".join(p.split()) for p in paragraphs if not p.startswith("A callable"))


def sentences(text: str, terms: Mapping[str, str]) -> list[str]:
    """Return the sentences of a description as a user of the command line should read them.

    Markup and citations are left out, quoted values and None become what an option takes. A
    sentence about something that only Python has is left out.

    Parameters
    ----------
    text : str
        Of a docstring, on one line.
    terms : mapping of str to str
        What the command line calls the names in backquotes; Python alone has all others.
    """
    rendered = (_rendered(each, terms) for each in _SENTENCE_END.split(text) if each)
    return [each for each in rendered if each is not None]


def _rendered(sentence: str, terms: Mapping[str, str]) -> str | None:
    names = [match["name"] for match in _MARKUP.finditer(sentence) if match["name"]]
    if any(name not in terms for name in names):
        return None

    def plain(match: re.Match[str]) -> str:
        if match["code"]:
            return match["code"]
        if not match["name"]:  # a citation
            return ""
        value = f" {match['value']}" if match["value"] else ""
        return terms[match["name"]] + value

    words = _QUOTED.sub(r"\1", _MARKUP.sub(plain, sentence))
    return re.sub(r"\bNone\b", "none", words)
