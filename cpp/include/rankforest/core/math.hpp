#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "rankforest/detail/platform.hpp"  // refuses -ffast-math

namespace rankforest {

// The C library picks different code for exp and log2 on different processors, and they differ
// in the last bit. These use only +, -, *, / of IEEE doubles in a fixed order, so they give the
// same bits wherever the compiler does not contract (our builds pass -ffp-contract=off). They
// err by two units in the last place at most, and are exact for whole powers of two.

namespace detail {

/// 2^exponent for exponent in [-1022, 1023].
inline double PowerOfTwo(int exponent) {
  assert(exponent >= -1022 && exponent <= 1023);
  const auto bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
  double value = 0.0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// 2^exponent for exponent >= 0.
constexpr double WholePowerOfTwo(int exponent) {
  double power = 1.0;
  for (int i = 0; i < exponent; ++i) power *= 2.0;
  return power;
}

/// x 2^exponent with one rounding at most, for exponent in [-2044, 2046].
inline double Scale(double x, int exponent) {
  if (exponent > 1023) return x * PowerOfTwo(1023) * PowerOfTwo(exponent - 1023);
  if (exponent < -1022) return x * PowerOfTwo(exponent + 1022) * PowerOfTwo(-1022);
  return x * PowerOfTwo(exponent);
}

/// exp(r) for |r| <= ln(2) / 2: the Taylor sum to degree 13, whose remainder is under 2^-57.
inline double ExpReduced(double r) {
  constexpr double kInverseFactorial[] = {1.0,
                                          1.0,
                                          1.0 / 2,
                                          1.0 / 6,
                                          1.0 / 24,
                                          1.0 / 120,
                                          1.0 / 720,
                                          1.0 / 5040,
                                          1.0 / 40320,
                                          1.0 / 362880,
                                          1.0 / 3628800,
                                          1.0 / 39916800,
                                          1.0 / 479001600,
                                          1.0 / 6227020800.0};
  double sum = kInverseFactorial[13];
  for (int degree = 12; degree >= 0; --degree) sum = sum * r + kInverseFactorial[degree];
  return sum;
}

/// Whether x may be converted to an integer of this type: the others, NaN among them, are undefined
/// behaviour.
template <class Integer>
[[nodiscard]] bool IsWithin(double x) {
  constexpr double kEnd = WholePowerOfTwo(std::numeric_limits<Integer>::digits);
  return x < kEnd && x > (std::numeric_limits<Integer>::is_signed ? -kEnd : -1.0);
}

/// The integer part of a number that is known to be within the type. Every conversion of a
/// floating-point number to an integer goes through here.
template <class Integer>
[[nodiscard]] Integer Truncated(double x) {
  assert(IsWithin<Integer>(x));
  return static_cast<Integer>(x);
}

/// The nearest integer of |x| < 2^31 - 1, halves away from zero.
inline int Nearest(double x) { return Truncated<int>(x < 0.0 ? x - 0.5 : x + 0.5); }

}  // namespace detail

inline constexpr double kLog2E = 1.4426950408889634;

/// e^x. 0 below -745.2, infinity above 709.8, NaN for NaN.
inline double Exp(double x) {
  if (!(x == x)) return x;
  if (x > 709.79) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0.0;
  constexpr double kLn2High = 0x1.62e42fee00000p-1;  // its last 21 bits are 0: k times it is exact
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;  // ln(2) - kLn2High
  const int k = detail::Nearest(x * kLog2E);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  return detail::Scale(detail::ExpReduced(r), k);
}

/// 2^x; exact for whole x. 0 below -1075, infinity from 1024 on, NaN for NaN.
inline double Exp2(double x) {
  if (!(x == x)) return x;
  if (x >= 1024.0) return std::numeric_limits<double>::infinity();
  if (x < -1075.0) return 0.0;
  constexpr double kLn2 = 0.6931471805599453;
  const int k = detail::Nearest(x);
  return detail::Scale(detail::ExpReduced((x - k) * kLn2), k);
}

/// 2^x for x in [-1022, 1023) without a branch, so that loops over it become vector code. Errs by
/// less than four units in the last place; exact for whole x.
inline double Exp2WithoutBranch(double x) {
  assert(x >= -1022.0 && x < 1023.0);
  constexpr double kRound = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const double shifted = x + kRound;
  const double f = x - (shifted - kRound);  // in [-1/2, 1/2], exact
  std::uint64_t bits = 0;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52U;
  double power = 0.0;
  std::memcpy(&power, &bits, sizeof power);
  // The polynomial of degree 10 that has the smallest relative error, 2^-51.6, among those that
  // are 1 at 0. Even and odd powers apart: two short chains of operations instead of a long one.
  const double s = f * f;
  const double even =
      ((((0x1.e8b761c675c38p-28 * s + 0x1.62be68640a005p-20) * s + 0x1.43091387c719ep-13) * s +
        0x1.3b2ab6fb8208ep-7) *
           s +
       0x1.ebfbdff82c61fp-3) *
      s;
  const double odd =
      ((((0x1.b689b4ad4f65fp-24 * s + 0x1.ffcb3f1b1dfa2p-17) * s + 0x1.5d87fea4a755ap-10) * s +
        0x1.c6b08d7039559p-5) *
           s +
       0x1.62e42fefa3a28p-1) *
      f;
  return power * (1.0 + (even + odd));
}

/// The base-2 logarithm of a positive normal number; exact for powers of two.
inline double Log2(double x) {
  assert(x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max());
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  bits = (bits & 0x000FFFFFFFFFFFFFULL) | 0x3FF0000000000000ULL;
  double m = 0.0;  // x = m 2^exponent, m in [1, 2), then in (0.70, 1.42]
  std::memcpy(&m, &bits, sizeof m);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  // ln(m) = 2 artanh(s) = 2 (s + s^3 / 3 + s^5 / 5 + ...), |s| < 0.172.
  const double s = (m - 1.0) / (m + 1.0);
  const double square = s * s;
  double sum = 0.0;
  for (int odd = 23; odd >= 3; odd -= 2) sum = (sum + 1.0 / odd) * square;
  constexpr double kTwoLog2E = 2.8853900817779268;
  return exponent + kTwoLog2E * (s + s * sum);
}

/// The nearest float32; what lies beyond the largest finite one becomes that.
inline float ToFiniteFloat(double x) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(x > kLargest ? kLargest : x < -kLargest ? -kLargest : x);
}

/// 1 / (1 + e^-x).
inline double Sigmoid(double x) { return 1.0 / (1.0 + Exp(-x)); }

/// 1 / log2(r + 2) for the ranks r = 0, 1, ..., size - 1: the discount of DCG.
inline std::vector<double> LogDiscounts(std::size_t size) {
  std::vector<double> discounts(size);
  for (std::size_t r = 0; r < size; ++r) discounts[r] = 1.0 / Log2(static_cast<double>(r) + 2.0);
  return discounts;
}

}  // namespace rankforest
