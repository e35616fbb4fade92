"""Figure 3: BROOF-gradient by out-of-bag predictions and by those of all trees."""

from bench.papers.broof2016 import broof, paper, published
from bench.papers.broof2016.figure_1 import CURVES, ITERATIONS, MEASURES
from bench.papers.declare import Algorithm, Table


def _gradient(validation_set: str) -> Algorithm:
    return broof("gradient", validation_set=validation_set, early_stopping_rounds=None, max_iter=20)


ALGORITHMS = {"out-of-bag": _gradient("out_of_bag"), "train": _gradient("train")}

TABLE = Table(
    title="BROOF 2016, figure 3: out-of-bag against training predictions",
    paper=paper(MEASURES),
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), n_measures=len(ITERATIONS)),
    layout=CURVES,
    drawing=CURVES.draw,
    notes=(
        "Which predictions residues, and the error that ends training, are taken of. The paper's "
        "finding: out-of-bag predictions are better at every number of iterations."
    ),
)
