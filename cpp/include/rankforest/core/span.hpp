#pragma once

#include <cassert>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace rankforest {

/// A borrowed contiguous range: pointer and length. C++17 has no std::span.
template <class T>
class Span {
 public:
  using value_type = std::remove_cv_t<T>;

  constexpr Span() = default;
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}

  /// From a vector; a Span<const T> also from a const one.
  template <class U, class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]>>>
  Span(std::vector<U>& values)  // NOLINT(google-explicit-constructor)
      : data_(values.data()), size_(values.size()) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<const U (*)[], T (*)[]>>>
  Span(const std::vector<U>& values)  // NOLINT(google-explicit-constructor)
      : data_(values.data()), size_(values.size()) {}
  /// From a span of the mutable type.
  template <class U, class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]>>>
  constexpr Span(Span<U> other)  // NOLINT(google-explicit-constructor)
      : data_(other.data()), size_(other.size()) {}

  [[nodiscard]] constexpr T* data() const { return data_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr T* begin() const { return data_; }
  [[nodiscard]] constexpr T* end() const { return data_ + size_; }

  constexpr T& operator[](std::size_t i) const {
    assert(i < size_);
    return data_[i];
  }

  /// The `count` elements from `offset` on.
  [[nodiscard]] constexpr Span subspan(std::size_t offset, std::size_t count) const {
    assert(offset <= size_ && count <= size_ - offset);
    return {data_ + offset, count};
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace rankforest
