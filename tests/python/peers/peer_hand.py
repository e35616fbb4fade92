"""Values that other systems give by their scripts and sources, worked out by hand.

They do not install from PyPI: the scripts of LETOR and MSLR-WEB, RankLib, QuickRank, rankeval.
"""

from __future__ import annotations

from dataclasses import dataclass

L3 = 1.584962500721156  # log2(3): the discount of rank 2 in most systems, of rank 3 in LETOR's


@dataclass(frozen=True)
class Hand:
    """One metric of some queries, whose documents are in the order of their scores."""

    case: str  #: of peer_cases.CASES
    metric: str
    queries: tuple[tuple[float, ...], ...]  #: grades
    expected: float | str  #: or what the error says that refuses these grades
    tied: bool = False  #: whether all scores of a query are equal

    @property
    def preset(self) -> str:
        return self.metric.partition("preset=")[2].removesuffix(")")


HAND = (
    # LETOR 3.0 and 4.0: gains 0, 1, 3; discounts 1, 1, 1 / log2(3), 1 / 2. The ideal order of grades
    # 1, 0, 2, 1 is 2, 1, 1, 0.
    Hand(
        "distinct scores", "ndcg@4(preset=letor3)", ((1, 0, 2, 1),), (1.5 + 3 / L3) / (4 + 1 / L3)
    ),
    Hand(
        "distinct scores", "ndcg@4(preset=letor4)", ((1, 0, 2, 1),), (1.5 + 3 / L3) / (4 + 1 / L3)
    ),
    # NDCG@1 = 1 / 3, NDCG@2 = 1 / 4, then (1 + 3 / log2(3)) / (4 + 1 / log2(3)), then the above.
    Hand(
        "distinct scores",
        "meanndcg(preset=letor4)",
        ((1, 0, 2, 1),),
        (1 / 3 + 1 / 4 + (1 + 3 / L3) / (4 + 1 / L3) + (1.5 + 3 / L3) / (4 + 1 / L3)) / 4,
    ),
    # Relevant at ranks 1, 3 and 4.
    Hand("distinct scores", "map(preset=letor3)", ((1, 0, 2, 1),), (1 + 2 / 3 + 3 / 4) / 3),
    Hand("distinct scores", "map(preset=letor4)", ((1, 0, 2, 1),), (1 + 2 / 3 + 3 / 4) / 3),
    # The order of lines puts grade 0 first.
    Hand("ties", "ndcg@1(preset=letor3)", ((0, 2),), 0, tied=True),
    Hand("ties", "ndcg@1(preset=letor4)", ((0, 2),), 0, tied=True),
    Hand("ties", "map(preset=letor3)", ((0, 2),), 1 / 2, tied=True),
    Hand("ties", "map(preset=letor4)", ((0, 2),), 1 / 2, tied=True),
    # 1 and 0.
    Hand("empty queries", "ndcg@1(preset=letor3)", ((2, 0), (0, 0)), 1 / 2),
    Hand("empty queries", "ndcg@1(preset=letor4)", ((2, 0), (0, 0)), 1 / 2),
    Hand("empty queries", "map(preset=letor4)", ((2, 0), (0, 0)), 1 / 2),
    Hand("single documents", "ndcg@1(preset=letor3)", ((2,), (0,)), 1 / 2),
    Hand("single documents", "ndcg@1(preset=letor4)", ((2,), (0,)), 1 / 2),
    # LETOR 4.0 has no NDCG@10 of three documents, and counts it as 0 in the mean; P divides by k.
    Hand("k > n", "ndcg@10(preset=letor3)", ((0, 2, 1),), (3 + 1 / L3) / (3 + 1)),
    Hand("k > n", "ndcg@10(preset=letor4)", ((0, 2, 1),), 0),
    Hand("k > n", "p@10(preset=letor3)", ((0, 2, 1),), 2 / 10),
    Hand("k > n", "p@10(preset=letor4)", ((0, 2, 1),), 2 / 10),
    Hand("real grades", "ndcg@1(preset=letor3)", ((0.5, 2),), "must be a whole"),
    Hand("real grades", "ndcg@1(preset=letor4)", ((0.5, 2),), "must be a whole"),
    Hand("large grades", "ndcg@1(preset=letor3)", ((3, 2),), "from 0 to 2"),
    Hand("large grades", "ndcg@1(preset=letor4)", ((3, 2),), "from 0 to 2"),
    # MSLR-WEB: gains 0, 1, 3, 7, 15, the same discounts; relevant from grade 2 on.
    Hand(
        "distinct scores", "ndcg@4(preset=mslr)", ((1, 0, 4, 2),), (2.5 + 15 / L3) / (18 + 1 / L3)
    ),
    Hand("distinct scores", "map(preset=mslr)", ((1, 0, 4, 2),), (1 / 3 + 2 / 4) / 2),
    Hand("ties", "ndcg@1(preset=mslr)", ((0, 2),), 0, tied=True),
    Hand("empty queries", "ndcg@1(preset=mslr)", ((2, 0), (0, 0)), 1 / 2),
    Hand("empty queries", "map(preset=mslr)", ((2, 0), (1, 1)), 1 / 2),
    Hand("single documents", "ndcg@1(preset=mslr)", ((4,), (0,)), 1 / 2),
    Hand("k > n", "ndcg@10(preset=mslr)", ((0, 2, 1),), (3 + 1 / L3) / (3 + 1)),
    Hand("k > n", "p@10(preset=mslr)", ((0, 2, 1),), 1 / 10),
    Hand("real grades", "ndcg@1(preset=mslr)", ((0.5, 2),), "must be a whole"),
    Hand("large grades", "ndcg@1(preset=mslr)", ((5, 2),), "from 0 to 4"),
    # RankLib: gains 2^grade - 1, discounts 1 / log2(rank + 1). The third document is at 1 / 2.
    Hand("distinct scores", "ndcg@3(preset=ranklib)", ((1, 0, 2),), (1 + 3 / 2) / (3 + 1 / L3)),
    # A user stops at the first document with probability 1 / 16, at the third with 3 / 16.
    Hand("distinct scores", "err@3(preset=ranklib)", ((1, 0, 2),), 1 / 16 + 15 / 16 * 3 / 16 / 3),
    Hand("distinct scores", "map(preset=ranklib)", ((1, 0, 2),), (1 + 2 / 3) / 2),
    Hand("distinct scores", "mrr(preset=ranklib)", ((0, 0, 2),), 1 / 3),
    Hand("ties", "ndcg@2(preset=ranklib)", ((0, 2),), 1 / L3, tied=True),
    Hand("empty queries", "ndcg@2(preset=ranklib)", ((2, 0), (0, 0)), 1 / 2),
    Hand("single documents", "ndcg@2(preset=ranklib)", ((3,), (0,)), 1 / 2),
    Hand("k > n", "ndcg@10(preset=ranklib)", ((1, 0, 2),), (1 + 3 / 2) / (3 + 1 / L3)),
    Hand("k > n", "p@10(preset=ranklib)", ((1, 0, 2),), 2 / 3),
    # 1.9 and 1.2 are both cut to 1.
    Hand("real grades", "dcg@2(preset=ranklib)", ((1.9, 1.2),), 1 + 1 / L3),
    # RankLib's 32 bits overflow from 32 on: the gain of 32 is 0 there.
    Hand("grades above 31", "ndcg@1(preset=ranklib)", ((32, 33),), (2**32 - 1) / (2**33 - 1)),
    # QuickRank: the same, and MAP@k over the relevant documents in the first k.
    Hand("distinct scores", "ndcg@3(preset=quickrank)", ((1, 0, 2),), (1 + 3 / 2) / (3 + 1 / L3)),
    Hand("distinct scores", "map@2(preset=quickrank)", ((0, 1, 2),), 1 / 2),
    Hand("ties", "ndcg@2(preset=quickrank)", ((0, 2),), 1 / L3, tied=True),
    Hand("empty queries", "ndcg@2(preset=quickrank)", ((2, 0), (0, 0)), 1 / 2),
    Hand("single documents", "ndcg@2(preset=quickrank)", ((3,), (0,)), 1 / 2),
    Hand("k > n", "map@10(preset=quickrank)", ((1, 0, 2),), (1 + 2 / 3) / 2),
    Hand("real grades", "dcg@1(preset=quickrank)", ((0.5, 1),), 2**0.5 - 1),
    Hand("large grades", "dcg@1(preset=quickrank)", ((20, 1),), 2**20 - 1),
    # rankeval: the same gains and discounts; the last line of a tie first; an empty query is 1.
    Hand("distinct scores", "ndcg@3(preset=rankeval)", ((1, 0, 2),), (1 + 3 / 2) / (3 + 1 / L3)),
    # The query's highest grade is 2: a user stops with probability 1 / 4, then 3 / 4.
    Hand("distinct scores", "err(preset=rankeval)", ((1, 0, 2),), 1 / 4 + 3 / 4 * 3 / 4 / 3),
    Hand("ties", "ndcg@2(preset=rankeval)", ((2, 0),), 1 / L3, tied=True),
    Hand("empty queries", "ndcg@1(preset=rankeval)", ((0, 2), (0, 0)), 1 / 2),
    Hand("empty queries", "err(preset=rankeval)", ((0, 1), (0, 0)), 1 / 2 / 2 / 2),
    Hand("single documents", "map(preset=rankeval)", ((0,),), 1),
    Hand("k > n", "p@10(preset=rankeval)", ((1, 0, 2),), 2 / 3),
    Hand("real grades", "dcg@2(preset=rankeval)", ((0.5, 1),), 0.5 + 1 / L3),
    Hand("large grades", "ndcg@1(preset=rankeval)", ((20, 30),), (2**20 - 1) / (2**30 - 1)),
)
