#include "rankforest/core/code_rows.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/column_data.hpp"

namespace rankforest {

using testing::FewValues;
using testing::FromColumns;
using testing::kNaN;
using testing::ManyValues;
using testing::Values;

TEST_CASE("a row has a document's bin of each feature") {
  Rng rng(175);
  const Dataset data = FromColumns({{3, -1, kNaN}, {7, 7, 8}}, rng).Make();
  const CodeRows rows(BinnedColumns(data, Threads{1}), Threads{1});
  CHECK(rows.n_features() == 2);
  const std::vector<std::vector<Bin>> by_row = {{1, 0}, {0, 0}, {2, 1}};
  for (RowId d = 0; d < 3; ++d) {
    CHECK(std::vector<Bin>(rows[d], rows[d] + 2) == by_row[data.order()[d]]);
  }
}

TEST_CASE("rows are the columns turned around, for any number of threads and documents") {
  Rng rng(176);
  for (const std::size_t n : {1U, 256U, 1000U}) {
    std::vector<Values> values = {ManyValues(n, rng), Values(n, kNaN)};
    for (std::uint32_t f = 0; f < 70; ++f) values.push_back(FewValues(n, 1 + f, f, rng));
    const Dataset data = FromColumns(values, rng).Make();
    const BinnedColumns columns(data, Threads{1});
    for (int threads = 1; threads <= 3; ++threads) {
      const CodeRows rows(columns, Threads{threads});
      std::size_t n_other = 0;
      for (RowId d = 0; d < n; ++d) {
        rows.Prefetch(d);
        for (FeatureId f = 0; f < data.n_features(); ++f) {
          n_other += rows[d][f] == columns.column(f).codes[d] ? 0U : 1U;
        }
      }
      INFO(n, " documents, ", threads, " threads");
      CHECK(n_other == 0);
    }
  }
}

}  // namespace rankforest
