"""Table 5.2: what a forest of a source says, as features."""

from bench.papers.declare import Table
from bench.papers.mohan2010 import PAPER, published
from bench.papers.mohan2010._transfer import NOTES, SOURCES, transferred

#: Kinds -> RMSE, ERR, NDCG@10 on the test set.
_OF_TEST = {
    "baseline": (0.63589, 0.46210, 0.77378),
    "Q": (0.63600, 0.46227, 0.77409),
    "P": (0.63615, 0.46168, 0.77351),
    "C": (0.63609, 0.46110, 0.77249),
    "QP": (0.63570, 0.46166, 0.77321),
    "QC": (0.63603, 0.46195, 0.77295),
    "QPC": (0.63605, 0.46201, 0.77348),
}

ALGORITHMS = {
    name: transferred(kinds="" if name == "baseline" else name, only_shared=False)
    for name in _OF_TEST
}

TABLE = Table(
    title="Mohan 2010, table 5.2: outputs of a source's model as features",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), {"yahoo2": _OF_TEST}, data=list(SOURCES)),
    sources=SOURCES,
    notes=(
        f"{NOTES} Q is the score of a forest of the source, P the probability of each grade, C that of "
        "at most each grade, by classification. The thesis's finding: Q alone is better than the "
        "baseline, and not significantly."
    ),
)
