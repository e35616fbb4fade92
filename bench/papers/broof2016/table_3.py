"""Table 3: NDCG@10 of the four instances and the baselines."""

from bench.papers.broof2016._values import table

TABLE = table(3, "ndcg@10")
