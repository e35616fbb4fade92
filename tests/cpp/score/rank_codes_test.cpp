#include "rankforest/score/rank_codes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/scored_trees.hpp"
#include "support/special_floats.hpp"

namespace rankforest::detail {

using testing::kInf;
using testing::kNaN;

namespace {

int CodeOf(const BlockBytes& bytes, std::size_t j) { return bytes.values[j] + 128; }

}  // namespace

TEST_CASE("a code is the number of thresholds below the value") {
  const RankCodes codes({{3, 1.0F}, {1, 2.0F}, {3, -0.0F}, {3, 0.0F}, {3, 1.0F}});
  CHECK(codes.n_features() == 2);
  CHECK(codes.n_columns() == 2);
  CHECK(codes.n_thresholds() == 3);
  CHECK(codes.Find(1, 2.0F).column == 0);
  CHECK(codes.Find(3, 0.0F).column == 1);
  CHECK(codes.Find(3, 0.0F).code == -128);
  CHECK(codes.Find(3, 1.0F).code == -127);
  const std::vector<float> x{9, 2, 9, -0.0F, 9, 3, 9, 0.5F, 9, -kInf, 9, 1.0F, 9, kInf, 9, kInf};
  std::vector<BlockBytes> out(2);
  std::vector<BlockBytes> nans(2);
  CHECK_FALSE(codes.Encode({x.data(), 4, 4, 4}, out.data(), nans.data()));
  CHECK(CodeOf(out[0], 0) == 0);
  CHECK(CodeOf(out[0], 1) == 1);
  CHECK(CodeOf(out[0], 2) == 0);
  CHECK(CodeOf(out[0], 3) == 1);
  CHECK(CodeOf(out[1], 0) == 0);
  CHECK(CodeOf(out[1], 1) == 1);
  CHECK(CodeOf(out[1], 2) == 1);
  CHECK(CodeOf(out[1], 3) == 2);
  CHECK(CodeOf(out[1], 63) == 2);  // the last document fills up the block
}

TEST_CASE("NaN has the lowest code and a mark") {
  const RankCodes codes({{0, 1.0F}, {1, 1.0F}});
  const std::vector<float> x{kNaN, 2.0F, 2.0F, 2.0F};
  std::vector<BlockBytes> out(2);
  std::vector<BlockBytes> nans(2);
  nans[1].values.fill(-1);
  CHECK(codes.Encode({x.data(), 2, 2, 2}, out.data(), nans.data()));
  CHECK(CodeOf(out[0], 0) == 0);
  CHECK(CodeOf(out[0], 1) == 1);
  CHECK(nans[0].values[0] == -1);
  CHECK(nans[0].values[1] == 0);
  CHECK(nans[1].values[0] == 0);
  std::vector<std::int8_t> row(2);
  std::vector<std::int8_t> row_nans(2, -1);
  CHECK(codes.EncodeRow(x.data(), row.data(), row_nans.data()));
  CHECK(row == std::vector<std::int8_t>{-128, -127});
  CHECK(row_nans == std::vector<std::int8_t>{-1, 0});
  CHECK_FALSE(codes.EncodeRow(x.data() + 2, row.data(), row_nans.data()));
}

TEST_CASE("codes answer every split as the values do, however many thresholds there are") {
  Rng rng(42);
  std::vector<std::uint32_t> sizes{63, 64, 65, 254, 255, 256, 257, 270, 271, 272, 600, 1021};
  for (std::uint32_t size = 1; size <= 34; ++size) sizes.push_back(size);
  for (const std::uint32_t n_thresholds : sizes) {
    testing::TreeStyle style;
    style.n_thresholds = n_thresholds;
    std::vector<std::pair<FeatureId, float>> splits;
    for (std::uint32_t k = 0; k < n_thresholds; ++k) {
      splits.emplace_back(1, testing::ThresholdOf(k));
    }
    splits.emplace_back(1, kInf);
    const RankCodes codes(splits);
    CHECK(codes.n_columns() == (codes.n_thresholds() + 254) / 255);
    const std::vector<float> x = testing::TrickyFeatures(kBlock * 2, style, 9, rng);
    std::vector<BlockBytes> out(codes.n_columns());
    std::vector<BlockBytes> nans(codes.n_columns());
    codes.Encode({x.data(), kBlock, 2, 2}, out.data(), nans.data());
    for (const auto& [feature, threshold] : splits) {
      const CodedThreshold found = codes.Find(feature, threshold);
      for (std::size_t j = 0; j < kBlock; ++j) {
        const float value = x[2 * j + 1];
        CHECK((out[found.column].values[j] > found.code) == (value > threshold));
        if (std::isnan(value)) CHECK(nans[found.column].values[j] == -1);
      }
      CHECK(codes.FeatureOf(found.column) == feature);
      CHECK(codes.ThresholdOf(found) == threshold);
    }
    // The codes of a document alone are those that it has in a block.
    std::vector<std::int8_t> row(codes.n_columns());
    std::vector<std::int8_t> row_nans(codes.n_columns());
    for (std::size_t j = 0; j < kBlock; ++j) {
      const bool has_nan = codes.EncodeRow(x.data() + 2 * j, row.data(), row_nans.data());
      CHECK(has_nan == std::isnan(x[2 * j + 1]));
      for (std::size_t c = 0; c < row.size(); ++c) {
        CHECK(row[c] == out[c].values[j]);
        if (has_nan) CHECK(row_nans[c] == -1);
      }
    }
  }
}

}  // namespace rankforest::detail
