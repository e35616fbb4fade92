"""The K that section 5.3 varies: features looked at for each split, of M."""

from bench.papers.declare import Algorithm
from bench.papers.ibrahim2020 import forest

#: What a paper's K is in `max_features`, by the name of the setting.
SETTINGS: dict[str, str | float | None] = {
    "log2(M)+1": "breiman",
    "sqrt(M)": "sqrt",
    "M/4": 0.25,
    "M/2": 0.5,
    "3M/4": 0.75,
    "M": None,
}


def forests(variant: str, settings: tuple[str, ...] = tuple(SETTINGS)) -> dict[str, Algorithm]:
    """Return a forest for each setting of K."""
    return {f"K={name}": forest(variant, max_features=SETTINGS[name]) for name in settings}
