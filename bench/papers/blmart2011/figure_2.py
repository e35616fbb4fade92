"""Figure 2: LambdaMART as trees are added, on the validation sets."""

from bench.papers.blmart2011 import MOST_ROUNDS, NONE, NOTES, PAPER, TUNED
from bench.papers.declare import Algorithm, Axis, Table

ROUNDS = (10, 20, 50, 100, 200, 500, 1000, 2000)


def curve(measured_on: str) -> Table:
    """Return the curve on the sets of one kind."""
    names = {str(rounds): f"{rounds} trees" for rounds in ROUNDS}
    return Table(
        title=f"BL-MART 2011, figure 2: trees of LambdaMART, {measured_on} sets",
        paper=PAPER,
        algorithms={
            name: Algorithm(
                "FirstRounds",
                {"n_estimators": MOST_ROUNDS, "rounds": int(rounds)},
                random=False,
                by_data={
                    data: {"parameters": {"metric": "ndcg@10", **tuned}}
                    for data, tuned in TUNED.items()
                },
            )
            for rounds, name in names.items()
        },
        published={data: dict.fromkeys(names.values(), NONE) for data in TUNED},
        measured_on=measured_on,
        axis=Axis(
            "trees",
            {name: rounds for rounds, name in names.items()},
            {name: float(rounds) for rounds, name in names.items()},
        ),
        notes=(
            f"{NOTES} Here training does not stop early, and the model is trained once for each fold. "
            "The paper's finding: NDCG@3 goes on rising on the training sets, has its maximum on the "
            "validation sets after a few hundred trees, and hardly drops there up to 2,000."
        ),
    )


TABLE = curve("valid")
