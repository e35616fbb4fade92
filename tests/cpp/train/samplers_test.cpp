#include "rankforest/train/samplers.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

template <class AnySampler>
std::vector<RowId> Rows(const AnySampler& sampler) {
  Rng rng(531);
  testing::SmallDataOptions options;
  options.n_queries = 12;
  const Dataset data = testing::SmallData(options, rng).Make();
  return sampler.Draw(data, WholeSample(data.n_documents()), Rng(5)).rows;
}

}  // namespace

TEST_CASE("a sample is of documents with or without replacement, or of queries without") {
  CHECK(Rows(SamplerOf({1.0, SampleUnit::kDocument, false})) == Rows(AllRows()));
  CHECK(Rows(SamplerOf({0.5, SampleUnit::kDocument, false})) == Rows(SubsampleRows{0.5}));
  CHECK(Rows(SamplerOf({1.0, SampleUnit::kDocument, true})) == Rows(Bootstrap{1.0}));
  CHECK(Rows(SamplerOf({0.5, SampleUnit::kDocument, true})) == Rows(Bootstrap{0.5}));
  CHECK(Rows(SamplerOf({0.5, SampleUnit::kQuery, false})) == Rows(SubsampleQueries{0.5}));
  CHECK(Rows(SamplerOf({0.5, SampleUnit::kQuery, true})) == Rows(SubsampleQueries{0.5}));
  CHECK(Rows(SamplerOf({1.0, SampleUnit::kQuery, true})) == Rows(AllRows()));
}

}  // namespace rankforest
