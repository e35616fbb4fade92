#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rankforest::fuzz {

/// What one run of a target has passed: for each place in the program a count, which stops at 255.
/// The compiler's -fsanitize-coverage=trace-pc calls Pass at every basic block. Places are told
/// apart by a hash of theirs and of the one before, so that a new path between known places counts
/// as well.
class Coverage {
 public:
  static constexpr std::size_t kPlaces = std::size_t{1} << 16U;

  /// The one that the compiler's calls go to.
  static Coverage& OfProgram();

  void Pass(std::uintptr_t place) {
    const std::uint64_t mixed = (place - base_) * 0x9E3779B97F4A7C15ULL;
    const auto here = static_cast<std::size_t>(mixed >> 48U);
    std::uint8_t& count = counts_[here ^ last_];
    if (count != 255) ++count;
    last_ = here >> 1U;
  }

  /// Forgets the last run.
  void Clear();

  /// Adds the last run to what was ever passed; whether that brought anything new: a place, or one
  /// that was passed about twice as often as ever.
  bool Merge();

  /// The number of places that were ever passed.
  [[nodiscard]] std::size_t n_passed() const;

 private:
  explicit Coverage(std::uintptr_t base) : base_(base) {}

  std::uintptr_t base_;  // the loader moves programs about: places are counted from here
  std::size_t last_ = 0;
  std::array<std::uint8_t, kPlaces> counts_{};
  std::array<std::uint8_t, kPlaces> ever_{};  // a bit for each size of a count
};

}  // namespace rankforest::fuzz
