#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankforest/core/span.hpp"

namespace rankforest {

using Bytes = std::vector<std::uint8_t>;
using ByteView = Span<const std::uint8_t>;

/// The bytes of a text.
inline ByteView TextBytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The text of some bytes.
inline std::string ToText(ByteView bytes) { return {bytes.begin(), bytes.end()}; }

namespace detail {

template <class T>
using UnsignedOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// A number of 4 or 8 bytes from its little-endian form, whatever the machine's own.
template <class T>
T LoadLittleEndian(const std::uint8_t* from) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
  UnsignedOf<T> bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) bits |= UnsignedOf<T>{from[i]} << (8 * i);
  T value{};
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
void StoreLittleEndian(T value, std::uint8_t* to) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
  UnsignedOf<T> bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  for (std::size_t i = 0; i < sizeof(T); ++i) to[i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

}  // namespace detail

/// Appends numbers in little-endian form.
class ByteWriter {
 public:
  template <class T>
  void Put(T value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    detail::StoreLittleEndian(value, bytes_.data() + at);
  }
  void PutBytes(ByteView bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  /// Appends zeros up to `size` bytes.
  void PadTo(std::size_t size) { bytes_.resize(size); }
  void Reserve(std::size_t size) { bytes_.reserve(size); }
  [[nodiscard]] ByteView bytes() const { return bytes_; }
  [[nodiscard]] Bytes Take() && { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

/// Reads numbers in little-endian form, front to back; never beyond the end.
class ByteReader {
 public:
  /// @param name  of the bytes, for messages
  ByteReader(std::string name, ByteView bytes) : name_(std::move(name)), rest_(bytes) {}

  template <class T>
  T Get() {
    return detail::LoadLittleEndian<T>(Take(1, sizeof(T)).data());
  }

  /// The bytes of `count` records of `record_size`. Throws std::invalid_argument if there are not
  /// so many left, so that nobody allocates for more records than the bytes hold.
  ByteView Take(std::uint64_t count, std::size_t record_size) {
    if (count > rest_.size() / record_size) {
      throw std::invalid_argument(name_ + " ends early: " + std::to_string(rest_.size()) +
                                  " bytes are left where " + std::to_string(count) + " times " +
                                  std::to_string(record_size) + " are announced");
    }
    const std::size_t size = static_cast<std::size_t>(count) * record_size;
    const ByteView taken = rest_.subspan(0, size);
    rest_ = rest_.subspan(size, rest_.size() - size);
    return taken;
  }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  /// Throws std::invalid_argument unless everything has been read.
  void RequireEnd() const {
    if (!rest_.empty()) {
      throw std::invalid_argument(name_ + " has " + std::to_string(rest_.size()) +
                                  " bytes beyond what it announces");
    }
  }

 private:
  std::string name_;
  ByteView rest_;
};

}  // namespace rankforest
