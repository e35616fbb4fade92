"""Table 2.1: what stands for missing values in forests."""

from bench.papers.declare import Table
from bench.papers.mohan2010 import PAPER, forest, published

ALGORITHMS = {
    "0": forest(missing="-inf", zero_is_missing=True),
    "1": forest(missing="inf", zero_is_missing=True),
    "mean": forest(missing="mean", zero_is_missing=True),
    "median": forest(missing="median", zero_is_missing=True),
    "3-way split": forest(missing="third", zero_is_missing=True),
    "predict": forest(predict_missing=True, zero_is_missing=True),
    "learned direction": forest(missing="learn", zero_is_missing=True),
}

#: RMSE, ERR, NDCG@10 on the test set.
_OF_TEST = {
    "yahoo1": {
        "0": (0.74791, 0.46304, 0.77733),
        "1": (0.74979, 0.46247, 0.77643),
        "mean": (0.78517, 0.45989, 0.77026),
        "median": (0.79631, 0.45955, 0.76899),
        "3-way split": (0.75089, 0.46241, 0.77515),
    },
    "yahoo2": {
        "0": (0.63529, 0.46194, 0.77447),
        "1": (0.63612, 0.46187, 0.77232),
        "mean": (0.64761, 0.46207, 0.77386),
        "median": (0.65247, 0.46198, 0.77207),
        "3-way split": (0.64066, 0.45911, 0.76755),
        "predict": (0.76598, 0.43697, 0.70330),
    },
}

TABLE = Table(
    title="Mohan 2010, table 2.1: what stands for missing values",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), _OF_TEST),
    notes=(
        "Forests of 1,000 full trees, 10 % of the features for each split (the thesis does not say how "
        "many trees). A value of 0 is missing: Yahoo's text leaves such features out, and the "
        "shares of missing values that table 1.1 gives for MSLR are those of its zeros, as far as its "
        "sample tells. In LETOR's sets 0 is also the least value of each query. 0 and 1 stand for "
        "minus and plus infinity. 'predict' is algorithm 2 (`MissingFiller`), fitted on the training data "
        "alone, where the thesis fits it on each set. The learned direction is ours. The "
        "thesis's finding: 0 is best, three ways and predictions do not work well."
    ),
)
