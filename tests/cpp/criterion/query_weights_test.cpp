#include "rankforest/criterion/query_weights.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/small_data.hpp"

namespace rankforest {

TEST_CASE("the documents of a query have one weight, those of different queries need not") {
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 1, 0, 1});
  raw.queries = {0, 0, 7, 7};
  CHECK_NOTHROW(RequireQueryWeights(raw.Make(), "an objective"));
  raw.weights = {2, 2, 0.5, 0.5};
  CHECK_NOTHROW(RequireQueryWeights(raw.Make(), "an objective"));
  raw.weights = {2, 2, 0.5, 0.25};
  std::string message;
  try {
    RequireQueryWeights(raw.Make(), "a split criterion");
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  CHECK(message.find("weights must be the same for all documents of a query where a split "
                     "criterion ranks; rows ") == 0);
  CHECK(message.find(" (counted from 0) are of one query and have ") != std::string::npos);
}

}  // namespace rankforest
