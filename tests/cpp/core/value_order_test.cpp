#include "rankforest/core/value_order.hpp"

#include <doctest/doctest.h>

#include <cmath>
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

namespace {

/// A data set and its layouts.
struct Ordered {
  Dataset data;
  Presorted presorted;
  BinnedColumns binned;
  ValueOrder order;

  Ordered(const std::vector<Values>& values, Rng& rng, int n_threads)
      : data(FromColumns(values, rng).Make()),
        presorted(data, Threads{1}),
        binned(data, Threads{1}),
        order(presorted, binned, Threads{n_threads}) {}
};

}  // namespace

TEST_CASE("a feature of few values has bins of one value each, and no order") {
  Rng rng(181);
  const Ordered ordered({{3, -0.0F, kNaN, 3, 0, 7}}, rng, 1);
  const BinContents& contents = ordered.order.of(0);
  CHECK(contents.end_code == std::vector<Code>{1, 2, 3});
  for (std::size_t bin = 0; bin < 3; ++bin) CHECK_FALSE(contents.HasSeveralValues(bin));
  CHECK(contents.documents.empty());
}

TEST_CASE("documents come by value, bin after bin, those with NaN nowhere") {
  Rng rng(182);
  constexpr std::size_t kDocuments = 3000;
  Values gaps = ManyValues(kDocuments, rng);
  for (std::size_t i = 0; i < kDocuments; i += 3) gaps[i] = kNaN;
  for (const int n_threads : {1, 3}) {
    const Ordered ordered({ManyValues(kDocuments, rng), gaps, FewValues(kDocuments, 5, 5, rng)},
                          rng, n_threads);
    for (FeatureId f = 0; f < 2; ++f) {
      const BinContents& contents = ordered.order.of(f);
      const PresortedColumn& values = ordered.presorted.column(f);
      const BinnedColumn& bins = ordered.binned.column(f);
      REQUIRE(contents.first.size() == bins.n_values() + 1);
      CHECK(contents.end_code.back() == values.n_values());
      CHECK(contents.documents.size() == (f == 0 ? kDocuments : kDocuments - 1000));
      Code code = 0;
      std::size_t n_several = 0;
      for (std::size_t bin = 0; bin < bins.n_values(); ++bin) {
        n_several += contents.HasSeveralValues(bin) ? 1U : 0U;
        for (std::size_t i = contents.first[bin]; i < contents.first[bin + 1]; ++i) {
          const RowId document = contents.documents[i];
          REQUIRE(bins.codes[document] == bin);
          REQUIRE(values.codes[document] >= contents.FirstCode(bin));
          REQUIRE(values.codes[document] < contents.end_code[bin]);
          const bool is_new = i == 0 || values.codes[document] != code;
          REQUIRE(contents.is_new[i] == (is_new ? 1 : 0));
          REQUIRE(values.codes[document] >= code);
          code = values.codes[document];
        }
      }
      CHECK(n_several > 200);
    }
    CHECK(ordered.order.of(2).documents.empty());
  }
}

}  // namespace rankforest
