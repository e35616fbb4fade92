#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/float_order.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/core/value_order.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/level_gains.hpp"
#include "rankforest/tree/targets_by_document.hpp"

namespace rankforest {

/// Memory of LevelSweep, kept by its owner.
struct LevelSweepNode {
  Newton::Stats all;
  Newton::Stats missing;
  Newton::Stats left;
  double gain = 0.0;  ///< by the question that the sweep has come to
};

/// All questions of one feature at a level, value by value: documents go left in ascending order,
/// and each changes what its own node gains.
///
/// To add up the nodes' gains anew for each value would take as long as there are nodes. So a
/// first pass keeps their sum up to date, which rounding moves a little away from it, and a second
/// one adds up anew where the first came as near to the best as rounding explains.
class LevelSweep {
 public:
  using Stats = Newton::Stats;

  /// What the first pass finds.
  struct Estimate {
    double gain = 0.0;     ///< the largest
    double largest = 0.0;  ///< magnitude of all that was added up
  };

  /// @param values    the feature; it has several
  /// @param contents  its documents in the order of their values
  /// @param targets   noted with the position of the document's node among `nodes`
  /// @param nodes     of the level, from left to right, as Prepare() has left them
  /// @param direction  of the feature
  LevelSweep(const Newton::Scaled& criterion, const SplitRules& rules,
             const PresortedColumn& values, const BinContents& contents,
             const TargetsByDocument& targets, std::vector<LevelSweepNode>& nodes,
             int direction = 0)
      : criterion_(criterion),
        rules_(rules),
        values_(values),
        contents_(contents),
        targets_(targets),
        nodes_(nodes),
        direction_(direction) {
    for (LevelSweepNode& node : nodes_) node.missing = {};
    if (!values.has_missing) return;
    for (std::size_t d = 0; d < values.codes.size(); ++d) {
      const TargetsByDocument::OfDocument& of = targets_[static_cast<RowId>(d)];
      if (values.codes[d] != values.missing_code() || of.node >= nodes_.size()) continue;
      nodes_[of.node].missing.Add(of.target, of.count);
      saw_missing_ = true;
    }
  }

  [[nodiscard]] Estimate First() {
    Estimate estimate;
    ForEachPlacement([&](MissingTo to) {
      const auto see = [&](double sum, Code /*last*/, Code /*next*/) {
        // Sums that overflowed say nothing: what is not a number is looked at again.
        const bool is_number = std::abs(sum) <= std::numeric_limits<double>::max();
        const double gain = is_number ? sum : std::numeric_limits<double>::infinity();
        estimate.gain = std::max(estimate.gain, gain);
      };
      estimate.largest = std::max(estimate.largest, Pass(to, see));
    });
    return estimate;
  }

  /// Replaces `best` by a better question of this feature.
  ///
  /// @param goal  questions whose estimate is below it are passed over
  void Second(FeatureId feature, double goal, Split<Stats>& best) {
    ForEachPlacement([&](MissingTo to) {
      Pass(to, [&](double estimate, Code last, Code next) {
        if (estimate < goal) return;
        double gain = 0.0;
        for (const LevelSweepNode& node : nodes_) gain += node.gain;
        if (!(gain > rules_.min_gain) || gain < best.gain) return;
        Split<Stats> question;
        question.gain = gain;
        question.feature = feature;
        question.cut = last;
        question.threshold = next < values_.missing_code()
                                 ? Midpoint(values_.Highest(last), values_.Lowest(next))
                                 : AboveAll(values_.Largest());
        question.missing = to;
        question.saw_missing = saw_missing_;
        if (IsBetter(question, best)) best = question;
      });
    });
  }

 private:
  template <class Visit>
  void ForEachPlacement(const Visit& visit) {
    visit(MissingTo::kLeft);
    if (saw_missing_) visit(MissingTo::kRight);
  }

  [[nodiscard]] double GainOf(const LevelSweepNode& node) const {
    const Stats right = node.all - node.left;
    const bool divides = MayDivide(criterion_, rules_, node.left, right, direction_);
    return divides ? criterion_.Gain(node.left, right) : 0.0;
  }

  /// Calls see(sum of gains, code of the largest value on the left, code of the next one) at each
  /// boundary between values of the tree's documents, ascending. Where NaN goes right, all values
  /// may be on the left: then the next code is that of NaN. Returns the largest magnitude.
  template <class See>
  double Pass(MissingTo missing, const See& see) {
    double sum = 0.0;
    double largest = 0.0;
    for (LevelSweepNode& node : nodes_) {
      node.left = missing == MissingTo::kLeft ? node.missing : Stats{};
      node.gain = GainOf(node);
      sum += node.gain;
    }
    constexpr Code kNone = std::numeric_limits<Code>::max();
    constexpr std::size_t kAhead = 16;  // documents between prefetch and use
    Code last = kNone;
    Code code = kNone;  // one below the first
    const std::vector<RowId>& documents = contents_.documents;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      code += contents_.is_new[i];
      targets_.Prefetch(documents[std::min(i + kAhead, documents.size() - 1)]);
      const TargetsByDocument::OfDocument& of = targets_[documents[i]];
      if (of.node >= nodes_.size()) continue;
      if (code != last && last != kNone) see(sum, last, code);
      last = code;
      LevelSweepNode& node = nodes_[of.node];
      node.left.Add(of.target, of.count);
      const double before = node.gain;
      node.gain = GainOf(node);
      sum += node.gain - before;
      largest = std::max({largest, std::abs(node.gain), std::abs(sum)});
    }
    if (missing == MissingTo::kRight && last != kNone) see(sum, last, values_.missing_code());
    return largest;
  }

  const Newton::Scaled& criterion_;
  const SplitRules& rules_;
  const PresortedColumn& values_;
  const BinContents& contents_;
  const TargetsByDocument& targets_;
  std::vector<LevelSweepNode>& nodes_;
  int direction_;
  bool saw_missing_ = false;
};

}  // namespace rankforest
