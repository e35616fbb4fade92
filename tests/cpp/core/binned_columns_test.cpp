#include "rankforest/core/binned_columns.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/presorted.hpp"
#include "rankforest/core/rng.hpp"
#include "support/column_data.hpp"

namespace rankforest {

using testing::FewValues;
using testing::FromColumns;
using testing::kNaN;
using testing::ManyValues;
using testing::Values;

TEST_CASE("a column has every document's bin, and the ranges of the bins") {
  Rng rng(171);
  const Dataset data = FromColumns({{3, -0.0F, kNaN, 3, 0}}, rng).Make();
  const BinnedColumns columns(data, Threads{1});
  REQUIRE(columns.n_features() == 1);
  const BinnedColumn& column = columns.column(0);
  CHECK(column.n_values() == 2);
  CHECK(column.missing_code() == 2);
  CHECK(column.Lowest(1) == 3.0F);
  CHECK(column.Highest(0) == 0.0F);
  CHECK_FALSE(column.is_constant());
  const std::vector<Bin> by_row = {1, 0, 2, 1, 0};
  for (RowId d = 0; d < 5; ++d) CHECK(column.codes[d] == by_row[data.order()[d]]);
}

TEST_CASE("codes are the bins of the values, for any number of threads and documents") {
  Rng rng(172);
  for (const std::size_t n : {1U, 4096U, 5000U}) {
    std::vector<Values> values = {ManyValues(n, rng), Values(n, kNaN)};
    for (std::uint32_t f = 0; f < 20; ++f) values.push_back(FewValues(n, 1 + f, f, rng));
    const Dataset data = FromColumns(values, rng).Make();
    for (int threads = 1; threads <= 3; ++threads) {
      const BinnedColumns columns(data, Threads{threads});
      for (FeatureId f = 0; f < data.n_features(); ++f) {
        const FeatureBins& bins = columns.column(f).bins;
        std::vector<Bin> expected;
        for (RowId d = 0; d < n; ++d) expected.push_back(bins.BinOf(data.Features(d)[f]));
        INFO(n, " documents, ", threads, " threads, feature ", f);
        CHECK(columns.column(f).codes == expected);
      }
    }
  }
}

TEST_CASE("where a feature has few values its bins are the ranks of the presorted column") {
  Rng rng(173);
  const Dataset data = FromColumns({FewValues(900, 40, 10, rng), FewValues(900, 255, 0, rng),
                                    Values(900, 1.0F), Values(900, kNaN)},
                                   rng)
                           .Make();
  const BinnedColumns binned(data, Threads{1});
  const Presorted presorted(data, Threads{1});
  for (FeatureId f = 0; f < 4; ++f) {
    const BinnedColumn& column = binned.column(f);
    const PresortedColumn& sorted = presorted.column(f);
    CHECK(column.is_constant() == sorted.is_constant());
    for (RowId d = 0; d < 900; ++d) {
      if (std::isnan(data.Features(d)[f])) {
        REQUIRE(column.codes[d] == column.missing_code());
        continue;
      }
      REQUIRE(column.codes[d] == sorted.codes[d]);
      REQUIRE(column.Lowest(column.codes[d]) == sorted.Lowest(sorted.codes[d]));
      REQUIRE(column.Highest(column.codes[d]) == sorted.Highest(sorted.codes[d]));
    }
  }
}

}  // namespace rankforest
