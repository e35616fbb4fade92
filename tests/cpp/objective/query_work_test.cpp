#include "rankforest/objective/query_work.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/sample/rows.hpp"
#include "support/small_data.hpp"

namespace rankforest {

TEST_CASE("every query of a sample is worked on once, with its documents in their tie order") {
  Rng rng(53);
  testing::SmallDataOptions options;
  options.n_queries = 30;
  const testing::Prepared prepared(testing::SmallData(options, rng));
  const Dataset& data = prepared.data;
  const RowSample all = WholeSample(data.n_documents());
  const RowSample half = SubsampleRows{0.5}.Draw(data, all, Rng(1));
  for (const int threads : {1, 3}) {
    const TrainingSet training = prepared.training(threads);
    detail::QueryWork work(training);
    for (const RowSample& sample : {all, half}) {
      for (const std::size_t cost : {1U, 100000U}) {  // one task, and one for each query
        std::vector<std::vector<RowId>> found(data.n_queries());
        work.ForEach(
            sample, [cost](std::size_t) { return cost; },
            [&](std::size_t worker, std::size_t query, Span<const RowId> documents) {
              CHECK(worker < static_cast<std::size_t>(threads));
              found[query].insert(found[query].end(), documents.begin(), documents.end());
            });
        std::vector<std::vector<RowId>> expected(data.n_queries());
        for (std::size_t i = 0; i < data.n_documents(); ++i) {
          const RowId row = training.scale_free_order()[i];
          if (!std::binary_search(sample.rows.begin(), sample.rows.end(), row)) continue;
          const auto* const end =
              std::upper_bound(data.offsets().begin(), data.offsets().end(), row);
          expected[static_cast<std::size_t>(end - data.offsets().begin()) - 1].push_back(row);
        }
        CHECK(found == expected);
      }
    }
  }
}

}  // namespace rankforest
