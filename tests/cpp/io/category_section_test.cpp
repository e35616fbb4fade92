#include "rankforest/io/category_section.hpp"

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
#include "support/hand_made_trees.hpp"

namespace rankforest {

namespace {

ModelInfo InfoWith(Categories categories) {
  ModelInfo info;
  info.categories = std::move(categories);
  return info;
}

Ensemble StumpOnThree() {
  Ensemble ensemble;
  ensemble.n_features = 3;
  ensemble.members = {{0.25, {{1.0, Reduction::kSum, 1, {testing::Stump(0.5F, -1.0F, 1.0F)}}}}};
  return ensemble;
}

Categories TwoCategorical() {
  return {{0, true, {}, {"", "b\xC3\xA4"}, {0.5F, 1.5F}, 1.0F, 0.75F},
          {2, false, {std::numeric_limits<std::int64_t>::min(), 9}, {}, {0.0F, 2.0F}, 1.0F, 1.0F}};
}

Categories RandomCategories(Rng& rng) {
  Categories categories;
  for (std::uint32_t feature = 0; feature < 3; ++feature) {
    if (rng.Below(3) == 0) continue;
    CategoricalFeature each{feature, rng.Below(2) == 1, {}, {}, {}, 0.5F, -0.5F};
    const std::uint32_t n_levels = 1 + rng.Below(5);
    for (std::uint32_t i = 0; i < n_levels; ++i) {
      if (each.is_text) {
        each.texts.push_back(std::string(1 + i, 'x'));
      } else {
        each.numbers.push_back(std::int64_t{i} * 1000 - 1500);
      }
      each.values.push_back(static_cast<float>(rng.Uniform()));
    }
    categories.push_back(each);
  }
  return categories;
}

}  // namespace

TEST_CASE("categorical features are numbers, levels and what stands for them") {
  const Bytes bytes = EncodeCategories({TwoCategorical()[0]});
  ByteReader in("test", bytes);
  CHECK(in.Get<std::uint64_t>() == 1);  // features
  CHECK(in.Get<std::uint32_t>() == 0);  // column
  CHECK(in.Get<std::uint32_t>() == 1);  // texts
  CHECK(in.Get<float>() == 1.0F);       // unseen
  CHECK(in.Get<float>() == 0.75F);      // missing
  CHECK(in.Get<std::uint64_t>() == 2);  // levels
  CHECK(in.Get<std::uint32_t>() == 0);  // bytes of the first
  CHECK(in.Get<std::uint32_t>() == 3);  // bytes of the second
  CHECK(ToText(in.Take(3, 1)) == "b\xC3\xA4");
  CHECK(in.Get<float>() == 0.5F);
  CHECK(in.Get<float>() == 1.5F);
  in.RequireEnd();
}

TEST_CASE("categorical features come back equal, and cut ones are refused") {
  Rng rng(57);
  for (int trial = 0; trial < 30; ++trial) {
    const Categories categories = RandomCategories(rng);
    if (categories.empty()) continue;
    const Bytes bytes = EncodeCategories(categories);
    CHECK(DecodeCategories(bytes) == categories);
    const ByteView whole = bytes;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CHECK_THROWS_AS(DecodeCategories(whole.subspan(0, size)), std::invalid_argument);
    }
  }
}

TEST_CASE("huge counts of features, levels or bytes allocate next to nothing") {
  const Bytes good = EncodeCategories(TwoCategorical());
  for (const std::size_t at : {0U, 24U}) {
    Bytes bytes = good;
    detail::StoreLittleEndian(~std::uint64_t{0}, bytes.data() + at);
    CHECK_THROWS_AS(DecodeCategories(bytes), std::invalid_argument);
  }
  Bytes bytes = good;
  for (std::size_t i = 32; i < 36; ++i) bytes.at(i) = 0xff;  // of the first text
  CHECK_THROWS_AS(DecodeCategories(bytes), std::invalid_argument);
}

TEST_CASE("a model without categorical features has no section, and an empty section is refused") {
  const Bytes plain = EncodeModel(StumpOnThree(), {});
  for (const Section& section : DecodeSections(plain)) CHECK(section.name != "CATG");
  CHECK_THROWS_AS(DecodeCategories(EncodeCategories({})), std::invalid_argument);
}

TEST_CASE("a model keeps its categorical features in a critical section") {
  const ModelInfo info = InfoWith(TwoCategorical());
  const Bytes bytes = EncodeModel(StumpOnThree(), info);
  bool found = false;
  for (const Section& section : DecodeSections(bytes)) {
    if (section.name != "CATG") continue;
    found = true;
    CHECK(section.critical);
  }
  CHECK(found);
  const Model read = DecodeModel(bytes);
  CHECK(read.info == info);
  CHECK(EncodeModel(read.ensemble, read.info) == bytes);
}

TEST_CASE("tables that no model can have are refused where they are written and read") {
  Categories bad = TwoCategorical();
  bad[1].feature = 3;
  CHECK_THROWS_AS(EncodeModel(StumpOnThree(), InfoWith(bad)), std::invalid_argument);
  bad = TwoCategorical();
  bad[0].texts[1] = "\xFF";
  CHECK_THROWS_AS(EncodeModel(StumpOnThree(), InfoWith(bad)), std::invalid_argument);
  const Bytes good = EncodeModel(StumpOnThree(), InfoWith(TwoCategorical()));
  Rng rng(58);
  for (int trial = 0; trial < 2000; ++trial) {  // random bytes with right checksums
    Bytes section = EncodeCategories(TwoCategorical());
    section[rng.Below(static_cast<std::uint32_t>(section.size()))] =
        static_cast<std::uint8_t>(rng.Below(256));
    std::vector<Section> sections = DecodeSections(good);
    for (Section& each : sections) {
      if (each.name == "CATG") each.bytes = section;
    }
    const Bytes file = EncodeSections(sections);
    try {
      const Model model = DecodeModel(file);
      CHECK(EncodeModel(model.ensemble, model.info) == file);
    } catch (const std::invalid_argument&) {
      CHECK(true);
    }
  }
}

TEST_CASE("whoever scores documents as they are refuses levels, by name") {
  ModelInfo info = InfoWith(TwoCategorical());
  CHECK_NOTHROW(RequireNumbers({}));
  CHECK_THROWS_AS(RequireNumbers(info), std::invalid_argument);
  info.feature_names = {"site", "clicks", "shop"};
  std::string message;
  try {
    RequireNumbers(info);
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  CHECK(message.find("categorical features, such as 0 ('site')") != std::string::npos);
}

}  // namespace rankforest
