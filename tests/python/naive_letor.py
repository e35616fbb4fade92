"""A naive reader of LETOR text: the rules of the format, one line and one token after the other."""

import math
import re

import numpy as np

BLANKS = b" \t\r"
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
MISSING = re.compile(rb"[+-]?nan|null", re.IGNORECASE)
FEATURE = re.compile(rb"(\d{1,18}):(.*)")
MOST_FEATURES = 2**20


class NaiveError(Exception):
    """A line that is not as it should be; its number is the argument."""


def naive_value(text):
    if MISSING.fullmatch(text):
        return math.nan
    if not NUMBER.fullmatch(text):
        raise ValueError(text)
    with np.errstate(over="ignore"):
        value = float(np.float32(float(text)))
    if math.isinf(value):
        raise ValueError(text)
    return value


def naive_document(content):
    """Return (grade, id, {index: value}) of a line without its comment."""
    grade, qid, *features = re.split(rb"[ \t\r]+", content.strip(BLANKS))
    value = float(grade) if NUMBER.fullmatch(grade) else -1.0
    if not 0 <= value < math.inf or not re.fullmatch(rb"qid:[^\x00- ]+", qid):
        raise ValueError(content)
    row = {}
    for feature in features:
        match = FEATURE.fullmatch(feature)
        if not match or not 1 <= int(match[1]) <= MOST_FEATURES or int(match[1]) in row:
            raise ValueError(feature)
        row[int(match[1])] = naive_value(match[2])
    return value, qid[4:].decode("utf-8", "surrogateescape"), row


def naive_read(text):
    """Return grades, ids, rows and comments of a text."""
    documents = []
    for number, line in enumerate(text.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        content, _, comment = line.partition(b"#")
        try:
            if b"\0" in comment:
                raise ValueError(comment)
            if content.strip(BLANKS):
                comment = comment.strip(BLANKS).decode("utf-8", "surrogateescape")
                documents.append((*naive_document(content), comment))
        except ValueError:
            raise NaiveError(number) from None
    if not documents:
        raise NaiveError(text.count(b"\n") + 1)
    return documents
