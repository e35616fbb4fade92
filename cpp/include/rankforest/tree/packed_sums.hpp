#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/node_column.hpp"

namespace rankforest::detail {

/// What PackedSums has to know of a tree's targets.
struct TargetRange {
  std::int32_t largest = 0;       ///< gradient, without its sign, or hessian
  std::int32_t unit_hessian = 0;  ///< what every document's hessian is, or 0 where they differ

  /// @param targets  at least one
  explicit TargetRange(Span<const Newton::Target> targets) {
    bool is_unit = true;
    for (const Newton::Target& target : targets) {
      is_unit = is_unit && target.hess == targets[0].hess;
      largest = std::max({largest, std::abs(target.grad), target.hess});
    }
    if (is_unit) unit_hessian = targets[0].hess;
  }
};

/// Where the fields of a word of PackedSums are, and what they hold as doubles: in a few operations
/// that vectors of any processor have. Conversions of 64-bit integers are not among them; the bits
/// of an integer below 2^52 in the mantissa of 2^52 are.
struct PackedFields {
  std::uint64_t count_mask = 0;
  int hess_shift = 0;
  std::uint64_t hess_mask = 0;  ///< once it is shifted
  double hess_unit = 1.0;       ///< what the field of hessians counts
  int grad_shift = 0;
  double grad_bias = 0.0;  ///< sums of gradients are less than this away from 0

  [[nodiscard, gnu::always_inline]] double Hess(std::uint64_t word) const {
    return OnTopOf2To52((word >> hess_shift) & hess_mask) - 0x1p52;
  }
  [[nodiscard, gnu::always_inline]] double Grad(std::uint64_t word) const {
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
    return OnTopOf2To52((word ^ kSign) >> grad_shift) - (0x1p52 + grad_bias);
  }

 private:
  [[nodiscard, gnu::always_inline]] static double OnTopOf2To52(std::uint64_t integer) {
    const std::uint64_t bits = integer | std::uint64_t{0x433} << 52U;
    double real = 0.0;
    std::memcpy(&real, &bits, sizeof real);
    return real;
  }
};

/// How the three sums of a histogram's cell share one 64-bit word, so that a document costs a
/// cell one addition: from the lowest bits up the number of documents, the sum of hessians and,
/// signed, that of gradients.
///
/// A word holds the sums of a *run* of documents: as many as are sure not to overflow a field.
/// Gradients have heavy tails, so runs are far longer than the largest one would allow. Where
/// all hessians are equal (squared error), the number of documents stands for their sum.
///
/// Words of documents that are one run add up, and those of some of them can be subtracted again:
/// no field borrows from another.
class PackedSums {
 public:
  using Target = Newton::Target;
  using Stats = Newton::Stats;

  /// @param unit_hessian  see TargetRange
  explicit PackedSums(std::int32_t unit_hessian = 0)
      : unit_hessian_(unit_hessian),
        count_bits_(unit_hessian == 0 ? 13 : 24),
        hess_bits_(unit_hessian == 0 ? 25 : 0) {}

  /// The end of the run that starts at `begin`; `begin` itself where one document overflows.
  [[nodiscard]] std::size_t RunEnd(const NodeRows<Target>& node, std::size_t begin,
                                   std::size_t end) const {
    const std::int64_t most_grad = std::int64_t{1} << (grad_bits() - 1);
    const std::int64_t most_hess = std::int64_t{1} << hess_bits_;
    const std::int64_t most_count = std::int64_t{1} << count_bits_;
    std::int64_t grad = 0;
    std::int64_t hess = 0;
    std::int64_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::int64_t times = node.Count(i);
      grad += std::abs(std::int64_t{node.targets[i].grad}) * times;
      hess += unit_hessian_ == 0 ? node.targets[i].hess * times : 0;
      count += times;
      if (grad >= most_grad || hess >= most_hess || count >= most_count) return i;
    }
    return end;
  }

  /// Whether all of a node's documents are one run. Then so are those of its children.
  [[nodiscard]] bool Fits(const NodeRows<Target>& node) const {
    return RunEnd(node, 0, node.size()) == node.size();
  }

  /// What a document adds to its cells.
  [[nodiscard]] std::uint64_t Pack(Target target, std::uint32_t times) const {
    const auto grad = static_cast<std::uint64_t>(std::int64_t{target.grad} * times);
    const auto hess = static_cast<std::uint64_t>(std::int64_t{target.hess} * times);
    const std::uint64_t word = (grad << (count_bits_ + hess_bits_)) + times;
    return unit_hessian_ == 0 ? word + (hess << count_bits_) : word;
  }

  /// The sums of documents that are one run.
  [[nodiscard]] std::uint64_t Pack(const Stats& sums) const {
    const std::uint64_t word =
        (static_cast<std::uint64_t>(sums.grad) << (count_bits_ + hess_bits_)) + sums.count;
    return unit_hessian_ == 0 ? word + (static_cast<std::uint64_t>(sums.hess) << count_bits_)
                              : word;
  }

  [[nodiscard]] Stats Unpack(std::uint64_t word) const {
    const std::uint64_t count = word & ((std::uint64_t{1} << count_bits_) - 1);
    const std::uint64_t hess = (word >> count_bits_) & ((std::uint64_t{1} << hess_bits_) - 1);
    return {static_cast<std::int64_t>(word) >> (count_bits_ + hess_bits_),
            static_cast<std::int64_t>(
                unit_hessian_ == 0 ? hess : count * static_cast<std::uint64_t>(unit_hessian_)),
            count};
  }

  [[nodiscard]] PackedFields fields() const {
    const auto mask = [](int bits) { return (std::uint64_t{1} << bits) - 1; };
    PackedFields fields;
    fields.count_mask = mask(count_bits_);
    fields.grad_shift = count_bits_ + hess_bits_;
    fields.grad_bias = static_cast<double>(std::uint64_t{1} << (grad_bits() - 1));
    const bool is_unit = unit_hessian_ != 0;
    fields.hess_shift = is_unit ? 0 : count_bits_;
    fields.hess_mask = is_unit ? fields.count_mask : mask(hess_bits_);
    fields.hess_unit = is_unit ? unit_hessian_ : 1.0;
    return fields;
  }

 private:
  [[nodiscard]] int grad_bits() const { return 64 - count_bits_ - hess_bits_; }

  std::int32_t unit_hessian_;
  int count_bits_;
  int hess_bits_;
};

}  // namespace rankforest::detail
