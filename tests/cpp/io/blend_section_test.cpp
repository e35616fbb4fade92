#include "rankforest/io/blend_section.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/io/model_codec.hpp"
#include "rankforest/score/reference.hpp"
#include "support/random_ensemble.hpp"
#include "support/section_surgery.hpp"

namespace rankforest {

namespace {

const std::vector<Blend> kTwoBlends{{Combine::kZScore, {{1, 2.5}}},
                                    {Combine::kMinMax, {{0, 1.0}, {2, 0.5}}}};

Bytes BlendBytes() {
  ByteWriter out;
  out.Put(std::uint64_t{2});
  out.Put(3U);
  out.Put(1U);
  out.Put(2.5);
  out.Put(std::uint64_t{1});
  out.Put(1U);
  out.Put(2U);
  out.Put(1.0);
  out.Put(std::uint64_t{0});
  out.Put(0.5);
  out.Put(std::uint64_t{2});
  return std::move(out).Take();
}

}  // namespace

TEST_CASE("blends are written number by number as the format says, and come back") {
  CHECK(EncodeBlends(kTwoBlends) == BlendBytes());
  CHECK(DecodeBlends(BlendBytes()) == kTwoBlends);
}

TEST_CASE("counts and codes of blends that cannot be are refused") {
  const auto refuses = [](std::size_t at, auto value) {
    Bytes bytes = BlendBytes();
    testing::Overwrite(bytes, at, value);
    CHECK_THROWS_AS(DecodeBlends(bytes), std::invalid_argument);
  };
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, most}) {
    refuses(0, count);
  }
  for (const std::uint32_t code : {4U, 256U, 0xFFFFFFFFU}) refuses(8, code);
  for (const std::uint32_t count : {0U, 2U, 0xFFFFFFFFU}) refuses(12, count);
  refuses(24, std::uint64_t{1} << 32);
  for (std::size_t size = 0; size < BlendBytes().size(); ++size) {
    CHECK_THROWS_AS(DecodeBlends(ByteView(BlendBytes()).subspan(0, size)), std::invalid_argument);
  }
}

TEST_CASE("the section of blends is critical, and there only where there are blends") {
  Rng rng(131);
  Ensemble ensemble = testing::BlendedEnsemble(3, rng);
  const auto sections = testing::TakeApart(EncodeModel(ensemble, {}));
  CHECK(sections.back().name == "BLND");
  CHECK(sections.back().critical);
  CHECK(sections.front().bytes[0] == 0);  // the combination of readers without blends: the sum
  ensemble.blends.clear();
  CHECK(testing::TakeApart(EncodeModel(ensemble, {})).back().name == "SUMM");
}

TEST_CASE("a section of blends with wrong numbers and right checksums is refused or scores") {
  Rng rng(132);
  const Ensemble ensemble = testing::BlendedEnsemble(3, rng);
  const std::vector<float> values = testing::RandomFeatures(20 * 3, rng);
  const FeatureMatrix features{values.data(), 20, 3, 3};
  std::vector<QueryId> codes(20);
  for (QueryId& code : codes) code = rng.Below(4);
  const auto sections = testing::TakeApart(EncodeModel(ensemble, {}));
  int n_refused = 0;
  int n_scored = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    auto changed = sections;
    Bytes& bytes = changed.back().bytes;
    const auto size = static_cast<std::uint32_t>(bytes.size());
    for (std::uint32_t n = rng.Below(3); n < 3; ++n) {
      bytes[rng.Below(size)] = static_cast<std::uint8_t>(rng.Below(256));
    }
    if (rng.Below(8) == 0) bytes.resize(rng.Below(size + 8));
    try {
      const Model model = DecodeModel(testing::PutTogether(changed));
      for (const double score : Score(model.ensemble, features, codes)) CHECK(score == score);
      ++n_scored;
    } catch (const std::invalid_argument&) {
      ++n_refused;
    }
  }
  CHECK(n_refused > 500);
  CHECK(n_scored > 100);
}

}  // namespace rankforest
