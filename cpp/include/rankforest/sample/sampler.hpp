#pragma once

#include <cstddef>
#include <variant>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/sample/negatives.hpp"
#include "rankforest/sample/queries.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/sample/view.hpp"

namespace rankforest {

/// Any sampler, chosen when a run starts: it is asked once per tree or round.
class Sampler {
 public:
  using Any = std::variant<AllRows, Bootstrap, SubsampleRows, SubsampleQueries, SelectNegatives>;

  Sampler() = default;
  Sampler(Any sampler) : sampler_(sampler) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool draws_all() const {
    return std::visit([](const auto& sampler) { return sampler.draws_all(); }, sampler_);
  }
  [[nodiscard]] SamplerNeeds needs() const {
    return std::visit([](const auto& sampler) { return sampler.needs(); }, sampler_);
  }
  [[nodiscard]] bool redraws(std::size_t round) const {
    return std::visit([&](const auto& sampler) { return sampler.redraws(round); }, sampler_);
  }
  [[nodiscard]] RowSample Draw(const SamplerView& view, const RowSample& from, Rng rng) const {
    return std::visit([&](const auto& sampler) { return sampler.Draw(view, from, rng); }, sampler_);
  }

 private:
  Any sampler_;
};

}  // namespace rankforest
