#pragma once

#include <memory>
#include <type_traits>
#include <vector>

namespace rankforest::detail {

/// std::allocator, except that a vector's resize() leaves new numbers unset. The pages of a large
/// matrix are then first touched by the threads that fill it, not by the one that allocates it.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
  static_assert(std::is_arithmetic_v<T>);

  template <class U>
  struct rebind {  // NOLINT(readability-identifier-naming): the standard's name
    using other = UninitializedAllocator<U>;
  };

  /// Of a number without a value; the standard makes those with one.
  template <class U>
  void construct(U* /*place*/) const noexcept {}  // NOLINT(readability-identifier-naming)
};

template <class T>
using UninitializedVector = std::vector<T, UninitializedAllocator<T>>;

}  // namespace rankforest::detail
