#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/objective/any_objective.hpp"
#include "rankforest/objective/position_bias.hpp"

namespace rankforest::bindings {

/// Positions of documents, from 1, by the caller's rows, and the regularization of their effects.
using PositionsOfRows = std::pair<Array<std::uint32_t>, double>;

/// What a run learns of positions.
struct LearnedPositions {
  PositionSettings settings;
  std::shared_ptr<PlaceEffects> effects = std::make_shared<PlaceEffects>();

  /// Throws std::invalid_argument unless there is a position >= 1 for each document.
  LearnedPositions(const PositionsOfRows& given, const Dataset& data) {
    const Span<const std::uint32_t> of_rows = View(given.first, "position");
    if (of_rows.size() != data.n_documents()) {
      throw std::invalid_argument("position must have one value for each document");
    }
    if (!(given.second >= 0.0)) {
      throw std::invalid_argument("position_bias_regularization must be >= 0");
    }
    settings.regularization = given.second;
    for (const RowId row : data.order()) {
      const std::size_t position = of_rows[row];
      if (position == 0) throw std::invalid_argument("position must be >= 1");
      settings.places.push_back(static_cast<std::uint32_t>(position - 1));
      settings.n_places = std::max(settings.n_places, position);
    }
  }

  [[nodiscard]] AnyObjective Wrapped(AnyObjective objective, double learning_rate) const {
    PositionSettings own = settings;
    own.learning_rate = learning_rate;
    return AnyObjective(PositionBias(std::move(objective), std::move(own), effects));
  }

  /// After the first `n` rounds.
  [[nodiscard]] std::vector<double> After(std::size_t n) const {
    return n == 0 ? std::vector<double>(settings.n_places, 0.0) : effects->at(n - 1);
  }
};

/// Throws std::invalid_argument unless a training learns effects of positions from its beginning.
inline void RequirePositionsLearned(bool learns, bool goes_on) {
  if (!learns) {
    throw std::invalid_argument("only LambdaMART, not in a bag, learns effects of positions");
  }
  if (goes_on) {
    throw std::invalid_argument(
        "training does not go on from a model: effects of positions would be forgotten");
  }
}

}  // namespace rankforest::bindings
