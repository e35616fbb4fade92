#pragma once

#include <cstddef>
#include <cstdint>

namespace rankforest {

/// Which thresholds of a feature are looked at.
enum class TreeMethod : std::uint8_t {
  kAuto = 0,   ///< kExact up to 50,000 documents, kHist above: a function of the data alone
  kExact = 1,  ///< between any two neighbouring values
  kHist = 2,   ///< between at most 255 bins of neighbouring values
};

inline TreeMethod Resolve(TreeMethod method, std::size_t n_documents) {
  constexpr std::size_t kMostExact = 50000;
  if (method != TreeMethod::kAuto) return method;
  return n_documents <= kMostExact ? TreeMethod::kExact : TreeMethod::kHist;
}

}  // namespace rankforest
