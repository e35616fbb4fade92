#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rankforest::detail {

// Sums of numbers that bytes choose from tables: the leaves that documents reach in trees.

/// Up to 256 numbers.
struct FloatTable {
  const float* values;
  std::size_t size;
};

/// How many sums there are.
inline constexpr std::size_t kTableSums = 64;

/// Adds to sums[j] what tables 0, 1, ..., in this order, have at places bytes[j],
/// bytes[kTableSums + j], ...
template <std::size_t kTables>
[[gnu::always_inline]] inline void AddFromTables(const std::array<FloatTable, kTables>& tables,
                                                 const std::int8_t* bytes, double* sums) {
  // Eight bytes are one word: fewer loads, and shifts that keep compilers from making slow gathers
  // of the rest.
  for (std::size_t begin = 0; begin < kTableSums; begin += 8) {
    std::array<double, 8> eight;
    std::memcpy(eight.data(), sums + begin, sizeof eight);
    for (std::size_t k = 0; k < kTables; ++k) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + kTableSums * k + begin, sizeof word);
      for (double& sum : eight) {
        sum += static_cast<double>(tables[k].values[word & 255U]);
        word >>= 8U;
      }
    }
    std::memcpy(sums + begin, eight.data(), sizeof eight);
  }
}

/// What AddFromTablesAvx512 can hold of a table.
inline constexpr std::size_t kMostInRegisters = 64;

#if defined(__GNUC__) && defined(__x86_64__)
/// Places 16 `part` to 16 `part` + 15 of a table; beyond its end they are 0.
[[gnu::target("avx512f"), gnu::always_inline]] inline __m512 LoadPart(const FloatTable& table,
                                                                      std::size_t part) {
  const std::size_t begin = std::min(16 * part, table.size);
  const std::size_t n = std::min<std::size_t>(table.size - begin, 16);
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << n) - 1U), table.values + begin);
}

/// The same sums, of tables of up to kMostInRegisters numbers, by permutations of registers.
/// HasAvx512() must hold.
template <std::size_t kTables>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void AddFromTablesAvx512(
    const std::array<FloatTable, kTables>& tables, const std::int8_t* bytes, double* sums) {
  constexpr std::size_t kRegisters = kTableSums / 8;
  __m512d totals[kRegisters];
  for (std::size_t i = 0; i < kRegisters; ++i) totals[i] = _mm512_loadu_pd(sums + 8 * i);
  for (std::size_t k = 0; k < kTables; ++k) {
    const __m512 parts[] = {LoadPart(tables[k], 0), LoadPart(tables[k], 1), LoadPart(tables[k], 2),
                            LoadPart(tables[k], 3)};
    for (std::size_t i = 0; i < kRegisters; i += 2) {
      const auto* from = reinterpret_cast<const __m128i*>(bytes + kTableSums * k + 8 * i);
      const __m512i places = _mm512_maskz_cvtepu8_epi32(0xFFFF, _mm_loadu_si128(from));
      const __mmask16 is_high = _mm512_test_epi32_mask(places, _mm512_set1_epi32(32));
      // A permutation looks at the lowest five bits.
      const __m512 low = _mm512_permutex2var_ps(parts[0], places, parts[1]);
      const __m512 high = _mm512_permutex2var_ps(parts[2], places, parts[3]);
      const __m512 chosen = _mm512_mask_mov_ps(low, is_high, high);
      // With masks of ones: g++ 12 warns of what it makes of the functions without.
      const __m256 front = _mm512_maskz_extractf32x8_ps(0xFF, chosen, 0);
      const __m256 back = _mm512_maskz_extractf32x8_ps(0xFF, chosen, 1);
      totals[i] = _mm512_add_pd(totals[i], _mm512_maskz_cvtps_pd(0xFF, front));
      totals[i + 1] = _mm512_add_pd(totals[i + 1], _mm512_maskz_cvtps_pd(0xFF, back));
    }
  }
  for (std::size_t i = 0; i < kRegisters; ++i) _mm512_storeu_pd(sums + 8 * i, totals[i]);
}
#else
template <std::size_t kTables>
void AddFromTablesAvx512(const std::array<FloatTable, kTables>& tables, const std::int8_t* bytes,
                         double* sums) {
  AddFromTables(tables, bytes, sums);
}
#endif

}  // namespace rankforest::detail
