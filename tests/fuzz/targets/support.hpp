#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

namespace rankforest::fuzz {

/// Ends the program unless `holds`.
inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "this does not hold: %s\n", what);
  std::abort();
}

/// Takes an input apart from the front; gives zeros where nothing is left.
class Reader {
 public:
  Reader(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  [[nodiscard]] std::size_t left() const { return size_; }

  template <class T>
  T Take() {
    T value{};
    const std::size_t n = size_ < sizeof(value) ? size_ : sizeof(value);
    if (n > 0) std::memcpy(&value, data_, n);
    data_ += n;
    size_ -= n;
    return value;
  }

  /// A number in [0, bound); bound is 256 at most.
  std::uint32_t Below(std::uint32_t bound) { return Take<std::uint8_t>() % bound; }

  /// All that is left.
  std::string_view Rest() {
    const std::string_view rest(reinterpret_cast<const char*>(data_), size_);
    size_ = 0;
    return rest;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

/// Whether two numbers are the same bits.
inline bool SameBits(double a, double b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }
inline bool SameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

}  // namespace rankforest::fuzz
