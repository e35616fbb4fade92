#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "callbacks.hpp"
#include "constraints.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/objective/any_objective.hpp"
#include "rankforest/train/initial_scores.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/refit.hpp"
#include "settings.hpp"

namespace rankforest::bindings {
namespace {

Newton CriterionOf(const TreeSettings& trees) {
  return {trees.l2_regularization, trees.min_hessian};
}

/// The objective of a boosting algorithm, and the criterion that its leaves come from.
std::pair<AnyObjective, Newton> ObjectiveOf(const std::string& algorithm, const py::dict& settings,
                                            const std::optional<py::function>& objective) {
  if (algorithm == "igbrt") {
    const IgbrtSettings of = FromDict(IgbrtDefaults(), settings);
    if (of.forest.relevance != Relevance::kGrade) {
      throw std::invalid_argument("the forest that igbrt started from must predict grades");
    }
    return {AnyObjective(SquaredError(InitialScore::kZero)), CriterionOf(of.boost.trees)};
  }
  if (algorithm == "mart") {
    const MartSettings of = FromDict(MartDefaults(), settings);
    return {objective ? AnyObjective(ToObjective(*objective)) : AnyObjective(SquaredError(of.init)),
            CriterionOf(of.boost.trees)};
  }
  if (algorithm == "selgb") {  // its leaves are refitted to all documents
    if (objective) throw std::invalid_argument("this algorithm takes no objective");
    const LambdaMartSettings of = FromDict(SelGbDefaults(), settings).lambdamart;
    return {RankingObjectiveOf(of), CriterionOf(of.boost.trees)};
  }
  if (algorithm != "lambdamart") {
    throw std::invalid_argument("no algorithm that can be refitted is called '" + algorithm + "'");
  }
  const LambdaMartSettings of = FromDict(LambdaMartDefaults(), settings);
  return {objective ? AnyObjective(ToObjective(*objective)) : RankingObjectiveOf(of),
          CriterionOf(of.boost.trees)};
}

Member Refit(const std::string& algorithm, Member model, const TrainingSet& training,
             const py::dict& settings, const std::optional<py::function>& objective, double decay,
             bool refits_base, std::uint64_t seed) {
  if (algorithm == "random_forest" || algorithm == "extra_trees") {
    const ForestSettings of = FromDict(RandomForestDefaults(), settings);
    const RefitSettings refit{decay, CriterionOf(of.trees), refits_base};
    const py::gil_scoped_release release;
    return RefitForest(std::move(model), MeanRelevance(of.relevance), refit, training, Rng(seed));
  }
  const auto [asked, criterion] = ObjectiveOf(algorithm, settings, objective);
  const RefitSettings refit{decay, criterion, refits_base};
  const py::gil_scoped_release release;
  return RefitBoosted(std::move(model), asked, refit, training, Rng(seed));
}

Ensemble RefitFromPython(const std::string& algorithm, Ensemble model, const Dataset& data,
                         const py::dict& settings, double decay, bool refits_base,
                         std::uint64_t seed, const std::optional<py::function>& objective,
                         const std::optional<Array<double>>& initial_scores, int n_jobs,
                         const std::optional<py::dict>& given) {
  if (!(decay >= 0.0 && decay <= 1.0)) throw std::invalid_argument("decay must be in [0, 1]");
  if (!model.is_sum() || model.members.size() != 1) {
    throw std::invalid_argument("only models of one member can be refitted");
  }
  if (model.has_linear()) {
    throw std::invalid_argument("the model has a linear part: only trees can be refitted");
  }
  if (model.n_features != data.n_features()) {
    throw std::invalid_argument("the model has " + std::to_string(model.n_features) +
                                " features, the data has " + std::to_string(data.n_features()));
  }
  std::vector<double> initial;
  if (initial_scores) {
    initial = InitialScores("init_score", data, View(*initial_scores, "init_score"));
  }
  const FeatureConstraints constraints = given ? ToConstraints(*given) : FeatureConstraints();
  Check(constraints, data.n_features());
  const TrainingSet training(data, RequireThreads(n_jobs), initial, nullptr, &constraints);
  model.members.front() = Refit(algorithm, std::move(model.members.front()), training, settings,
                                objective, decay, refits_base, seed);
  model.exits = {};  // they were chosen for other scores
  return model;
}

}  // namespace

void BindRefit(py::module_& module) {
  module.def("refit", &RefitFromPython, py::arg("algorithm"), py::arg("model"), py::arg("data"),
             py::arg("settings"), py::kw_only(), py::arg("decay"), py::arg("refits_base"),
             py::arg("seed"), py::arg("objective"),
             py::arg("initial_scores").noconvert().none(true), py::arg("n_jobs"),
             py::arg("constraints") = py::none(),
             "The model with leaf values decay x old + (1 - decay) x what the data says.\n"
             "Settings, seed, objective and constraints are those of its training.");
}

}  // namespace rankforest::bindings
