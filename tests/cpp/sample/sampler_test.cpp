#include "rankforest/sample/sampler.hpp"

#include <doctest/doctest.h>

#include <cstdint>

#include "support/small_data.hpp"

namespace rankforest {

namespace {

template <class Any>
void CheckDrawsAs(const Any& any, const Dataset& data) {
  CHECK(Sampler(any).draws_all() == any.draws_all());
  const RowSample all = WholeSample(data.n_documents());
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const RowSample expected = any.Draw(data, all, Rng(seed));
    const RowSample drawn = Sampler(any).Draw(data, all, Rng(seed));
    CHECK(drawn.rows == expected.rows);
    CHECK(drawn.counts == expected.counts);
  }
}

}  // namespace

TEST_CASE("a sampler draws as the one that it holds; without any, every row") {
  Rng rng(411);
  const Dataset data = testing::SmallData({}, rng).Make();
  CheckDrawsAs(AllRows(), data);
  CheckDrawsAs(Bootstrap{0.8}, data);
  CheckDrawsAs(SubsampleRows{0.4}, data);
  CheckDrawsAs(SubsampleQueries{0.5}, data);
  const RowSample all = WholeSample(data.n_documents());
  CHECK(Sampler().Draw(data, all, Rng(0)).rows == all.rows);
  CHECK(Sampler().draws_all());
  CHECK_FALSE(Sampler(SubsampleQueries{0.5}).draws_all());
}

}  // namespace rankforest
