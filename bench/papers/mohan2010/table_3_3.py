"""Table 3.3: expected relevance beside weights by least squares."""

from bench.papers.declare import Table
from bench.papers.mohan2010 import PAPER, published
from bench.papers.mohan2010.table_3_2 import ALGORITHMS

#: RMSE, ERR, NDCG@10 on the test set.
_OF_TEST = {
    "yahoo1": {
        "expected relevance": (0.74884, 0.46280, 0.77705),
        "training": (0.75028, 0.46275, 0.77675),
        "validation": (0.74670, 0.46269, 0.77696),
        "training+val": (0.74981, 0.46278, 0.77676),
    },
    "yahoo2": {
        "expected relevance": (0.63736, 0.46113, 0.77157),
        "training": (0.63972, 0.46115, 0.77136),
        "validation": (0.63585, 0.46112, 0.77258),
        "training+val": (0.63727, 0.46123, 0.77144),
    },
}

TABLE = Table(
    title="Mohan 2010, table 3.3: expected relevance and weights by least squares",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), _OF_TEST),
    notes=(
        "Forests of 1,000 full trees for each problem, 10 % of the features for each split. The thesis's "
        "finding: the weights change little, and nothing fancier than expected relevance is worth it."
    ),
)
