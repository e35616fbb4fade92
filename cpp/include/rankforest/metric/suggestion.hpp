#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rankforest/metric/names.hpp"

namespace rankforest::detail {

// Which known word a mistyped one may have meant.

/// The fewest insertions, deletions, replacements and swaps of neighbours that turn one word into
/// the other, each letter being touched once (optimal string alignment).
inline std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

/// Keeps the nearest of the words that it is offered, the first of equally near ones. A word is
/// near if one letter would have to change, or two of a word of at least four.
class NearestWord {
 public:
  /// Longer words than any known one are not compared: the time grows with the product of lengths.
  static constexpr std::size_t kLongest = 40;

  explicit NearestWord(std::string_view typed) : typed_(typed) {}

  void Offer(std::string_view known) { Offer(known, known); }

  /// `known` is compared, `meant` is what to suggest for it.
  void Offer(std::string_view known, std::string_view meant) {
    if (typed_.size() < 2 || typed_.size() > kLongest || known.size() < 2) return;
    const std::size_t distance = EditDistance(typed_, known);
    if (distance > (known.size() < 4 ? 1 : 2) || distance >= distance_) return;
    distance_ = distance;
    word_ = meant;
  }

  /// Empty if none is near.
  [[nodiscard]] std::string_view word() const { return word_; }

 private:
  std::string_view typed_;
  std::string_view word_;
  std::size_t distance_ = kLongest + 1;
};

/// "; did you mean WORD?", or nothing where there is no word.
inline std::string DidYouMean(std::string_view word) {
  return word.empty() ? "" : "; did you mean " + std::string(word) + "?";
}

/// The name of the metric that a mistyped name may have meant; empty if there is none.
inline std::string_view NearestMetric(std::string_view typed) {
  NearestWord nearest(typed);
  for (const MetricRow& row : kMetrics) {
    nearest.Offer(row.name);
    nearest.Offer(row.alias, row.name);
  }
  return nearest.word();
}

/// name@k for a name with the cutoff at its end, such as ndcg10 or trec_eval's ndcg_cut_10; empty
/// for any other.
inline std::string WithAt(std::string_view typed) {
  std::string_view name = typed.substr(0, typed.find_last_not_of("0123456789") + 1);
  const std::string_view digits = typed.substr(name.size());
  name = name.substr(0, name.find_last_not_of("_.:- ") + 1);
  constexpr std::string_view kCut = "_cut";
  if (name.size() > kCut.size() && name.substr(name.size() - kCut.size()) == kCut) {
    name = name.substr(0, name.size() - kCut.size());
  }
  for (const MetricRow& row : kMetrics) {
    const bool is_row = !name.empty() && (row.name == name || row.alias == name);
    if (is_row && !digits.empty() && row.cutoff != Cutoff::kNever) {
      return std::string(row.name).append("@").append(digits);
    }
  }
  return {};
}

/// What name[@k] may have meant, such as ndcg@10 for ndgc@10 and for ndcg10; empty if nothing.
inline std::string NearestHead(std::string_view head) {
  std::string moved = WithAt(head);
  if (!moved.empty()) return moved;
  const std::string_view name = head.substr(0, head.find('@'));
  const std::string_view known = NearestMetric(name);
  return known.empty() ? "" : std::string(known).append(head.substr(name.size()));
}

}  // namespace rankforest::detail
