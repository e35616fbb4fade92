#pragma once

#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/objective/position_bias.hpp"
#include "rankforest/train/learned_positions.hpp"
#include "rankforest/train/run_options.hpp"

namespace rankforest::bindings {

/// Positions of documents, from 1, by the caller's rows, the regularization of their effects, and
/// the effects of the model that training goes on from, if it knows any.
using PositionsOfRows =
    std::tuple<Array<std::uint32_t>, double, std::optional<std::vector<double>>>;

/// What a run learns of positions.
///
/// @throws std::invalid_argument  unless there is a position >= 1 for each document
inline LearnedPositions ToLearnedPositions(const PositionsOfRows& given, const Dataset& data) {
  const auto& [positions, regularization, effects] = given;
  const Span<const std::uint32_t> of_rows = View(positions, "position");
  if (of_rows.size() != data.n_documents()) {
    throw std::invalid_argument("position must have one value for each document");
  }
  if (!(regularization >= 0.0)) {
    throw std::invalid_argument("position_bias_regularization must be >= 0");
  }
  PositionSettings settings;
  settings.regularization = regularization;
  std::size_t n_places = 0;
  for (const RowId row : data.order()) {
    const std::size_t position = of_rows[row];
    if (position == 0) throw std::invalid_argument("position must be >= 1");
    settings.places.push_back(static_cast<std::uint32_t>(position - 1));
    n_places = std::max(n_places, position);
  }
  return {std::move(settings), n_places};
}

/// What a run learns of positions, from where its options let it begin; its states have it.
inline LearnedPositions StartLearning(const PositionsOfRows& given, const Dataset& data,
                                      RunOptions& options) {
  LearnedPositions learned = ToLearnedPositions(given, data);
  if (options.resumed) {
    learned.GoOnFrom(*options.resumed);
  } else if (!options.trained.members.empty()) {
    const auto& effects = std::get<2>(given);
    learned.GoOnFrom(options.trained.n_rounds(), effects ? *effects : std::vector<double>());
  }
  learned.AddTo(options.monitor.checkpoints);
  return learned;
}

}  // namespace rankforest::bindings
