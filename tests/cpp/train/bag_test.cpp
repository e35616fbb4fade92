#include "rankforest/train/bag.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/tree/grower.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Prepared;
using Pairs = std::vector<GradientPair>;

namespace {

Prepared AnyData() {
  Rng rng(511);
  return Prepared(testing::SmallData({}, rng));
}

Pairs GradeTargets(const Dataset& data) {
  Pairs targets;
  for (const double grade : data.grades()) targets.push_back({-grade, 1.0});
  return targets;
}

TreeGrower<> GrowerOfTwo() { return {{}, {FeatureDraw::Kind::kCount, 2.0}}; }

template <class Sampler>
std::vector<Tree> Trees(std::uint32_t n_trees, const Prepared& prepared, const Sampler& sampler,
                        int threads = 1, const TreesObserver& observer = {}) {
  const Bag bag(n_trees, GrowerOfTwo(), sampler);
  const std::size_t n = prepared.data.n_documents();
  const Member member = bag.Start(prepared.training(threads))
                            .Fit(GradeTargets(prepared.data), WholeSample(n), Rng(9), observer);
  REQUIRE(member.groups.size() == 1);
  CHECK(member.base == 0.0);
  CHECK(member.groups[0].weight == 1.0);
  CHECK(member.groups[0].reduction == Reduction::kMean);
  CHECK(member.groups[0].trees_per_round == 1);
  return member.groups[0].trees;
}

}  // namespace

TEST_CASE("a bag of one tree on all rows is that tree") {
  const Prepared prepared = AnyData();
  const RowSample all = WholeSample(prepared.data.n_documents());
  const Tree tree = GrowerOfTwo()
                        .Start(prepared.training())
                        .FitTree(GradeTargets(prepared.data), all, Rng(9).Child(Purpose::kTree, 0));
  CHECK(Trees(1, prepared, AllRows()) == std::vector<Tree>{tree});
}

TEST_CASE("a tree that would draw documents without weight only is grown on all") {
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 1, 2, 3});
  raw.weights = {0, 0, 1, 0};
  const Prepared prepared(raw);
  const RowSample all = WholeSample(4);
  std::size_t n_whole = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const Rng rng = Rng(4).Child(Purpose::kTree, i);
    const RowSample drawn = DrawForTree(SubsampleRows{0.5}, prepared.data, all, rng);
    double weight = 0.0;
    for (const RowId row : drawn.rows) weight += prepared.data.weights()[row];
    CHECK(weight == 1.0);
    if (drawn.rows.size() == 4) ++n_whole;
  }
  CHECK(n_whole > 10);  // about half of them
  CHECK(n_whole < 30);
}

TEST_CASE("every tree is grown on its own draw, with its own stream") {
  const Prepared prepared = AnyData();
  const RowSample all = WholeSample(prepared.data.n_documents());
  std::vector<Tree> expected;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Rng of_tree = Rng(9).Child(Purpose::kTree, i);
    const RowSample drawn = Bootstrap().Draw(prepared.data, all, of_tree.Child(Purpose::kRows, 0));
    expected.push_back(GrowerOfTwo()
                           .Start(prepared.training())
                           .FitTree(GradeTargets(prepared.data), drawn, of_tree));
  }
  CHECK(Trees(20, prepared, Bootstrap()) == expected);
  CHECK_FALSE(expected[0] == expected[1]);
}

TEST_CASE("the first 100 trees of a bag of 500 are the bag of 100") {
  const Prepared prepared = AnyData();
  std::vector<Tree> many = Trees(500, prepared, Bootstrap(), 2);
  REQUIRE(many.size() == 500);
  many.resize(100);
  CHECK(many == Trees(100, prepared, Bootstrap()));
}

TEST_CASE("threads change no tree and not their order") {
  const Prepared prepared = AnyData();
  const std::vector<Tree> one = Trees(70, prepared, SubsampleRows{0.5});
  CHECK(Trees(70, prepared, SubsampleRows{0.5}, 2) == one);
  CHECK(Trees(70, prepared, SubsampleRows{0.5}, 5) == one);
}

TEST_CASE("an observer sees the trees in the same steps, and stops at the same one") {
  const Prepared prepared = AnyData();
  const std::vector<Tree> all = Trees(70, prepared, Bootstrap());
  for (const int threads : {1, 2, 5, 9}) {
    std::vector<std::size_t> seen;
    INFO(threads, " threads");
    Trees(70, prepared, Bootstrap(), threads, [&](Span<const Tree> trees) {
      seen.push_back(trees.size());
      CHECK(trees[trees.size() - 1] == all[trees.size() - 1]);
      return true;
    });
    CHECK(seen == std::vector<std::size_t>{16, 32, 48, 64, 70});
    const std::vector<Tree> stopped =
        Trees(70, prepared, Bootstrap(), threads,
              [](Span<const Tree> trees) { return trees.size() < 32; });
    CHECK(stopped == std::vector<Tree>(all.begin(), all.begin() + 32));
  }
}

}  // namespace rankforest
