#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "callbacks.hpp"
#include "ensemble_arrays.hpp"
#include "interrupt.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/isa.hpp"
#include "rankforest/score/isa_environment.hpp"
#include "rankforest/score/limited.hpp"
#include "rankforest/score/limits.hpp"
#include "rankforest/score/provider.hpp"
#include "rankforest/score/top.hpp"

namespace rankforest::bindings {

namespace {

Isa RequireIsa(const std::string& isa) {
  if (isa == "best") return IsaOfEnvironment();
  try {
    return ParseIsa(isa);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("isa: " + std::string(error.what()));
  }
}

CompiledScorer Compile(const Ensemble& ensemble, const std::string& isa) {
  const Isa parsed = RequireIsa(isa);
  const py::gil_scoped_release release;
  return CompiledScorer(ensemble, parsed);
}

py::array_t<double> PredictCompiled(const CompiledScorer& scorer, const Array<float>& features,
                                    const std::optional<Array<QueryId>>& codes, int n_jobs) {
  const FeatureMatrix matrix = ViewMatrix(features, "features");
  const Span<const QueryId> query_of_row =
      codes ? View(*codes, "query_codes") : Span<const QueryId>();
  const Threads threads = RequireThreads(n_jobs);
  std::vector<double> scores;
  {
    const ReleaseForLongWork release(scorer.Seconds(matrix.n_rows));
    scores = scorer.Score(matrix, query_of_row, threads);
  }
  return ToArray(scores);
}

/// Rounds the values of rows to float32. None if one is finite and may be too large for it.
std::optional<std::vector<float>> Narrowed(const Array<double>& rows) {
  constexpr double kMost = std::numeric_limits<float>::max();
  std::vector<float> narrow(static_cast<std::size_t>(rows.size()));
  float* out = narrow.data();
  bool fits = true;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    const double* row = rows.data(i, 0);
    for (py::ssize_t j = 0; j < rows.shape(1); ++j) {
      const double size = std::abs(row[j]);
      fits &= !(size > kMost) | (size > std::numeric_limits<double>::max());
      *out++ = static_cast<float>(row[j]);
    }
  }
  if (!fits) return std::nullopt;
  return narrow;
}

/// The scores of up to `most` documents, on this thread, if they are rows of a plain float32 or
/// float64 array with which nothing is wrong; else None. Spares a query, or one document, what it
/// costs to find out what else an object may be.
std::optional<py::array_t<double>> PredictFew(const CompiledScorer& scorer, const py::object& rows,
                                              py::ssize_t most) {
  const bool is_wide = HoldsRowsOf<double>(rows);
  if (scorer.needs_queries() || !(is_wide || HoldsRowsOf<float>(rows))) return std::nullopt;
  const auto array = py::reinterpret_borrow<py::array>(rows);
  if (array.size() == 0 || array.shape(0) > most || array.shape(1) != scorer.n_features()) {
    return std::nullopt;
  }
  std::optional<std::vector<float>> narrow;
  FeatureMatrix matrix;
  if (is_wide) {
    narrow = Narrowed(py::reinterpret_borrow<Array<double>>(rows));
    if (!narrow.has_value()) return std::nullopt;
    const auto n_features = static_cast<std::size_t>(array.shape(1));
    matrix = {narrow->data(), static_cast<std::size_t>(array.shape(0)), n_features, n_features};
  } else {
    matrix = ViewMatrix(py::reinterpret_borrow<Array<float>>(rows), "rows");
  }
  py::array_t<double> scores(array.shape(0));
  const Span<double> places(scores.mutable_data(), matrix.n_rows);
  {
    const ReleaseForLongWork release(scorer.Seconds(matrix.n_rows));
    scorer.Score(matrix, places);
  }
  return scores;
}

/// (every, fraction, scope, demote), as rankforest.EarlyExit has checked them.
using Exit = std::tuple<std::uint32_t, double, std::string, bool>;

ScoreLimits Limits(const std::optional<Exit>& early_exit, const std::optional<py::dict>& exits,
                   std::optional<double> budget, double tree_cost,
                   std::vector<double> feature_costs, std::vector<std::uint32_t> groups,
                   const std::optional<py::function>& should_stop) {
  ScoreLimits limits;
  if (exits.has_value()) limits.exits = ExitsFromDict(*exits);
  if (early_exit.has_value()) {
    const auto& [every, fraction, scope, demote] = *early_exit;
    limits.early_exit =
        EarlyExit{every, fraction, scope == "set" ? ExitScope::kSet : ExitScope::kQuery, demote};
  }
  limits.budget = budget;
  limits.costs = {tree_cost, std::move(feature_costs), std::move(groups)};
  if (should_stop.has_value()) {
    limits.should_stop = [function = SharedFunction(*should_stop)] {
      const py::gil_scoped_acquire acquire;
      return py::bool_(function()).cast<bool>();
    };
  }
  return limits;
}

/// Returns (scores, rounds, number of evaluations, cost).
py::tuple PredictWithin(const CompiledScorer& scorer, const Array<float>& features,
                        const std::optional<Array<QueryId>>& codes, int n_jobs,
                        const ScoreLimits& limits) {
  const FeatureMatrix matrix = ViewMatrix(features, "features");
  const Span<const QueryId> query_of_row =
      codes ? View(*codes, "query_codes") : Span<const QueryId>();
  const Threads threads = RequireThreads(n_jobs);
  LimitedScores result;
  {
    const py::gil_scoped_release release;
    result = scorer.ScoreWithin(limits, matrix, query_of_row, threads);
  }
  return py::make_tuple(ToArray(result.scores), ToArray(result.rounds), result.report.n_evaluations,
                        result.report.cost);
}

/// Returns (rows, scores, offsets, number of evaluations).
py::tuple Top(const CompiledScorer& scorer, const Array<float>& features, std::size_t k,
              const std::optional<Array<QueryId>>& codes, int n_jobs) {
  const FeatureMatrix matrix = ViewMatrix(features, "features");
  const Span<const QueryId> query_of_row =
      codes ? View(*codes, "query_codes") : Span<const QueryId>();
  const Threads threads = RequireThreads(n_jobs);
  std::vector<std::size_t> rows;
  std::vector<double> scores;
  RankedQueries ranked;
  {
    const py::gil_scoped_release release;
    ranked = scorer.Top(matrix, k, query_of_row, threads);
    for (const RankedDocument& document : ranked.documents) {
      rows.push_back(document.row);
      scores.push_back(document.score);
    }
  }
  return py::make_tuple(ToArray(rows), ToArray(scores), ToArray(ranked.offsets),
                        ranked.n_evaluations);
}

/// Asks `provider`, a function of a feature's number and an array of documents, for an array of
/// float32. Returns (scores, rounds, evaluations, cost, requests, documents by feature).
py::tuple PredictLazily(const CompiledScorer& scorer, std::size_t n_documents,
                        const py::function& provider, const ScoreLimits& limits) {
  const auto ask = [&](FeatureId feature, Span<const std::size_t> documents, Span<float> values) {
    const auto answer =
        provider(feature, ToArray(std::vector<std::size_t>(documents.begin(), documents.end())))
            .cast<Array<float>>();
    const Span<const float> given = View(answer, "values");
    if (given.size() != values.size()) throw std::invalid_argument("values are too few or many");
    std::copy(given.begin(), given.end(), values.begin());
  };
  std::vector<double> scores(n_documents);
  const LazyReport report = scorer.ScoreLazily(n_documents, ask, limits, scores);
  return py::make_tuple(ToArray(scores), ToArray(report.rounds), report.n_evaluations, report.cost,
                        report.n_requests, ToArray(report.n_fetched));
}

}  // namespace

