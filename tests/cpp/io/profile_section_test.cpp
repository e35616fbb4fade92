#include "rankforest/io/profile_section.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "rankforest/core/profile_of.hpp"
#include "rankforest/core/rng.hpp"
#include "support/small_data.hpp"

namespace rankforest {

TEST_CASE("a profile is numbers in the order of features") {
  const DataProfile profile{3, {{1, 0.5F, 2.0F, {1.0F}, {1, 1}}}};
  const Bytes bytes = EncodeProfile(profile);
  ByteReader in("test", bytes);
  CHECK(in.Get<std::uint64_t>() == 3);  // documents
  CHECK(in.Get<std::uint64_t>() == 1);  // features
  CHECK(in.Get<std::uint64_t>() == 1);  // missing
  CHECK(in.Get<float>() == 0.5F);
  CHECK(in.Get<float>() == 2.0F);
  CHECK(in.Get<std::uint64_t>() == 1);  // edges
  CHECK(in.Get<float>() == 1.0F);
  CHECK(in.Get<std::uint64_t>() == 1);
  CHECK(in.Get<std::uint64_t>() == 1);
  in.RequireEnd();
}

TEST_CASE("profiles of data come back equal, and cut ones are refused") {
  Rng rng(95);
  for (int trial = 0; trial < 20; ++trial) {
    testing::SmallDataOptions options;
    options.nan_in_100 = trial == 0 ? 100 : 20;
    const DataProfile profile = ProfileOf(testing::SmallData(options, rng).Make());
    const Bytes bytes = EncodeProfile(profile);
    CHECK(DecodeProfile(bytes) == profile);
    const ByteView whole = bytes;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CHECK_THROWS_AS(DecodeProfile(whole.subspan(0, size)), std::invalid_argument);
    }
  }
}

TEST_CASE("huge counts in few bytes allocate next to nothing") {
  const Bytes good = EncodeProfile({3, {{1, 0.5F, 2.0F, {1.0F}, {1, 1}}}});
  for (const std::size_t at : {8U, 32U}) {  // features, edges
    Bytes bytes = good;
    detail::StoreLittleEndian(~std::uint64_t{0}, bytes.data() + at);
    CHECK_THROWS_AS(DecodeProfile(bytes), std::invalid_argument);
  }
}

}  // namespace rankforest
