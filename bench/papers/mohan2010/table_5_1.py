"""Table 5.1: a target set with the documents of a source that look most like it."""

from bench.papers.declare import Table
from bench.papers.mohan2010 import PAPER, published
from bench.papers.mohan2010._transfer import NOTES, SOURCES, transferred

#: Of the source's documents, in percent: RMSE, ERR, NDCG@10 on the test set.
_OF_TEST = {
    0: (0.63723, 0.46133, 0.77267),
    0.1: (0.63873, 0.46078, 0.77227),
    0.2: (0.64094, 0.46099, 0.77147),
    0.4: (0.64530, 0.46046, 0.77006),
    0.6: (0.64979, 0.45840, 0.76777),
    0.8: (0.65336, 0.45631, 0.76548),
    1: (0.65568, 0.45533, 0.76390),
    5: (0.66314, 0.45375, 0.76243),
    10: (0.66284, 0.45402, 0.76263),
    15: (0.66280, 0.45440, 0.76272),
    20: (0.66255, 0.45429, 0.76245),
    30: (0.66237, 0.45467, 0.76267),
    40: (0.66201, 0.45512, 0.76297),
    50: (0.66239, 0.45508, 0.76227),
    75: (0.66241, 0.45507, 0.76201),
    100: (0.66224, 0.45426, 0.76224),
}

ALGORITHMS = {f"top-{percent}%": transferred(percent=float(percent)) for percent in _OF_TEST}

TABLE = Table(
    title="Mohan 2010, table 5.1: documents of a source that a classifier takes for the target's",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(
        list(ALGORITHMS),
        {"yahoo2": dict(zip(ALGORITHMS, _OF_TEST.values(), strict=True))},
        data=list(SOURCES),
    ),
    sources=SOURCES,
    notes=(
        f"{NOTES} All forests see the shared features alone. Classifiers are forests of 100 trees on five "
        "folds of the source's queries. The thesis's finding: it does not help, and the more documents, "
        "the worse."
    ),
)
