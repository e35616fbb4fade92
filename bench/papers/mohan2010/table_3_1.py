"""Table 3.1: how the probabilities of grades make a score."""

from bench.papers.declare import Table
from bench.papers.mohan2010 import PAPER, forest, published

ALGORITHMS = {
    "F(c)=c": forest(ordinal=True),
    "F(c)=c^2": forest(ordinal=True, ordinal_scoring="square"),
    "F(c)=2^c": forest(ordinal=True, ordinal_scoring="exp2"),
}

#: RMSE, ERR, NDCG@10 on the test set.
_OF_TEST = {
    "yahoo1": {
        "F(c)=c": (0.74884, 0.46280, 0.77705),
        "F(c)=c^2": (2.04136, 0.46219, 0.77204),
        "F(c)=2^c": (2.29483, 0.46174, 0.77178),
    },
    "yahoo2": {
        "F(c)=c": (0.63736, 0.46113, 0.77157),
        "F(c)=c^2": (1.71985, 0.45884, 0.75979),
        "F(c)=2^c": (2.03567, 0.45884, 0.76069),
    },
}

TABLE = Table(
    title="Mohan 2010, table 3.1: what a grade counts in learning by classification",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), _OF_TEST),
    notes=(
        "Forests of 1,000 full trees for each problem P(grade <= c), 10 % of the features for each split. "
        "RMSE compares where F(c) = c alone. The thesis's finding: F(c) = c is best throughout."
    ),
)
