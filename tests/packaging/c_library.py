"""The C library as ctypes sees it."""

import ctypes
import os
from pathlib import Path

import numpy as np


class Ranked(ctypes.Structure):
    _fields_ = (("document", ctypes.c_size_t), ("score", ctypes.c_double))


class Limits(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_size_t),
        ("exit_every", ctypes.c_uint32),
        ("exit_demote", ctypes.c_uint32),
        ("exit_fraction", ctypes.c_double),
        ("has_budget", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("budget", ctypes.c_double),
        ("tree_cost", ctypes.c_double),
        ("feature_costs", ctypes.c_void_p),
        ("should_stop", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)),
        ("context", ctypes.c_void_p),
    )

    def __init__(self, **fields) -> None:
        super().__init__(**{"size": ctypes.sizeof(Limits)} | fields)


class Library:
    """The functions of the header, with their types. A failing call returns its error."""

    def __init__(self, path: Path) -> None:
        self.functions = ctypes.CDLL(os.fspath(path))
        size, pointer, text = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p
        out = ctypes.POINTER(pointer)
        documents = [pointer, pointer, size, size]
        error = [text, size]
        self.version = self._function("version", text)
        self.load_ = self._function("load", ctypes.c_int, text, out, *error)
        self.load_memory_ = self._function("load_memory", ctypes.c_int, pointer, size, out, *error)
        self.free = self._function("free", None, pointer)
        self.n_features = self._function("n_features", size, pointer)
        self.n_trees = self._function("n_trees", size, pointer)
        self.n_rounds = self._function("n_rounds", size, pointer)
        self.needs_queries = self._function("needs_queries", ctypes.c_int, pointer)
        self.feature_name = self._function("feature_name", text, pointer, size)
        self.check_features_ = self._function(
            "check_features", ctypes.c_int, pointer, pointer, size, *error
        )
        self.score_ = self._function("score", ctypes.c_int, *documents, pointer, *error)
        self.top_ = self._function(
            "top", ctypes.c_int, *documents, size, pointer, ctypes.POINTER(size), *error
        )
        self.score_within_ = self._function(
            "score_within", ctypes.c_int, pointer, pointer, *documents[1:], *[pointer] * 3, *error
        )

    def _function(self, name, result, *arguments):
        function = getattr(self.functions, f"rankforest_{name}")
        function.restype, function.argtypes = result, arguments
        return function

    def load(self, path, size=300):
        """Return status, scorer and error."""
        scorer, error = ctypes.c_void_p(1), ctypes.create_string_buffer(b"?", size)
        status = self.load_(os.fsencode(path), scorer, error, size)
        return status, scorer, error.value.decode()

    def load_memory(self, data):
        scorer, error = ctypes.c_void_p(1), ctypes.create_string_buffer(300)
        status = self.load_memory_(data, len(data), scorer, error, 300)
        return status, scorer, error.value.decode()

    def score(self, scorer, X, stride=None):
        """Return status, scores and error."""
        scores = np.full(len(X), np.nan)
        error = ctypes.create_string_buffer(b"?", 300)
        stride = X.strides[0] // X.itemsize if stride is None else stride
        status = self.score_(scorer, X.ctypes.data, len(X), stride, scores.ctypes.data, error, 300)
        return status, scores, error.value.decode()

    def check_features(self, scorer, names):
        """Return status and error."""
        error = ctypes.create_string_buffer(b"?", 300)
        array = (ctypes.c_char_p * len(names))(*names)
        return self.check_features_(scorer, array, len(names), error, 300), error.value.decode()

    def top(self, scorer, X, k):
        """Return status, pairs of document and score, and error."""
        best, n_found = (Ranked * k)(), ctypes.c_size_t(99)
        error = ctypes.create_string_buffer(b"?", 300)
        stride = X.strides[0] // X.itemsize
        status = self.top_(scorer, X.ctypes.data, len(X), stride, k, best, n_found, error, 300)
        found = [(best[i].document, best[i].score) for i in range(n_found.value)]
        return status, found, error.value.decode()

    def score_within(self, scorer, X, limits):
        """Return status, scores, rounds, cost and error."""
        scores, rounds = np.full(len(X), np.nan), np.full(len(X), 999, np.uint32)
        cost, error = ctypes.c_double(-1.0), ctypes.create_string_buffer(b"?", 300)
        out = (scores.ctypes.data, rounds.ctypes.data, ctypes.byref(cost))
        status = self.score_within_(
            scorer, ctypes.byref(limits), X.ctypes.data, len(X), X.shape[1], *out, error, 300
        )
        return status, scores, rounds, cost.value, error.value.decode()
