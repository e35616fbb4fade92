"""Table 2: mean average precision of the four instances and the baselines."""

from bench.papers.broof2016._values import table

TABLE = table(2, "map")
