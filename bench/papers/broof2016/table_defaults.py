"""Which `error_normalization`, `learner_weight` and `learning_rate` BROOF has by default."""

from bench.papers.broof2016 import OURS, PAPER, broof, published
from bench.papers.declare import Table

_WEIGHTED = ("absolute", "median", "height")

ALGORITHMS = {
    **{
        f"{variant} {rule} eta {eta}": broof(variant, 20, learner_weight=rule, learning_rate=eta)
        for variant in _WEIGHTED
        for rule in ("beta", "log_inverse_beta")
        for eta in (0.1, 1.0)
    },
    **{
        f"{variant} log_inverse_beta eta 1.0, errors as they are": broof(
            variant,
            20,
            learner_weight="log_inverse_beta",
            learning_rate=1.0,
            error_normalization="none",
        )
        for variant in _WEIGHTED
    },
    **{f"gradient eta {eta}": broof("gradient", learning_rate=eta) for eta in (0.1, 0.3, 1.0)},
    "gradient eta 0.1, errors as they are": broof("gradient", error_normalization="none"),
}

TABLE = Table(
    title="BROOF 2016: what its defaults are chosen from",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), data=OURS),
    measured_on="valid",
    notes=(
        "Of no table of the paper, which weighs forests by beta, does not normalise errors and does not "
        "give eta. Measured on the validation sets, which also chose the number of iterations."
    ),
)
