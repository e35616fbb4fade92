#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "rankforest/metric/grammar.hpp"
#include "rankforest/metric/names.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest {

/// A measure of how well scores rank the documents of queries: an immutable value that prints
/// and parses. MetricRun evaluates it, VisitSwapDelta gives its change under a swap.
class Metric {
 public:
  /// A metric with these settings, which must be among those that a spelling can express.
  explicit Metric(MetricSettings settings) : settings_(std::move(settings)) {
    detail::CheckSettings(settings_);
  }

  /// Reads `name[@k][(key=value,...)]`, such as ndcg@10 or map(threshold=1,empty=0). The cutoff
  /// may stand at the end, too: map(threshold=1)@10.
  ///
  /// Capital letters and blanks between the pieces do not matter. preset=NAME sets every key as
  /// another system has it, wherever it stands; the other keys override it.
  /// @throws std::invalid_argument that names the offending piece and what there is instead
  [[nodiscard]] static Metric Parse(std::string_view text) {
    return Metric(detail::ParseMetric(text));
  }

  /// The canonical spelling: the keys that differ from the metric's defaults, in a fixed order.
  [[nodiscard]] std::string ToString() const { return detail::WriteMetric(settings_); }

  /// The same metric at another cutoff.
  /// @throws std::invalid_argument if it takes none, or the cutoff is not from 1 to 1,000,000,000
  [[nodiscard]] Metric WithCutoff(std::size_t cutoff) const {
    return WithCutoff(std::to_string(cutoff));
  }

  /// The same, for a cutoff in decimal digits.
  [[nodiscard]] Metric WithCutoff(std::string_view cutoff) const {
    MetricSettings settings = settings_;
    settings.cutoff = detail::ParseCutoff(cutoff);
    return Metric(std::move(settings));
  }

  /// The same metric with one key of its grammar, or a preset, set anew.
  [[nodiscard]] Metric With(std::string_view key, std::string_view value) const {
    return Metric(detail::WithKey(settings_, key, value));
  }

  [[nodiscard]] const MetricSettings& settings() const { return settings_; }
  [[nodiscard]] MetricKind kind() const { return settings_.kind; }
  [[nodiscard]] std::size_t cutoff() const { return settings_.cutoff; }
  /// The name alone, such as "ndcg".
  [[nodiscard]] std::string_view name() const { return detail::RowOf(kind()).name; }
  /// Whether more is better.
  [[nodiscard]] bool maximize() const { return detail::RowOf(kind()).maximize; }

  /// Whether a document's gain is 2^grade - 1, which tells far grades apart by huge factors.
  [[nodiscard]] bool has_exp2_gain() const {
    return detail::Has(detail::RowOf(kind()).keys, detail::MetricKey::kGain) &&
           settings_.gain.rule == GainRule::kExp2;
  }

  friend bool operator==(const Metric& a, const Metric& b) { return a.settings_ == b.settings_; }
  friend bool operator!=(const Metric& a, const Metric& b) { return !(a == b); }

 private:
  MetricSettings settings_;
};

}  // namespace rankforest
