#pragma once

namespace rankforest::testing {

/// How many of `all` random trials to make: an eighth under ThreadSanitizer, all of them elsewhere.
/// It makes a program ten times slower, and the races that it looks for show in a few trials.
template <class Count>
constexpr Count Trials(Count all) {
#ifdef __SANITIZE_THREAD__
  return (all + 7) / 8;
#else
  return all;
#endif
}

}  // namespace rankforest::testing
