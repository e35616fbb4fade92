"""Figure 6.2: cost-aware SGBRT, measure by cost as it grows."""

from bench.papers.mohan2010._costs import BOOSTED
from bench.papers.mohan2010.figure_6_1 import figure

TABLE = figure(
    "Mohan 2010, figure 6.2: cost-aware SGBRT",
    BOOSTED,
    1000,
    "The thesis's findings: lambda = 1 peaks at a sixth of the cost, a little lower; it is cheaper and "
    "better than cost-aware forests; exits have no effect on precision and AUC.",
)