void BindScorer(py::module_& module) {
  py::class_<ScoreLimits>(module, "ScoreLimits", "When scoring ends before the last tree.")
      .def(py::init(&Limits), py::kw_only(), py::arg("early_exit"), py::arg("exits"),
           py::arg("budget"), py::arg("tree_cost"), py::arg("feature_costs"), py::arg("groups"),
           py::arg("should_stop"));
  py::class_<CompiledScorer>(module, "CompiledScorer", "An ensemble made ready for scoring.")
      .def(py::init(&Compile), py::arg("ensemble"), py::arg("isa") = "best",
           "isa: scalar, avx2, avx512, or best: what the environment variable RANKFOREST_ISA "
           "names,\n"
           "else the last of these that the processor has. Never changes a score.")
      .def_property_readonly("isa",
                             [](const CompiledScorer& scorer) { return IsaName(scorer.isa()); })
      .def("predict", &PredictCompiled, py::arg("features").noconvert(),
           py::arg("query_codes").noconvert(), py::arg("n_jobs"),
           "The bits of Ensemble.predict, and its arguments.")
      .def("predict_few", &PredictFew, py::arg("rows"), py::arg("most"),
           "The same of up to `most` documents, if they are rows of a plain array of float32 or\n"
           "float64 and nothing has to be converted or refused beyond rounding; else None.")
      .def("predict_within", &PredictWithin, py::arg("features").noconvert(),
           py::arg("query_codes").noconvert(), py::arg("n_jobs"), py::arg("limits"),
           "(scores, rounds of each, pairs evaluated, cost). query_codes: None for one query.")
      .def("top", &Top, py::arg("features").noconvert(), py::arg("k"),
           py::arg("query_codes").noconvert(), py::arg("n_jobs"),
           "(rows, scores, offsets, pairs evaluated) of the k best of each query, by code.")
      .def("predict_lazily", &PredictLazily, py::arg("n_documents"), py::arg("provider"),
           py::arg("limits"),
           "(scores, rounds of each, pairs evaluated, cost, requests, documents by feature).");
}

}  // namespace rankforest::bindings
