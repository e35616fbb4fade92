"""Figure 6.1: cost-aware forests, measure by cost as they grow."""

from bench.papers.declare import Algorithm, Table
from bench.papers.mohan2010 import published
from bench.papers.mohan2010._costs import FORESTS, RELEVANT, metrics, paper
from bench.papers.tree_curves import Curves

NAMES = tuple(metrics("yahoo1"))


def figure(title: str, algorithms: dict[str, Algorithm], most: int, finding: str) -> Table:
    """Return a figure of models of so many trees."""
    sizes = [
        size for size in (1, 10, 50, 100, 200, 300, 500, 750, 1000, 1500, 2000) if size <= most
    ]
    curves = Curves(sizes, NAMES, cost="cost")
    return Table(
        title=title,
        paper=paper(lambda key: curves.spelled({**metrics(key), "cost": "cost"})),
        algorithms=algorithms,
        published=published(
            list(algorithms), {}, len(sizes) * (len(NAMES) + 1), data=list(RELEVANT)
        ),
        layout=curves,
        drawing=curves.draw,
        notes=f"Columns are numbers of trees; a cell is the measure \\ the mean cost of a document. {finding}",
    )


TABLE = figure(
    "Mohan 2010, figure 6.1: cost-aware forests",
    FORESTS,
    2000,
    "The thesis's findings: lambda = 1 reaches its precision and AUC at a fifth of the cost and loses "
    "nothing; exits do not change them, and lower the partial AUC.",
)
