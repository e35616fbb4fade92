"""Table 7: the K that was best on the validation sets of the large data sets, on their test sets."""

from bench.papers.declare import Table
from bench.papers.ibrahim2020 import PAPER
from bench.papers.ibrahim2020._varying_k import forests

TABLE = Table(
    title="Ibrahim 2020, table 7: the best K of the validation sets, on test sets",
    paper=PAPER,
    algorithms=forests("rf-point-regression", ("log2(M)+1", "M/4")),
    published={  # NDCG@10, ERR, MAP
        "mslr": {"K=log2(M)+1": (0.4510, 0.3498, 0.3570), "K=M/4": (0.4622, 0.3624, 0.3636)},
        "yahoo": {"K=log2(M)+1": (0.7542, 0.4602, 0.6281), "K=M/4": (0.7606, 0.4641, 0.6338)},
    },
    notes=(
        "500 unpruned regression trees, each on 63.2 % of the queries, drawn without replacement; the "
        "paper does not state the share. K features for each split, of M."
    ),
)
