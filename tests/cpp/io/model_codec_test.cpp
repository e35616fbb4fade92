#include "rankforest/io/model_codec.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/score/reference.hpp"
#include "support/frozen_model.hpp"
#include "support/random_ensemble.hpp"
#include "support/section_surgery.hpp"
#include "support/trials.hpp"

namespace rankforest {

namespace {

using testing::Overwrite;
using testing::OwnedSection;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Bytes SmallFile() {
  return EncodeModel(testing::FrozenEnsemble(Combine::kMinMax), testing::FrozenInfo());
}

std::uint32_t Below(std::size_t bound, Rng& rng) {
  return rng.Below(static_cast<std::uint32_t>(bound));
}

/// The named section of SmallFile is changed and the file put together again.
using Change = std::function<void(Bytes&)>;
Bytes WithSection(const char* name, const Change& change) {
  std::vector<OwnedSection> parts = testing::TakeApart(SmallFile());
  for (OwnedSection& part : parts) {
    if (part.name == name) change(part.bytes);
  }
  return testing::PutTogether(parts);
}

/// What DecodeModel says of a file; empty if it is content.
std::string ModelComplaint(ByteView file) {
  try {
    DecodeModel(file);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// Sets the number at a byte of a section.
template <class T>
Change Set(std::size_t at, T value) {
  return [=](Bytes& bytes) { Overwrite(bytes, at, value); };
}

/// Sets one of the numbers of a tree's node: 0 feature, 1 threshold, 2 left, 3 right, 4 missing.
/// Node 0 to 2 are those of the first tree of the frozen model.
template <class T>
Change SetNode(std::size_t node, std::size_t field, T value) {
  return Set(20 * node + 4 * field, value);
}

/// One of many kinds of damage; may have no effect.
void Damage(Bytes& bytes, Rng& rng) {
  const std::size_t at = Below(bytes.size(), rng);
  const std::size_t end = at + 1 + Below(bytes.size() - at, rng);
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  const auto last = bytes.begin() + static_cast<std::ptrdiff_t>(end);
  switch (rng.Below(8)) {
    case 0:
      bytes[at] ^= static_cast<std::uint8_t>(1U << rng.Below(8));
      break;
    case 1:
      bytes[at] = static_cast<std::uint8_t>(rng.Below(256));
      break;
    case 2:
      std::fill(first, std::min(first + 16, last), static_cast<std::uint8_t>(rng.Below(2) * 255));
      break;
    case 3:
      bytes.erase(first, std::min(first + 8, last));
      break;
    case 4:
      bytes.insert(first, 1 + rng.Below(8), static_cast<std::uint8_t>(rng.Below(256)));
      break;
    case 5:
      std::reverse(first, std::min(first + 32, last));
      break;
    case 6:
      std::copy(first, std::min(first + 20, last), bytes.begin());
      break;
    default:
      for (std::uint32_t n = rng.Below(4); n < 4; ++n) {
        bytes[Below(bytes.size(), rng)] = static_cast<std::uint8_t>(rng.Below(256));
      }
  }
}

}  // namespace

TEST_CASE("random models come back equal and make the same bytes again") {
  Rng rng(111);
  for (int trial = 0; trial < 50; ++trial) {
    const Ensemble ensemble = trial % 2 == 0 ? testing::RandomEnsemble(3, Combine::kBorda, rng)
                                             : testing::BlendedEnsemble(3, rng);
    const Bytes file = EncodeModel(ensemble, testing::FrozenInfo());
    const Model model = DecodeModel(file, Threads{1 + trial % 3});
    CHECK(model.ensemble == ensemble);
    CHECK(model.info == testing::FrozenInfo());
    CHECK(EncodeModel(model.ensemble, model.info) == file);
  }
}

TEST_CASE("a thousand trees come back to the same bits") {
  Rng rng(112);
  Ensemble ensemble{Combine::kSum, 4, {{0.5, {{0.1, Reduction::kSum, 1, {}}}}}};
  for (int t = 0; t < 1000; ++t) {
    ensemble.members[0].groups[0].trees.push_back(testing::RandomTree(4, 6, rng));
  }
  const Bytes file = EncodeModel(ensemble, {});
  const Model model = DecodeModel(file);
  CHECK(EncodeModel(model.ensemble, model.info) == file);
  const std::vector<float> values = testing::RandomFeatures(100 * 4, rng);
  const FeatureMatrix features{values.data(), 100, 4, 4};
  CHECK(Score(model.ensemble, features) == Score(ensemble, features));
}

TEST_CASE("what is not valid is not written") {
  Ensemble ensemble = testing::FrozenEnsemble(Combine::kSum);
  CHECK_THROWS_AS(EncodeModel({}, {}), std::invalid_argument);
  ModelInfo info;
  info.feature_names = {"only one"};
  CHECK_THROWS_AS(EncodeModel(ensemble, info), std::invalid_argument);
  info.feature_names.clear();
  info.unknown = {{"TREE", {}}};
  CHECK_THROWS_AS(EncodeModel(ensemble, info), std::invalid_argument);
}

TEST_CASE("unknown sections are kept, and refused where they are critical") {
  std::vector<OwnedSection> parts = testing::TakeApart(SmallFile());
  parts.push_back({"ZZ99", false, {7, 7}});
  const Model model = DecodeModel(testing::PutTogether(parts));
  CHECK(model.info.unknown == std::vector<UnknownSection>{{"NEW1", {1, 2, 3}}, {"ZZ99", {7, 7}}});
  CHECK(EncodeModel(model.ensemble, model.info) == testing::PutTogether(parts));
  parts.back().critical = true;
  CHECK(ModelComplaint(testing::PutTogether(parts)) ==
        "the model file has a critical section ZZ99, which this version of rankforest does not "
        "know");
}

TEST_CASE("sections are found in any order, and each is needed") {
  std::vector<OwnedSection> parts = testing::TakeApart(SmallFile());
  std::reverse(parts.begin(), parts.end());
  CHECK(DecodeModel(testing::PutTogether(parts)).ensemble ==
        testing::FrozenEnsemble(Combine::kMinMax));
  for (const char* name : detail::kModelSections) {
    std::vector<OwnedSection> without = parts;
    without.erase(std::remove_if(without.begin(), without.end(),
                                 [&](const OwnedSection& part) { return part.name == name; }),
                  without.end());
    CHECK(ModelComplaint(testing::PutTogether(without)) ==
          std::string("the model file has no section ") + name);
  }
}

TEST_CASE("every flipped bit and every cut is found") {
  Bytes file = SmallFile();
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    const auto mask = static_cast<std::uint8_t>(1U << bit % 8);
    file[bit / 8] ^= mask;
    REQUIRE_THROWS_AS(DecodeModel(file), std::invalid_argument);
    file[bit / 8] ^= mask;
  }
  for (std::size_t size = 0; size < file.size(); ++size) {
    REQUIRE_THROWS_AS(DecodeModel(ByteView(file).subspan(0, size)), std::invalid_argument);
  }
  CHECK(ModelComplaint(file) == "");
}

TEST_CASE("10,000 random corruptions and truncations are refused each") {
  Rng rng(113);
  const Bytes file = SmallFile();
  int n_damaged = 0;
  while (n_damaged < testing::Trials(10000)) {
    Bytes damaged = file;
    Damage(damaged, rng);
    if (rng.Below(4) == 0) damaged.resize(Below(damaged.size() + 1, rng));
    if (damaged == file) continue;
    REQUIRE_THROWS_AS(DecodeModel(damaged), std::invalid_argument);
    ++n_damaged;
  }
}

TEST_CASE("10,000 corruptions with right checksums are refused or make a model that scores") {
  Rng rng(114);
  const std::vector<OwnedSection> parts = testing::TakeApart(SmallFile());
  const std::vector<float> values = testing::RandomFeatures(8 * 3, rng);
  const std::vector<QueryId> codes{0, 0, 0, 1, 1, 1, 1, 2};
  int n_refused = 0;
  int n_valid = 0;
  for (int trial = 0; trial < testing::Trials(10000); ++trial) {
    std::vector<OwnedSection> damaged = parts;
    OwnedSection& part = damaged[Below(parts.size(), rng)];
    if (!part.bytes.empty()) Damage(part.bytes, rng);
    Bytes file = testing::PutTogether(damaged);
    if (trial % 4 == 0) {  // the header and the table, too
      Overwrite(file, 8 + Below(16 + 32 * parts.size(), rng) / 8 * 8, rng.Next());
      testing::Reseal(file);
    }
    try {
      const Model model = DecodeModel(file);
      ++n_valid;
      REQUIRE_NOTHROW(Validate(model.ensemble));
      if (model.ensemble.n_features > 3) continue;
      Score(model.ensemble, {values.data(), 8, 3, 3}, codes);
      REQUIRE_NOTHROW(EncodeModel(model.ensemble, model.info));
    } catch (const std::invalid_argument&) {
      ++n_refused;
    }
  }
  CHECK(n_refused > testing::Trials(1000));
  CHECK(n_valid > testing::Trials(1000));
}

TEST_CASE("each broken invariant is refused by its name though all checksums are right") {
  struct Case {
    const char* section;
    Change change;
    std::string complaint;
  };
  const std::string tree = "member 0: group 0: tree 0: ";
  const std::string order = " (numbered in the order node, left, right, missing)";
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const Case cases[] = {
      // The tree.
      {"NODE", SetNode(1, 2, 0), tree + "node 1: a child is node 0, expected node 2 of 3" + order},
      {"NODE", SetNode(1, 2, 1), tree + "node 1: a child is node 1, expected node 2 of 3" + order},
      {"NODE", SetNode(0, 4, 1), tree + "node 2 is the child of no node"},
      {"NODE", SetNode(1, 3, ~1), tree + "node 1: a child is leaf 1, expected leaf 2 of 5" + order},
      {"NODE", SetNode(2, 3, ~0), tree + "node 2: a child is leaf 0, expected leaf 4 of 5" + order},
      {"NODE", SetNode(0, 3, 3), tree + "node 0: a child is node 3, expected node 1 of 3" + order},
      {"NODE", SetNode(2, 2, ~1000000),
       tree + "node 2: a child is leaf 1000000, expected leaf 3 of 5" + order},
      {"NODE", SetNode(0, 0, 3U), tree + "node 0: the feature is 3, expected one of the model's 3"},
      {"NODE", SetNode(0, 1, kNan), tree + "node 0: the threshold is nan"},
      {"NODE", SetNode(2, 1, static_cast<float>(-kInfinity)),
       tree + "node 2: the threshold is -inf"},
      {"LEAF", Set(0, kNan), tree + "leaf 0: weight x value is nan"},
      {"LEAF", Set(4, static_cast<float>(-kInfinity)), tree + "leaf 1: weight x value is -inf"},
      {"GAIN", Set(0, kNan), tree + "node 0: the gain is nan"},
      // The ensemble: combine, n_features, n_members, base, n_groups, weight, ...
      {"ENSB", Set(0, 3U), "the combination is 3"},
      {"ENSB", Set(4, 2U), tree + "node 2: the feature is 2, expected one of the model's 2"},
      {"ENSB", Set(8, std::uint64_t{0}), "section ENSB has"},
      {"ENSB", Set(8, std::uint64_t{3}), "section ENSB ends early"},
      {"ENSB", Set(8, huge), "section ENSB ends early"},
      {"ENSB", Set(16, kInfinity), "the sum of the members' bases is inf"},
      {"ENSB", Set(24, huge), ""},
      {"ENSB", Set(32, -kInfinity), "member 0: group 0: the weight is -inf"},
      {"ENSB", Set(32, 1e39), tree + "leaf 3: weight x value is 1.5e+39, expected"},
      {"ENSB", Set(40, 2U), "the reduction is 2"},
      {"ENSB", Set(44, 0U), "member 0: group 0: has 3 trees in rounds of 0"},
      {"ENSB", Set(44, 2U), "member 0: group 0: has 3 trees in rounds of 2"},
      {"ENSB", Set(48, huge), "section TREE ends early"},
      {"ENSB", Set(48, std::uint64_t{0}), ""},
      {"ENSB", [](Bytes& bytes) { bytes.push_back(0); }, "section ENSB has 1 bytes beyond"},
      // The counts of the first tree: nodes, leaves, gains.
      {"TREE", Set(0, 0xFFFFFFFFU), "section NODE ends early"},
      {"TREE", Set(0, 2U), ""},
      {"TREE", Set(4, 0x7FFFFFFFU), "section LEAF ends early"},
      {"TREE", Set(4, 0U), ""},
      {"TREE", Set(8, 2U), "the mark of gains is 2"},
      {"TREE", Set(8, 0U), "section GAIN has"},
      {"NODE", [](Bytes& bytes) { bytes.resize(bytes.size() - 20); }, "section NODE ends early"},
      {"LEAF", [](Bytes& bytes) { bytes.resize(bytes.size() + 4); }, "section LEAF has 4 bytes"},
      // The info.
      {"NAME", Set(0, huge), "section NAME ends early"},
      {"NAME", Set(8, 0xFFFFFFFFU), "section NAME ends early"},
      {"NAME", [](Bytes& bytes) { bytes[12] = 0xFF; }, "the name of feature 0 is not valid UTF-8"},
      {"NAME", [](Bytes& bytes) { bytes = EncodeNames({"a", "b"}); },
       "the model has 2 feature names for 3 features"},
      {"RULE", Set(0, 1U), "the rule for missing values is 1"},
      {"RULE", Set(4, 2U), "the rule for absent features"},
      {"RULE", Set(8, 2U), "the index base is 2"},
      {"RULE", [](Bytes& bytes) { bytes.resize(8); }, "section RULE ends early"},
      {"ALGO", [](Bytes& bytes) { bytes[0] = 0xC3; }, "the algorithm is not valid UTF-8"},
      {"PARM", [](Bytes& bytes) { bytes[0] = 0x80; }, "the parameters' JSON is not valid UTF-8"},
      {"SUMM", [](Bytes& bytes) { bytes[0] = 0xFE; }, "the summary's JSON is not valid UTF-8"},
  };
  CHECK(ModelComplaint(WithSection("NODE", [](Bytes&) {})) == "");
  for (const Case& each : cases) {
    const std::string complaint = ModelComplaint(WithSection(each.section, each.change));
    INFO(each.section, ": ", each.complaint, " / ", complaint);
    CHECK(complaint != "");
    CHECK(complaint.substr(0, each.complaint.size()) == each.complaint);
  }
}

TEST_CASE("a file of huge counts and few bytes allocates next to nothing") {
  // 2^61 groups would overflow a multiplication by their size; 2^40 trees would fill the memory.
  for (const std::uint64_t count : {std::uint64_t{1} << 61, std::uint64_t{1} << 40}) {
    for (const std::size_t at : {std::size_t{8}, std::size_t{24}, std::size_t{48}}) {
      CHECK(ModelComplaint(WithSection("ENSB", Set(at, count))) != "");
    }
    CHECK(ModelComplaint(WithSection("NAME", Set(0, count))) != "");
  }
}

namespace {

/// What could be the problems of a model.
Ordinal SomeOrdinal(const Ensemble& ensemble) {
  Ordinal ordinal{{0.0, 0.5, 3.0}, {}};
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    ordinal.parts.push_back({static_cast<std::uint32_t>(m % 2), 0.25,
                             std::vector<double>(ensemble.members[m].groups.size(), 0.75)});
  }
  return ordinal;
}

}  // namespace

/// The frozen model, with 7 documents in each leaf.
Ensemble CountedFrozen() {
  Ensemble ensemble = testing::FrozenEnsemble(Combine::kSum);
  for (Member& member : ensemble.members) {
    for (Group& group : member.groups) {
      for (Tree& tree : group.trees) tree.counts.assign(tree.leaves.size(), 7);
    }
  }
  return ensemble;
}

TEST_CASE("metadata, a data profile, problems and counts are sections that readers may skip") {
  ModelInfo info = testing::FrozenInfo();
  info.metadata = {{"owner", "search"}};
  info.profile = DataProfile{2, std::vector<FeatureProfile>(3, {0, 1.0F, 2.0F, {1.0F}, {1, 1}})};
  const Ensemble ensemble = testing::FrozenEnsemble(Combine::kSum);
  info.ordinal = SomeOrdinal(ensemble);
  const Bytes file = EncodeModel(CountedFrozen(), info);
  CHECK(DecodeModel(file).info == info);
  std::vector<std::string> skippable;
  for (const OwnedSection& part : testing::TakeApart(file)) {
    if (!part.critical) skippable.push_back(part.name);
  }
  CHECK(skippable == std::vector<std::string>{"META", "PROF", "ORDN", "CNTS", "NEW1"});
  info.metadata.clear();
  info.profile.reset();
  info.ordinal.reset();
  CHECK(EncodeModel(ensemble, info) == EncodeModel(ensemble, testing::FrozenInfo()));
  info.profile = DataProfile{2, {{0, 1.0F, 2.0F, {1.0F}, {1, 1}}}};
  CHECK_THROWS_WITH_AS(EncodeModel(ensemble, info),
                       "the data profile has 1 features, the model has 3", std::invalid_argument);
}

TEST_CASE("5,000 corruptions of optional sections with right checksums are refused or valid") {
  ModelInfo info = testing::FrozenInfo();
  info.metadata = {{"owner", "search"}, {"tree", "\xF0\x9F\x8C\xB2"}};
  info.profile = DataProfile{2, std::vector<FeatureProfile>(3, {0, 1.0F, 2.0F, {1.0F}, {1, 1}})};
  info.ordinal = SomeOrdinal(testing::FrozenEnsemble(Combine::kSum));
  const std::vector<OwnedSection> parts = testing::TakeApart(EncodeModel(CountedFrozen(), info));
  Rng rng(103);
  int n_refused = 0;
  for (int trial = 0; trial < testing::Trials(5000); ++trial) {
    std::vector<OwnedSection> damaged = parts;
    Bytes& bytes = damaged[damaged.size() - 5 + rng.Below(4)].bytes;  // META, PROF, ORDN or CNTS
    bytes[Below(bytes.size(), rng)] ^= static_cast<std::uint8_t>(1U << rng.Below(8));
    const Bytes file = testing::PutTogether(damaged);
    if (ModelComplaint(file).empty()) {
      const Model model = DecodeModel(file);
      CHECK(EncodeModel(model.ensemble, model.info) == file);
    } else {
      ++n_refused;
    }
  }
  CHECK(n_refused > testing::Trials(1000));
  CHECK(n_refused < testing::Trials(5000));
}

}  // namespace rankforest
