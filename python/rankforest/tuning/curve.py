"""How good the best of k trials is, on data that chose it and on data that did not."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def expected_of_best(chooser: Floats, value: Floats, *, maximize: bool) -> Floats:
    """Return the expected `value` of the trial that is best by `chooser` among 1, 2, ..., n trials.

    The k trials are drawn at random, without replacement, of all n. With the trials in order from
    the best on, the i-th (from 0 on) is the best of the k with probability
    C(n - 1 - i, k - 1) / C(n, k). Of equally good trials each is as likely to be taken, so all have
    the mean value of theirs. This is what the mean of endlessly many draws tends to, of which
    Ganjisaffar et al. 2011 took 10,000 for figure 1.

    Parameters
    ----------
    chooser, value : ndarray of float64, shape (n,)
        Two measures of each trial.
    maximize : bool
        Whether more is better by `chooser`.

    Returns
    -------
    ndarray of float64, shape (n,)
        For k = 1, ..., n.
    """
    n = len(chooser)
    order = np.argsort(-chooser if maximize else chooser, kind="stable")
    _, group, sizes = np.unique(chooser, return_inverse=True, return_counts=True)
    shared = (np.bincount(group, weights=value) / sizes)[group][order]
    k = np.arange(1, n + 1, dtype=np.float64)
    chance = k / n  # of i = 0
    expected = np.zeros(n)
    for i in range(n):
        expected += chance * shared[i]
        if i + 1 < n:
            chance = chance * np.maximum(n - k - i, 0.0) / (n - 1 - i)
    return expected
