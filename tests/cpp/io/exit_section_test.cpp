#include "rankforest/io/exit_section.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
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

const ExitSchedule kTwoExits{{{4, 0.25}, {9, 0.0, 1.5, 20}}, 7, ExitScope::kQuery, true};

Bytes ExitBytes() {
  ByteWriter out;
  out.Put(7U);
  out.Put(1U);
  out.Put(std::uint64_t{2});
  out.Put(4U);
  out.Put(0U);
  out.Put(0.25);
  out.Put(std::numeric_limits<double>::infinity());
  out.Put(9U);
  out.Put(20U);
  out.Put(0.0);
  out.Put(1.5);
  return std::move(out).Take();
}

/// A model of at least three rounds.
Ensemble ThreeRounds(Rng& rng) {
  Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
  while (model.n_rounds() < 3) model = testing::RandomEnsemble(4, Combine::kSum, rng);
  return model;
}

}  // namespace

TEST_CASE("exits are written number by number as the format says, and come back") {
  CHECK(EncodeExits(kTwoExits) == ExitBytes());
  CHECK(DecodeExits(ExitBytes()) == kTwoExits);
}

TEST_CASE("counts and codes of exits that cannot be are refused") {
  const auto refuses = [](std::size_t at, auto value) {
    Bytes bytes = ExitBytes();
    testing::Overwrite(bytes, at, value);
    CHECK_THROWS_AS(DecodeExits(bytes), std::invalid_argument);
  };
  refuses(4, 2U);
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, most}) {
    refuses(8, count);
  }
}

TEST_CASE("the section of exits is critical, and there only where documents exit") {
  Rng rng(98);
  for (int trial = 0; trial < 20; ++trial) {
    Ensemble model = ThreeRounds(rng);
    const Bytes plain = EncodeModel(model, {});
    for (const Section& section : DecodeSections(plain)) CHECK(section.name != "EXIT");
    model.exits.points = {{1, 0.5}, {2, 0.0, 0.25, 3}};
    model.exits.demote = trial % 2 == 0;
    const Bytes bytes = EncodeModel(model, {});
    const std::vector<Section> sections = DecodeSections(bytes);
    CHECK(sections.back().name == "EXIT");
    CHECK(sections.back().critical);
    CHECK(DecodeModel(bytes).ensemble == model);
    model.exits = {};
    CHECK(EncodeModel(model, {}) == plain);
  }
}

TEST_CASE("exits that the model cannot have are refused when it is read") {
  Rng rng(99);
  Ensemble model = ThreeRounds(rng);
  model.exits.points = {{1, 0.5}};
  std::vector<Section> sections;
  const Bytes bytes = EncodeModel(model, {});
  sections = DecodeSections(bytes);
  for (const auto& [at, value] : {std::pair<std::size_t, std::uint32_t>{16, 0},
                                  {16, static_cast<std::uint32_t>(model.n_rounds())},
                                  {0, 0}}) {
    Bytes exits = EncodeExits(model.exits);
    testing::Overwrite(exits, at, value);
    sections.back().bytes = exits;
    CHECK_THROWS_AS(DecodeModel(EncodeSections(sections)), std::invalid_argument);
  }
}

}  // namespace rankforest
