#pragma once

#include <variant>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/sample/queries.hpp"
#include "rankforest/sample/rows.hpp"

namespace rankforest {

/// Any sampler, chosen when a run starts: it is asked once per tree or round.
class Sampler {
 public:
  using Any = std::variant<AllRows, Bootstrap, SubsampleRows, SubsampleQueries>;

  Sampler() = default;
  Sampler(Any sampler) : sampler_(sampler) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool draws_all() const {
    return std::visit([](const auto& sampler) { return sampler.draws_all(); }, sampler_);
  }
  [[nodiscard]] RowSample Draw(const Dataset& data, const RowSample& from, Rng rng) const {
    return std::visit([&](const auto& sampler) { return sampler.Draw(data, from, rng); }, sampler_);
  }

 private:
  Any sampler_;
};

}  // namespace rankforest
