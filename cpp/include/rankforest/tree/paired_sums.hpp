#pragma once

#include <cstdint>

#include "rankforest/criterion/newton.hpp"
#include "rankforest/tree/packed_sums.hpp"

namespace rankforest::detail {

/// The three sums of a histogram's cell in two 64-bit words, which one vector instruction adds: for
/// the trees of few documents, whose targets have too many bits for the one word of PackedSums.
///
/// In the first word is the sum of gradients, in its highest bits; in the second, from the lowest
/// bits up, the number of documents and the sum of hessians. Sums of up to kMostDocuments documents
/// of up to kSearchBits bits fit: gradients and hessians add up to 2^46 at most.
struct PairedSums {
  using Stats = Newton::Stats;

  static constexpr std::uint64_t kMostDocuments = 65536;

  std::uint64_t grad = 0;
  std::uint64_t rest = 0;

  PairedSums() = default;
  explicit PairedSums(const Stats& sums)
      : grad(static_cast<std::uint64_t>(sums.grad) << kGradShift),
        rest((static_cast<std::uint64_t>(sums.hess) << kCountBits) + sums.count) {}

  [[nodiscard]] Stats Unpack() const {
    return {static_cast<std::int64_t>(grad) >> kGradShift,
            static_cast<std::int64_t>(rest >> kCountBits), rest & Mask(kCountBits)};
  }

  PairedSums& operator+=(const PairedSums& other) {
    grad += other.grad;
    rest += other.rest;
    return *this;
  }
  /// Of sums of which `other` are a part.
  PairedSums& operator-=(const PairedSums& other) {
    grad -= other.grad;
    rest -= other.rest;
    return *this;
  }
  friend PairedSums operator-(PairedSums a, const PairedSums& b) { return a -= b; }

  /// Where the sums are: that of gradients in the first word, the others in the second.
  [[nodiscard]] static PackedFields Fields() {
    PackedFields fields;
    fields.count_mask = Mask(kCountBits);
    fields.hess_shift = kCountBits;
    fields.hess_mask = Mask(64 - kCountBits);
    fields.grad_shift = kGradShift;
    fields.grad_bias = 0x1p47;
    return fields;
  }

 private:
  static constexpr int kGradShift = 16;
  static constexpr int kCountBits = 17;

  [[nodiscard]] static constexpr std::uint64_t Mask(int bits) {
    return (std::uint64_t{1} << bits) - 1;
  }
};

}  // namespace rankforest::detail
