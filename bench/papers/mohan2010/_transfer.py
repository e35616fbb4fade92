"""What the tables on transfer learning share: which set helps which, and how they are matched."""

from collections.abc import Mapping
from typing import Any

from bench.papers.declare import Algorithm
from bench.papers.mohan2010._letor_features import LETOR4, MSLR
from bench.papers.pointwise import FOREST

#: Target -> source.
SOURCES: Mapping[str, str] = {"yahoo2": "yahoo1", "mq2007": "mslr", "mq2008": "mslr-sample"}

# MSLR's features are those of the documents, LETOR 4.0's are scaled within the query; grades are 0 to 4
# and 0 to 2. Yahoo's two sets number their features alike.
_OF_MSLR = {
    "names": {"source": MSLR, "target": LETOR4},
    "query_level": True,
    "grade_scale": 0.5,
}

NOTES = (
    "Forests of 1,000 full trees, 10 % of the features for each split. MQ2008 gets documents of the MSLR "
    "sample, and MQ2007 of MSLR-WEB10K: 45 of their features are the same by name (lengths, term "
    "frequencies, BM25, ...), scaled within each query as LETOR 4.0's are, and grades are halved. The "
    "thesis has Yahoo's set 1 for set 2, with 441 features in common."
)


def transferred(**parameters: Any) -> Algorithm:
    """Return a forest with the help of a source."""
    return Algorithm(
        "Transferred",
        {"parameters": FOREST, **parameters},
        by_data={"mq2007": _OF_MSLR, "mq2008": _OF_MSLR},
    )
