#include "training_state.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/objective/place_effects.hpp"

namespace rankforest::bindings {

namespace {

using Values = std::vector<std::vector<double>>;
using History = std::vector<std::pair<std::size_t, Values>>;
using Best = std::tuple<std::size_t, double, std::size_t, bool>;
using Effects = std::pair<std::size_t, Values>;

Ensemble EnsembleOfMembers(std::vector<Member> members, std::size_t n_features) {
  Ensemble ensemble;
  ensemble.n_features = static_cast<std::uint32_t>(n_features);
  ensemble.members = std::move(members);
  return ensemble;
}

std::vector<Member> MembersOf(const py::handle& model, std::size_t n_features) {
  auto ensemble = model.cast<Ensemble>();
  if (ensemble.n_features != n_features) {
    throw std::invalid_argument("the state of a training has " +
                                std::to_string(ensemble.n_features) + " features, the data has " +
                                std::to_string(n_features));
  }
  return std::move(ensemble.members);
}

py::object ToList(const std::vector<RoundReport>& history) {
  History list;
  for (const RoundReport& report : history) list.emplace_back(report.round, report.values);
  return py::cast(list);
}

std::vector<RoundReport> ToHistory(const py::handle& list) {
  std::vector<RoundReport> history;
  for (auto& [round, values] : list.cast<History>()) history.push_back({round, 0, values});
  return history;
}

py::list ToList(const std::vector<BagMember>& bag) {
  using namespace pybind11::literals;
  py::list list;
  for (const BagMember& member : bag) {
    list.append(py::dict("seed"_a = member.seed, "queries"_a = member.queries,
                         "history"_a = ToList(member.history),
                         "stopped_early"_a = member.stopped_early));
  }
  return list;
}

BagMember ToBagMember(const py::handle& dict) {
  return {dict["seed"].cast<std::uint64_t>(), dict["queries"].cast<std::vector<std::uint32_t>>(),
          ToHistory(dict["history"]), dict["stopped_early"].cast<bool>()};
}

}  // namespace

py::dict ToDict(const TrainingState& state, std::size_t n_features) {
  py::dict dict;
  dict["round"] = state.round;
  dict["model"] = EnsembleOfMembers(state.grown.members, n_features);
  dict["kept"] = py::none();
  if (state.grown.kept) dict["kept"] = EnsembleOfMembers({*state.grown.kept}, n_features);
  dict["history"] = ToList(state.history);
  dict["best"] = py::none();
  if (state.best) {
    const auto [best, value, beyond, is_settled] = *state.best;
    dict["best"] = Best(best, value, beyond, is_settled);
  }
  dict["bag"] = ToList(state.bag);
  dict["ordinal"] = state.ordinal;
  if (state.place_effects) {
    dict["place_effects"] = Effects(state.place_effects->first_round, state.place_effects->after);
  }
  return dict;
}

TrainingState ToTrainingState(const py::dict& dict, std::size_t n_features) {
  TrainingState state;
  state.round = dict["round"].cast<std::size_t>();
  state.grown.members = MembersOf(dict["model"], n_features);
  if (!dict["kept"].is_none()) {
    std::vector<Member> kept = MembersOf(dict["kept"], n_features);
    if (kept.size() != 1) throw std::invalid_argument("the model that is kept has one member");
    state.grown.kept = std::move(kept.front());
  }
  state.history = ToHistory(dict["history"]);
  if (const auto best = dict["best"].cast<std::optional<Best>>()) {
    const auto& [round, value, beyond, is_settled] = *best;
    state.best = BestRound::Found{round, value, beyond, is_settled};
  }
  for (const py::handle& member : dict["bag"]) state.bag.push_back(ToBagMember(member));
  state.ordinal = dict["ordinal"].cast<std::optional<Ordinal>>();
  if (dict.contains("place_effects")) {
    auto [first, after] = dict["place_effects"].cast<Effects>();
    state.place_effects = PlaceEffects{first, std::move(after)};
  }
  return state;
}

}  // namespace rankforest::bindings
