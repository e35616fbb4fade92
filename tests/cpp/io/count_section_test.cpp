#include "rankforest/io/count_section.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rankforest/io/model_codec.hpp"
#include "support/hand_made_trees.hpp"

namespace rankforest {

namespace {

/// Two trees, the first of which has no counts.
Ensemble CountedModel() {
  Tree counted = testing::ThreeWayTree();
  counted.counts = {7, 0, 300, 1};
  Ensemble ensemble;
  ensemble.n_features = 2;
  ensemble.members = {
      {0.0, {{1.0, Reduction::kSum, 1, {testing::Stump(0, 1, 2), std::move(counted)}}}}};
  return ensemble;
}

const std::vector<std::uint32_t>& CountsOf(const Ensemble& ensemble, std::size_t tree) {
  return ensemble.members[0].groups[0].trees[tree].counts;
}

Ensemble WithoutCounts(Ensemble ensemble) {
  for (Tree& tree : ensemble.members[0].groups[0].trees) tree.counts.clear();
  return ensemble;
}

}  // namespace

TEST_CASE("counts are numbers in the order of trees and leaves") {
  const Bytes bytes = EncodeCounts(CountedModel());
  ByteReader in("test", bytes);
  CHECK(in.Get<std::uint64_t>() == 2);
  CHECK(in.Get<std::uint32_t>() == 0);
  CHECK(in.Get<std::uint32_t>() == 4);
  for (const std::uint32_t count : {7U, 0U, 300U, 1U}) CHECK(in.Get<std::uint32_t>() == count);
  in.RequireEnd();
}

TEST_CASE("counts come back equal, and cut ones and those of other trees are refused") {
  const Ensemble counted = CountedModel();
  const Bytes bytes = EncodeCounts(counted);
  Ensemble read = WithoutCounts(counted);
  DecodeCounts(bytes, read);
  CHECK(CountsOf(read, 0).empty());
  CHECK(CountsOf(read, 1) == CountsOf(counted, 1));
  const ByteView whole = bytes;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_THROWS_AS(DecodeCounts(whole.subspan(0, size), read), std::invalid_argument);
  }
  Ensemble shorter = WithoutCounts(counted);
  shorter.members[0].groups[0].trees.pop_back();
  CHECK_THROWS_AS(DecodeCounts(bytes, shorter), std::invalid_argument);
}

TEST_CASE("huge numbers of trees or leaves allocate nothing") {
  const Bytes good = EncodeCounts(CountedModel());
  Ensemble read = WithoutCounts(CountedModel());
  Bytes trees = good;
  for (std::size_t i = 0; i < 8; ++i) trees.at(i) = 0xFF;
  CHECK_THROWS_AS(DecodeCounts(trees, read), std::invalid_argument);
  Bytes leaves = good;
  for (std::size_t i = 12; i < 16; ++i) leaves.at(i) = 0xFF;
  CHECK_THROWS_AS(DecodeCounts(leaves, read), std::invalid_argument);
}

TEST_CASE("a model file has counts where the model has, and no section where it has none") {
  const Ensemble counted = CountedModel();
  const Model read = DecodeModel(EncodeModel(counted, {}));
  CHECK(read.ensemble == counted);
  CHECK(CountsOf(read.ensemble, 1) == CountsOf(counted, 1));
  const Bytes plain = EncodeModel(WithoutCounts(counted), {});
  for (const Section& section : DecodeSections(plain)) CHECK(section.name != "CNTS");
  Ensemble wrong = counted;
  wrong.members[0].groups[0].trees[1].counts.pop_back();
  CHECK_THROWS_AS(EncodeModel(wrong, {}), std::invalid_argument);
}

}  // namespace rankforest
