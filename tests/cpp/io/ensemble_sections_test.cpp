#include "rankforest/io/ensemble_sections.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "rankforest/core/rng.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

namespace {

EnsembleSections<ByteView> View(const EnsembleSections<Bytes>& sections) {
  return {sections.ensemble, sections.trees, sections.nodes, sections.leaves, sections.gains};
}

template <class... Values>
Bytes Join(Values... values) {
  ByteWriter out;
  (out.Put(values), ...);
  return std::move(out).Take();
}

/// A split with gains, and a leaf.
Ensemble TwoTrees() {
  Tree split;
  split.nodes = {{6, 0.5F, ~0, ~1, ~2}};
  split.leaves = {1.0F, 2.0F, 3.0F};
  split.gains = {9.0F};
  Tree leaf;
  leaf.leaves = {4.0F};
  return {Combine::kBorda, 7, {{0.25, {{-1.5, Reduction::kMean, 2, {split, leaf}}}}}};
}

}  // namespace

TEST_CASE("an ensemble is written number by number as the format says") {
  const EnsembleSections<Bytes> sections = EncodeEnsemble(TwoTrees());
  CHECK(sections.ensemble ==
        Join(2U, 7U, std::uint64_t{1}, 0.25, std::uint64_t{1}, -1.5, 1U, 2U, std::uint64_t{2}));
  CHECK(sections.trees == Join(1U, 3U, 1U, 0U, 1U, 0U));
  CHECK(sections.nodes == Join(6U, 0.5F, -1, -2, -3));
  CHECK(sections.leaves == Join(1.0F, 2.0F, 3.0F, 4.0F));
  CHECK(sections.gains == Join(9.0F));
}

TEST_CASE("random ensembles come back equal, whatever the number of threads") {
  Rng rng(101);
  for (const Combine combine : {Combine::kSum, Combine::kMinMax, Combine::kBorda}) {
    for (int trial = 0; trial < 50; ++trial) {
      Ensemble model = testing::RandomEnsemble(5, combine, rng);
      if (trial % 2 == 0) model.members[0].groups[0].trees[0].gains.clear();
      const EnsembleSections<Bytes> sections = EncodeEnsemble(model);
      CHECK(DecodeEnsemble(View(sections), Threads{1}) == model);
      CHECK(DecodeEnsemble(View(sections), Threads{3}) == model);
    }
  }
}

TEST_CASE("counts that the sections do not hold are refused") {
  const auto refuses = [](auto change) {
    EnsembleSections<Bytes> sections = EncodeEnsemble(TwoTrees());
    change(sections);
    CHECK_THROWS_AS(DecodeEnsemble(View(sections)), std::invalid_argument);
  };
  const std::uint64_t huge[] = {2, 3, std::uint64_t{1} << 32,
                                std::numeric_limits<std::uint64_t>::max()};
  for (const std::uint64_t count : huge) {
    // Places of the 64-bit counts of members, groups and trees; 2 trees are right.
    for (const std::size_t at : {std::size_t{8}, std::size_t{24}, std::size_t{48}}) {
      if (at == 48 && count == 2) continue;
      refuses([&](auto& s) { detail::StoreLittleEndian(count, s.ensemble.data() + at); });
    }
  }
  for (const std::uint32_t count : {0U, 2U, 4U, 0x80000000U, 0xFFFFFFFFU}) {
    refuses([&](auto& s) { detail::StoreLittleEndian(count, s.trees.data()); });
    refuses([&](auto& s) { detail::StoreLittleEndian(count, s.trees.data() + 4); });
    if (count != 0) refuses([&](auto& s) { detail::StoreLittleEndian(count, s.trees.data() + 8); });
  }
}

TEST_CASE("a byte too few or too many in any section is refused") {
  for (auto section : {&EnsembleSections<Bytes>::ensemble, &EnsembleSections<Bytes>::trees,
                       &EnsembleSections<Bytes>::nodes, &EnsembleSections<Bytes>::leaves,
                       &EnsembleSections<Bytes>::gains}) {
    EnsembleSections<Bytes> sections = EncodeEnsemble(TwoTrees());
    (sections.*section).push_back(0);
    CHECK_THROWS_AS(DecodeEnsemble(View(sections)), std::invalid_argument);
    (sections.*section).resize((sections.*section).size() - 2);
    CHECK_THROWS_AS(DecodeEnsemble(View(sections)), std::invalid_argument);
  }
}

TEST_CASE("codes that stand for nothing are refused, also those that end in a good byte") {
  for (const std::uint32_t code : {3U, 256U, 0xFFFFFFFFU}) {
    EnsembleSections<Bytes> sections = EncodeEnsemble(TwoTrees());
    detail::StoreLittleEndian(code, sections.ensemble.data());
    CHECK_THROWS_AS(DecodeEnsemble(View(sections)), std::invalid_argument);
    sections = EncodeEnsemble(TwoTrees());
    detail::StoreLittleEndian(code, sections.ensemble.data() + 40);
    CHECK_THROWS_AS(DecodeEnsemble(View(sections)), std::invalid_argument);
  }
}

}  // namespace rankforest
