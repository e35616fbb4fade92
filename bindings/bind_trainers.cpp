#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithms.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "callbacks.hpp"
#include "constraints.hpp"
#include "position_bias.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/train/bag_of.hpp"
#include "rankforest/train/initial_scores.hpp"
#include "rankforest/train/out_of_bag.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/run.hpp"
#include "settings.hpp"
#include "training_state.hpp"

namespace rankforest::bindings {
namespace {

std::vector<Watch> ToWatches(const py::list& watches, Threads threads) {
  std::vector<Watch> result;
  for (const py::handle& item : watches) {
    const auto [name, data, metrics] =
        item.cast<std::tuple<std::string, const Dataset*, py::list>>();
    Watch watch{name, data, {}};
    for (const py::handle& metric : metrics) {
      watch.metrics.push_back(ToWatchedMetric(metric, *data, threads));
    }
    result.push_back(std::move(watch));
  }
  return result;
}

/// Python's signals during a run. Where rounds are saved, an exception of theirs, such as that of
/// Ctrl-C, waits until the round is over, so that it can be saved.
class Signals {
 public:
  explicit Signals(bool waits) : waits_(waits) {}

  /// While a round ends.
  void Check() {
    Throw();  // where nothing is saved between rounds, after one more
    if (PyErr_CheckSignals() == 0) return;
    waiting_ = std::make_exception_ptr(py::error_already_set());
    if (!waits_) Throw();
  }

  /// Between rounds: throws what waited.
  void Throw() {
    if (waiting_ != nullptr) std::rethrow_exception(std::exchange(waiting_, nullptr));
  }

