"""Figure 2: LambdaMART as trees are added, on the training sets."""

from bench.papers.blmart2011.figure_2 import curve

TABLE = curve("train")
