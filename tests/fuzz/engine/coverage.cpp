// Compiled without -fsanitize-coverage, which would have it call itself.

#include "engine/coverage.hpp"

#include <algorithm>
#include <cstring>

#include "engine/target.hpp"

namespace rankforest::fuzz {

namespace {

/// A bit for 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127 and more.
std::uint8_t BitOf(std::uint8_t count) {
  constexpr std::array<std::uint8_t, 7> kLast = {1, 2, 3, 7, 15, 31, 127};
  const auto* const size = std::lower_bound(kLast.begin(), kLast.end(), count);
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(size - kLast.begin()));
}

}  // namespace

Coverage& Coverage::OfProgram() {
  static Coverage coverage(reinterpret_cast<std::uintptr_t>(&LLVMFuzzerTestOneInput));
  return coverage;
}

void Coverage::Clear() {
  counts_.fill(0);
  last_ = 0;
}

bool Coverage::Merge() {
  bool is_new = false;
  for (std::size_t eight = 0; eight < kPlaces; eight += 8) {
    std::uint64_t any = 0;
    std::memcpy(&any, counts_.data() + eight, sizeof(any));
    if (any == 0) continue;  // most of them
    for (std::size_t place = eight; place < eight + 8; ++place) {
      if (counts_[place] == 0) continue;
      const std::uint8_t bit = BitOf(counts_[place]);
      is_new = is_new || (ever_[place] & bit) == 0;
      ever_[place] = static_cast<std::uint8_t>(ever_[place] | bit);
    }
  }
  return is_new;
}

std::size_t Coverage::n_passed() const {
  return kPlaces - static_cast<std::size_t>(std::count(ever_.begin(), ever_.end(), 0));
}

}  // namespace rankforest::fuzz

extern "C" void __sanitizer_cov_trace_pc() {
  static rankforest::fuzz::Coverage& coverage = rankforest::fuzz::Coverage::OfProgram();
  coverage.Pass(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