 private:
  bool waits_;
  std::exception_ptr waiting_;
};

/// After each round: lets Python see the round, its signals, and stop the run.
std::function<bool(const RoundReport&)> ToOnRound(const std::optional<py::function>& observer,
                                                  const std::vector<Watch>& watches,
                                                  Signals& signals) {
  const auto shared = observer ? std::optional(SharedFunction(*observer)) : std::nullopt;
  return [shared, &watches, &signals](const RoundReport& report) {
    const py::gil_scoped_acquire acquire;
    signals.Check();
    return !shared.has_value() || !(*shared)(ToDict(report, watches)).template cast<bool>();
  };
}

/// How often to save, and a function that gets the state.
using SavedBy = std::pair<std::size_t, py::function>;

Checkpoints ToCheckpoints(const std::optional<SavedBy>& saved_by, std::size_t n_features,
                          Signals& signals) {
  if (!saved_by) return {};
  if (saved_by->first == 0) throw std::invalid_argument("checkpoint must be each so many rounds");
  const auto save = [function = SharedFunction(saved_by->second),
                     n_features](const TrainingState& state) {
    const py::gil_scoped_acquire acquire;
    function(ToDict(state, n_features));
  };
  const auto poll = [&signals] {
    const py::gil_scoped_acquire acquire;
    signals.Throw();
  };
  return {saved_by->first, save, poll};
}

/// Scores that boosting starts from, in the order of the caller's rows: of the training data, and
/// of each watched set.
using ScoresOfRows = std::pair<Array<double>, std::vector<Array<double>>>;

/// Hands initial scores to the run and its watches.
std::vector<double> TakeInitialScores(const std::optional<ScoresOfRows>& scores,
                                      const Dataset& data, std::vector<Watch>& watches) {
  if (!scores.has_value()) return {};
  const auto& [of_training, of_watches] = *scores;
  if (of_watches.size() != watches.size()) {
    throw std::invalid_argument("there must be initial scores for each watched set");
  }
  for (std::size_t w = 0; w < watches.size(); ++w) {
    watches[w].initial_scores =
        InitialScores("eval_init_score of '" + watches[w].name + "'", *watches[w].data,
                      View(of_watches[w], "eval_init_score"));
  }
  return InitialScores("init_score", data, View(of_training, "init_score"));
}

/// Costs of groups, and the group of each feature.
using CostsOfFeatures = std::pair<Array<double>, Array<std::uint32_t>>;

FeatureCosts ToFeatureCosts(const CostsOfFeatures& arrays) {
  const Span<const double> costs = View(arrays.first, "feature_costs");
  const Span<const std::uint32_t> groups = View(arrays.second, "feature_costs");
  return {{costs.begin(), costs.end()}, {groups.begin(), groups.end()}};
}

py::list ToList(const std::vector<RoundReport>& history, const std::vector<Watch>& watches) {
  py::list list;
  for (const RoundReport& report : history) list.append(ToDict(report, watches));
  return list;
}

py::dict ToDict(const BagMember& member, const std::vector<Watch>& watches) {
  using namespace pybind11::literals;
  return py::dict("seed"_a = member.seed, "queries"_a = ToArray(member.queries),
                  "history"_a = ToList(member.history, watches),
                  "stopped_early"_a = member.stopped_early);
}

py::dict TrainFromPython(
    const std::string& name, const Dataset& data, const py::dict& settings, std::uint64_t seed,
    int n_jobs, const py::list& watches, std::size_t stopping_watch,
    const std::optional<py::function>& observer, const std::optional<py::function>& objective,
    const Ensemble& trained, const std::optional<ScoresOfRows>& initial_scores,
    const std::optional<py::function>& pair_weights, const std::optional<py::dict>& bag,
    const std::optional<CostsOfFeatures>& feature_costs,
    const std::optional<Ordinal>& trained_ordinal, const std::optional<SavedBy>& checkpoint,
    const std::optional<py::dict>& resumed, const std::optional<py::dict>& constraints,
    const py::dict& functions, const std::optional<PositionsOfRows>& positions) {
  const Algorithm& algorithm = FindAlgorithm(name);
  if (!functions.empty() && !algorithm.has_parts) {
    throw std::invalid_argument(name + " has no part that a function could replace");
  }
  const Threads threads = RequireThreads(n_jobs);
  std::vector<Watch> watched = ToWatches(watches, threads);
  std::vector<double> at_start = TakeInitialScores(initial_scores, data, watched);
  if (stopping_watch > 0 && stopping_watch >= watched.size()) {
    throw std::invalid_argument("stopping_watch must be the position of one of the " +
                                std::to_string(watched.size()) + " watches, got " +
                                std::to_string(stopping_watch));
  }
  MonitorSettings monitor;
  monitor.watches = watched;
  monitor.stopping_watch = stopping_watch;
  Signals signals(checkpoint.has_value());
  monitor.on_round = ToOnRound(observer, watched, signals);
  monitor.checkpoints = ToCheckpoints(checkpoint, data.n_features(), signals);
  RunOptions options{seed, threads, std::move(monitor), trained, std::move(at_start)};
  if (bag) options.bag = FromDict(BagSettings(), *bag);
  if (feature_costs) options.feature_costs = ToFeatureCosts(*feature_costs);
  if (constraints) options.constraints = ToConstraints(*constraints);
  options.trained_ordinal = trained_ordinal;
  if (resumed) options.resumed = ToTrainingState(*resumed, data.n_features());
  // Functions of the user's run one at a time.
  options.members_at_once = !objective && !pair_weights && functions.empty();
  Callbacks callbacks;
  if (objective) callbacks.objective = ToObjective(*objective);
  if (pair_weights) callbacks.pair_weights = ToPairFunction(*pair_weights);
  callbacks.functions = functions;
  if (positions) {
    if (!algorithm.learns_positions || bag) {
      throw std::invalid_argument("only LambdaMART, not in a bag, learns effects of positions");
    }
    callbacks.positions = StartLearning(*positions, data, options);
  }
  Trained made = algorithm.train(data, settings, callbacks, options);
  signals.Throw();
  py::list members;
  for (const BagMember& member : made.members) members.append(ToDict(member, watched));
  py::dict result;
  result["ensemble"] = py::cast(std::move(made.ensemble));
  result["history"] = ToList(made.history, watched);
  result["stopped_early"] = made.stopped_early;
  result["members"] = members;
  result["rounds_kept"] = made.rounds_kept;
  result["ordinal"] = made.ordinal;
  result["figures"] = py::cast(made.figures);
  if (callbacks.positions) {
    made.series["position_bias"] = callbacks.positions->After(made.rounds_kept);
  }
  result["series"] = py::cast(made.series);
  return result;
}

void RequireMembers(const std::vector<std::size_t>& members, std::size_t n_there) {
  for (const std::size_t i : members) {
    if (i < n_there) continue;
    throw std::invalid_argument("there is no member " + std::to_string(i) + " in a pool of " +
                                std::to_string(n_there));
  }
}

/// A model of some members of a pool.
Ensemble BagFromPython(const Ensemble& pool, const std::vector<std::size_t>& members,
                       const std::string& combine, std::size_t parts, std::size_t n_each) {
  const BagSettings settings = FromDict(BagSettings(), py::dict(py::arg("combine") = combine));
  if (members.empty()) throw std::invalid_argument("a bag must have a member");
  if (n_each == 0) throw std::invalid_argument("n_each must be >= 1, got 0");
  RequireMembers(members, pool.members.size() / n_each);
  const py::gil_scoped_release release;
  return BagOf(pool, members, settings.combine, parts, n_each);
}

/// What a model of some members of a pool of ordinal models keeps of their problems.
Ordinal BagOfOrdinalsFromPython(const Ordinal& pool, const std::vector<std::size_t>& members,
                                std::size_t parts) {
  RequireMembers(members, pool.parts.size() / pool.n_problems());
  return BagOf(pool, members, parts);
}

/// Out-of-bag scores of a forest's training documents, in the caller's order.
py::array_t<double> OutOfBagFromPython(const Dataset& data, const py::dict& settings,
                                       std::uint64_t seed, const Ensemble& forest, int n_jobs) {
  const Threads threads = RequireThreads(n_jobs);
  const Sampler sampler = SamplerOf(FromDict(RandomForestDefaults(), settings).sample);
  std::vector<double> scores(data.n_documents());
  {
    const py::gil_scoped_release release;
    const std::vector<double> ordered = OutOfBagScores(sampler, data, Rng(seed), forest, threads);
    for (std::size_t d = 0; d < ordered.size(); ++d) scores[data.order()[d]] = ordered[d];
  }
  return ToArray(scores);
}

}  // namespace

void BindTrainers(py::module_& module) {
  module.def(
      "default_settings", [](const std::string& name) { return FindAlgorithm(name).defaults(); },
      py::arg("algorithm"), "The parameters of an algorithm and their defaults.");
  module.def(
      "default_bag_settings", [] { return ToDict(BagSettings()); },
      "How a bag of models is trained and combined by default.");
  module.def(
      "bag_of", &BagFromPython, py::arg("pool"), py::kw_only(), py::arg("members"),
      py::arg("combine"), py::arg("parts") = 1, py::arg("n_each") = 1,
      "The model of some members of a pool that train() made, in this order. parts: n where\n"
      "the pool is itself a mean of n members. n_each: the ensemble's members that make one.");
  module.def("bag_of_ordinals", &BagOfOrdinalsFromPython, py::arg("pool"), py::kw_only(),
             py::arg("members"), py::arg("parts") = 1,
             "What such a model of ordinal models keeps of their problems.");
  module.def(
      "train", &TrainFromPython, py::arg("algorithm"), py::arg("data"), py::arg("settings"),
      py::kw_only(), py::arg("seed"), py::arg("n_jobs"), py::arg("watches"),
      py::arg("stopping_watch") = 0, py::arg("observer"), py::arg("objective"),
      py::arg("trained") = Ensemble(), py::arg("initial_scores") = py::none(),
      py::arg("pair_weights") = py::none(), py::arg("bag") = py::none(),
      py::arg("feature_costs") = py::none(), py::arg("trained_ordinal") = py::none(),
      py::arg("checkpoint") = py::none(), py::arg("resumed") = py::none(),
      py::arg("constraints") = py::none(), py::arg("functions") = py::dict(),
      py::arg("positions") = py::none(),
      "Trains an algorithm; returns {ensemble, history, stopped_early, rounds_kept, members,\n"
      "ordinal, figures, series}.\n\n"
      "watches: list of (name, Dataset, metrics). The first metric of the one at the position\n"
      "stopping_watch decides early stopping, and trees are weighed on it. observer: called with\n"
      "each round's report, returns True to stop. trained: a model to go on from, whose rounds\n"
      "count as rounds. initial_scores: (float64 of the training data, [float64 of each watched\n"
      "set]), by row, for boosting to add to. pair_weights: weighs the pairs of\n"
      "each query; called before the first round. bag: {n_bags, query_fraction, combine} to train\n"
      "so many models; then the ensemble is a pool for bag_of, trained is a smaller one, members\n"
      "has [{seed, queries, history, stopped_early}] of those trained now, with the positions of\n"
      "their queries in canonical order, and rounds of history and observer count members.\n"
      "feature_costs: (float64 cost of each group, uint32 group of each feature).\n"
      "constraints: {directions, interactions, weights, most_features}, each may be left out.\n"
      "ordinal: of the result and of trained, None unless the settings ask for it.\n"
      "checkpoint: (so many rounds, a function that then gets the state of the training, a dict);\n"
      "of a bag, after each member. resumed: such a state, from which training goes on.\n"
      "functions: of broof, by the name of the extension point, each called with a dict of the\n"
      "iteration; \"observer\" sees each iteration. series: of broof, the mean error and the\n"
      "weight of each forest.\n"
      "positions: (uint32 position of each row, from 1, regularization, None or the effects of\n"
      "trained) for lambdamart; series then has position_bias, the effect of each position.\n"
      "Raises ValueError for settings out of range.");
  module.def(
      "out_of_bag_scores", &OutOfBagFromPython, py::arg("data"), py::arg("settings"), py::kw_only(),
      py::arg("seed"), py::arg("forest"), py::arg("n_jobs"),
      "For each training document the mean over the trees of a forest that did not draw it;\n"
      "NaN where all drew it. Settings (all of them) and seed are those of the training.");
}

}  // namespace rankforest::bindings
