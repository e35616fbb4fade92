"""T. Qin and T.-Y. Liu, "Introducing LETOR 4.0 datasets", arXiv 1306.2597, 2013: the baselines that were
published with the data.

A module `table_N` has what belongs to one table in `TABLE`; this one has what they share.
"""  # noqa: D205  # a reference, not a sentence

from bench.papers.declare import DataSet, Paper, Parts

PAPER = Paper(
    title="LETOR 4.0",
    data={
        "mq2008": DataSet(
            "MQ2008",
            {"ndcg@10": "ndcg@10(preset=letor4)", "map": "map(preset=letor4)"},
            parts=Parts("S{}.txt", first_test=5),
        )
    },
    notes="Measures are those of the script that comes with the data, means over its five folds.",
)
