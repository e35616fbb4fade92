#pragma once

#include <cstddef>
#include <variant>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/sample/negative_settings.hpp"
#include "rankforest/sample/negatives_draw.hpp"
#include "rankforest/sample/queries.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/sample/view.hpp"

namespace rankforest {

/// All positives (documents of a grade above 0), and some of the negatives of each query (Lucchese
/// et al., "Selective gradient boosting for effective learning to rank", SIGIR 2018, section 4).
///
/// Of a query's n negatives, fraction x n are kept, rounded up; also where the query has no
/// positive. Equal scores, gradients or values go in scale-free order, so that the order of rows
/// decides nothing.
///
/// Selections that look at the model are made at each round that `reselect_every` divides, rounds
/// counted from 1, and hold until the next one. Until the first of them, and in round 1 always,
/// every document is there. The fixed selections are made once, before the first round.
///
/// kAdaptive keeps as many negatives as kTop at most, divided otherwise: a query wants the
/// negatives that rank above its last positive, and the first one below it (one, if it has no
/// positive). All get what they want up to a limit, the same for all queries: the largest that
/// keeps the total.
class SelectNegatives {
 public:
  /// What the documents are drawn from first.
  using From = std::variant<AllRows, SubsampleRows, SubsampleQueries>;

  explicit SelectNegatives(NegativeSettings settings, From from = AllRows())
      : settings_(settings), from_(from) {}

  [[nodiscard]] static constexpr bool draws_all() { return false; }
  [[nodiscard]] SamplerNeeds needs() const {
    const bool by_gradient = settings_.selection == NegativeSelection::kGradient;
    return by_gradient ? SamplerNeeds::kGradients : SamplerNeeds::kScores;
  }
  [[nodiscard]] bool redraws(std::size_t round) const {
    return round == 0 || (!is_fixed() && IsReselected(round));
  }

  [[nodiscard]] RowSample Draw(const SamplerView& view, const RowSample& from, Rng rng) const {
    const Rng of_queries = rng.Child(Purpose::kRows, 1);
    const bool takes_all = view.round == 0 && !is_fixed();
    if (std::holds_alternative<AllRows>(from_)) {
      // Not copied: that takes as long as to look at a score of each.
      return takes_all ? from : detail::NegativesDraw(settings_, view, from, of_queries).Make();
    }
    RowSample drawn = std::visit(
        [&](const auto& sampler) { return sampler.Draw(view, from, rng.Child(Purpose::kRows, 0)); },
        from_);
    if (takes_all) return drawn;
    return detail::NegativesDraw(settings_, view, drawn, of_queries).Make();
  }

 private:
  [[nodiscard]] bool is_fixed() const {
    return settings_.selection == NegativeSelection::kFixedRandom ||
           settings_.selection == NegativeSelection::kFixedFeature;
  }
  [[nodiscard]] bool IsReselected(std::size_t round) const {
    return (round + 1) % settings_.reselect_every == 0;
  }

  NegativeSettings settings_;
  From from_;
};

}  // namespace rankforest
