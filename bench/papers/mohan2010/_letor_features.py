"""What the features of LETOR 4.0 and of MSLR-WEB10K are, by their publishers' lists."""

_FIELDS = ("body", "anchor", "title", "url", "whole")


def _of_fields(*kinds: str) -> tuple[str, ...]:
    return tuple(f"{kind} {field}" for kind in kinds for field in _FIELDS)


#: MQ2007 and MQ2008: 46.
LETOR4 = (
    *_of_fields("tf", "idf", "tf*idf", "length", "bm25", "lmir.abs", "lmir.dir", "lmir.jm"),
    "pagerank",
    "inlinks",
    "outlinks",
    "slashes",
    "url length",
    "child pages",
)

#: MSLR: 136.
MSLR = (
    *_of_fields("covered terms", "covered share", "length", "idf", "tf"),
    *_of_fields("tf min", "tf max", "tf mean", "tf variance"),
    *_of_fields("tf/length", "tf/length min", "tf/length max", "tf/length mean"),
    *_of_fields("tf/length variance", "tf*idf", "tf*idf min", "tf*idf max", "tf*idf mean"),
    *_of_fields("tf*idf variance", "boolean", "vector space", "bm25"),
    *_of_fields("lmir.abs", "lmir.dir", "lmir.jm"),
    "slashes",
    "url length",
    "inlinks",
    "outlinks",
    "pagerank",
    "siterank",
    "quality",
    "quality 2",
    "query-url clicks",
    "url clicks",
    "dwell time",
)
