#include "rankforest/detail/platform_tables.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest::detail {

namespace {

/// Tables of random numbers and random places in them.
struct Case {
  std::vector<std::vector<float>> values;
  std::vector<std::int8_t> bytes;

  Case(const std::vector<std::size_t>& sizes, Rng& rng) {
    for (const std::size_t size : sizes) {
      values.emplace_back();
      for (std::size_t i = 0; i < size; ++i) {
        values.back().push_back(static_cast<float>(rng.Uniform() - 0.5) / 3.0F);
      }
      for (std::size_t j = 0; j < kTableSums; ++j) {
        bytes.push_back(static_cast<std::int8_t>(rng.Below(static_cast<std::uint32_t>(size))));
      }
    }
  }

  template <std::size_t kTables>
  [[nodiscard]] std::array<FloatTable, kTables> Tables() const {
    std::array<FloatTable, kTables> tables;
    for (std::size_t k = 0; k < kTables; ++k) tables[k] = {values[k].data(), values[k].size()};
    return tables;
  }

  /// By definition.
  [[nodiscard]] std::vector<double> Expected(std::vector<double> sums) const {
    for (std::size_t k = 0; k < values.size(); ++k) {
      for (std::size_t j = 0; j < kTableSums; ++j) {
        sums[j] += values[k][static_cast<std::uint8_t>(bytes[kTableSums * k + j])];
      }
    }
    return sums;
  }
};

template <std::size_t kTables>
void Check(const std::vector<std::size_t>& sizes, bool in_registers, Rng& rng) {
  REQUIRE(sizes.size() == kTables);
  const Case given(sizes, rng);
  const std::vector<double> before(kTableSums, 0.1);
  std::vector<double> sums = before;
  AddFromTables(given.Tables<kTables>(), given.bytes.data(), sums.data());
  CHECK(sums == given.Expected(before));
  if (!in_registers || !HasAvx512()) return;
  sums = before;
  AddFromTablesAvx512(given.Tables<kTables>(), given.bytes.data(), sums.data());
  CHECK(sums == given.Expected(before));
}

}  // namespace

TEST_CASE("sums of a table of two numbers") {
  const std::vector<float> values{0.5F, -std::numeric_limits<float>::infinity()};
  std::vector<std::int8_t> bytes(kTableSums);
  bytes[63] = 1;
  std::vector<double> sums(kTableSums, 1.0);
  AddFromTables<1>({{{values.data(), 2}}}, bytes.data(), sums.data());
  CHECK(sums[0] == 1.5);
  CHECK(sums[62] == 1.5);
  CHECK(sums[63] == -std::numeric_limits<double>::infinity());
}

TEST_CASE("one table of every size gives the sums of the definition, bit for bit") {
  Rng rng(91);
  for (std::size_t size = 1; size <= 256; ++size) Check<1>({size}, size <= kMostInRegisters, rng);
}

TEST_CASE("numbers of several tables are added in their order, bit for bit") {
  Rng rng(92);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<std::size_t> small(8);
    for (std::size_t& size : small) size = 1 + rng.Below(kMostInRegisters);
    Check<8>(small, true, rng);
    std::vector<std::size_t> large(3);
    for (std::size_t& size : large) size = 1 + rng.Below(256);
    Check<3>(large, false, rng);
  }
}

}  // namespace rankforest::detail
