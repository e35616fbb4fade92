#include "rankforest/io/linear_section.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/io/model_codec.hpp"
#include "support/random_ensemble.hpp"
#include "support/section_surgery.hpp"

namespace rankforest {

namespace {

Ensemble TwoMembersOneLinear() {
  Ensemble model;
  model.n_features = 4;
  model.members = {{0.5, {}}, {0.25, {}, {QueryNormalization::kMinMax, {{3, 1.5F}, {0, -2.0F}}}}};
  return model;
}

Bytes LinearBytes() {
  ByteWriter out;
  for (const std::uint32_t value : {0U, 0U, 2U, 2U, 3U}) out.Put(value);
  out.Put(1.5F);
  out.Put(0U);
  out.Put(-2.0F);
  return std::move(out).Take();
}

Ensemble WithoutLinear(Ensemble model) {
  for (Member& member : model.members) member.linear = {};
  return model;
}

}  // namespace

TEST_CASE("linear parts are written number by number as the format says, and come back") {
  const Ensemble model = TwoMembersOneLinear();
  CHECK(EncodeLinear(model) == LinearBytes());
  Ensemble read = WithoutLinear(model);
  DecodeLinear(LinearBytes(), read);
  CHECK(read == model);
}

TEST_CASE("counts and codes of linear parts that cannot be are refused") {
  const auto refuses = [](std::size_t at, std::uint32_t value) {
    Bytes bytes = LinearBytes();
    testing::Overwrite(bytes, at, value);
    Ensemble model = WithoutLinear(TwoMembersOneLinear());
    CHECK_THROWS_AS(DecodeLinear(bytes, model), std::invalid_argument);
  };
  refuses(8, 4);  // the normalization
  for (const std::uint32_t count : {0U, 1U, 3U, std::numeric_limits<std::uint32_t>::max()}) {
    refuses(12, count);
  }
  Ensemble model = WithoutLinear(TwoMembersOneLinear());
  const Bytes none(16, 0);
  CHECK_THROWS_WITH_AS(DecodeLinear(none, model), "section LINR has no linear part",
                       std::invalid_argument);
}

TEST_CASE("a model without linear parts has no section of them, and any other comes back whole") {
  Rng rng(5);
  const ModelInfo info;
  for (int round = 0; round < 20; ++round) {
    Ensemble model = testing::RandomEnsemble(3, Combine::kMinMax, rng);
    const Bytes trees_alone = EncodeModel(model, info);
    CHECK(std::string(trees_alone.begin(), trees_alone.end()).find("LINR") == std::string::npos);
    model.members.back().linear = {QueryNormalization::kSum, {{2, 0.25F}, {1, 3.0F}}};
    const Bytes bytes = EncodeModel(model, info);
    const Model read = DecodeModel(bytes);
    CHECK(read.ensemble == model);
    CHECK(EncodeModel(read.ensemble, read.info) == bytes);
  }
}

TEST_CASE("a model with a linear part and with exits has a section of each and comes back whole") {
  Rng rng(6);
  Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
  while (model.n_rounds() < 2) model = testing::RandomEnsemble(3, Combine::kSum, rng);
  model.members.back().linear = {QueryNormalization::kNone, {{2, 0.25F}, {1, 3.0F}}};
  model.exits.points = {{1, 0.5}};
  const Bytes bytes = EncodeModel(model, {});
  CHECK(DecodeModel(bytes).ensemble == model);
  std::vector<std::string> optional;
  for (const Section& section : DecodeSections(bytes)) optional.push_back(section.name);
  optional.erase(optional.begin(), optional.begin() + std::size(detail::kModelSections));
  CHECK(optional == std::vector<std::string>{"EXIT", "LINR"});
  model.members.back().linear.normalization = QueryNormalization::kSum;
  CHECK_THROWS_AS(static_cast<void>(EncodeModel(model, {})), std::invalid_argument);
}

}  // namespace rankforest
