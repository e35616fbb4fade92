#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/binning.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// What is inside the bins of one feature.
struct BinContents {
  std::vector<Code> end_code;        ///< of each bin: one past the codes of its values
  std::vector<RowId> documents;      ///< by value, those of each bin together; NaN left out. None
                                     ///< where no bin has two values
  std::vector<std::uint8_t> is_new;  ///< of each of those: 1 if its value is above the one before
  std::vector<std::uint32_t> first;  ///< of each bin's documents, and the end of the last's

  [[nodiscard]] Code FirstCode(std::size_t bin) const { return bin == 0 ? 0 : end_code[bin - 1]; }
  /// Whether a threshold may lie inside a bin.
  [[nodiscard]] bool HasSeveralValues(std::size_t bin) const {
    return end_code[bin] - FirstCode(bin) > 1;
  }
};

/// A data set's documents in the order of their values, for a search that looks into some bins of
/// a feature. Memory: 5 bytes a document for each feature of more values than bins.
class ValueOrder {
 public:
  /// @param presorted, binned  the same data
  ValueOrder(const Presorted& presorted, const BinnedColumns& binned, Threads threads)
      : of_features_(binned.n_features()) {
    constexpr double kSecondsPerValue = 1e-8;
    threads = ForLoopOf(threads, binned.n_documents() * binned.n_features(), kSecondsPerValue);
    ParallelFor(threads, of_features_.size(), [&](std::size_t f) {
      const auto feature = static_cast<FeatureId>(f);
      of_features_[f] = Order(presorted.column(feature), binned.column(feature));
    });
  }

  [[nodiscard]] const BinContents& of(FeatureId feature) const { return of_features_[feature]; }

 private:
  static BinContents Order(const PresortedColumn& values, const BinnedColumn& binned) {
    BinContents contents;
    contents.end_code.resize(binned.n_values());
    Code code = 0;
    for (std::size_t bin = 0; bin < binned.n_values(); ++bin) {
      while (code < values.n_values() && binned.bins.BinOf(values.values[code]) == bin) ++code;
      contents.end_code[bin] = code;
    }
    for (std::size_t bin = 0; bin < binned.n_values(); ++bin) {
      if (!contents.HasSeveralValues(bin)) continue;
      SortDocuments(values, contents);
      break;
    }
    return contents;
  }

  /// By counting.
  static void SortDocuments(const PresortedColumn& values, BinContents& contents) {
    std::vector<std::uint32_t> next(values.n_values() + 1);
    for (const Code code : values.codes) {
      if (code != values.missing_code()) ++next[code + 1];
    }
    for (std::size_t code = 0; code < values.n_values(); ++code) next[code + 1] += next[code];
    contents.first.push_back(0);
    for (const Code end : contents.end_code) contents.first.push_back(next[end]);
    contents.documents.resize(next.back());
    contents.is_new.resize(next.back());
    for (std::size_t code = 0; code < values.n_values(); ++code) contents.is_new[next[code]] = 1;
    for (std::size_t d = 0; d < values.codes.size(); ++d) {
      const Code code = values.codes[d];
      if (code != values.missing_code()) contents.documents[next[code]++] = static_cast<RowId>(d);
    }
  }

  std::vector<BinContents> of_features_;
};

}  // namespace rankforest
