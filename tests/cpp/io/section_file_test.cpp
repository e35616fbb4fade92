#include "rankforest/io/section_file.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/section_surgery.hpp"

namespace rankforest {

namespace {

using testing::EntryAt;
using testing::Overwrite;

/// Section ABCD of 3 bytes, padded to 8, at byte 96, and section EF01 of 8 bytes at byte 104.
Bytes TwoSections() {
  return testing::PutTogether(
      {{"ABCD", true, {1, 2, 3}}, {"EF01", false, {4, 5, 6, 7, 8, 9, 0, 1}}});
}

/// What DecodeSections says of the file after `change`, its checksums made right again.
std::string Complaint(const std::function<void(Bytes&)>& change) {
  Bytes file = TwoSections();
  change(file);
  testing::Reseal(file);
  try {
    DecodeSections(file);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a file is the header, the table, its checksum and the padded sections") {
  ByteWriter out;
  out.PutBytes(ByteView(detail::kMagic, 8));
  out.Put(std::uint32_t{1});
  out.Put(std::uint32_t{2});
  out.Put(std::uint64_t{112});
  out.PutBytes(TextBytes("ABCD"));
  out.Put(std::uint32_t{1});
  out.Put(std::uint64_t{96});
  out.Put(std::uint64_t{3});
  out.Put(Xxh64(Bytes{1, 2, 3}));
  out.PutBytes(TextBytes("EF01"));
  out.Put(std::uint32_t{0});
  out.Put(std::uint64_t{104});
  out.Put(std::uint64_t{8});
  out.Put(Xxh64(Bytes{4, 5, 6, 7, 8, 9, 0, 1}));
  out.Put(Xxh64(out.bytes()));
  out.PutBytes(Bytes{1, 2, 3, 0, 0, 0, 0, 0});
  out.PutBytes(Bytes{4, 5, 6, 7, 8, 9, 0, 1});
  CHECK(TwoSections() == std::move(out).Take());
}

TEST_CASE("sections come back as they were") {
  const Bytes file = TwoSections();
  const std::vector<Section> sections = DecodeSections(file, Threads{2});
  REQUIRE(sections.size() == 2);
  CHECK(sections[0].name == "ABCD");
  CHECK(sections[0].critical);
  CHECK(ToText(sections[0].bytes) == "\1\2\3");
  CHECK(sections[1].name == "EF01");
  CHECK_FALSE(sections[1].critical);
  CHECK(sections[1].bytes.size() == 8);
  CHECK(testing::PutTogether(testing::TakeApart(file)) == file);
  CHECK(DecodeSections(EncodeSections({})).empty());
}

TEST_CASE("every flipped bit is found") {
  Bytes file = TwoSections();
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    const auto mask = static_cast<std::uint8_t>(1U << bit % 8);
    file[bit / 8] ^= mask;
    CHECK_THROWS_AS(DecodeSections(file), std::invalid_argument);
    file[bit / 8] ^= mask;
  }
  CHECK_NOTHROW(DecodeSections(file));
}

TEST_CASE("every file that is too short or too long is refused") {
  const Bytes file = TwoSections();
  for (std::size_t size = 0; size < file.size(); ++size) {
    CHECK_THROWS_AS(DecodeSections(ByteView(file).subspan(0, size)), std::invalid_argument);
  }
  Bytes longer = file;
  longer.resize(file.size() + 8);
  CHECK_THROWS_WITH_AS(DecodeSections(longer),
                       "the model file is damaged: it has 120 bytes, its header says 112",
                       std::invalid_argument);
}

TEST_CASE("what is no model file is told from what is damaged or newer") {
  CHECK_THROWS_WITH_AS(DecodeSections(TextBytes("3 qid:1 1:0.5")), "not a rankforest model file",
                       std::invalid_argument);
  CHECK(Complaint([](Bytes& file) { Overwrite(file, 8, std::uint32_t{2}); }) ==
        "the model file has format version 2; this version of rankforest reads version 1");
}

TEST_CASE("a wrong header or table is refused though its checksums are right") {
  const std::string damaged = "the model file is damaged: ";
  const auto at = [](std::size_t position, std::uint64_t value) {
    return [=](Bytes& file) { Overwrite(file, position, value); };
  };
  const std::size_t first = EntryAt(0);
  const std::size_t second = EntryAt(1);
  CHECK(Complaint([](Bytes&) {}) == "");
  CHECK(Complaint([](Bytes& file) { Overwrite(file, 12, std::uint32_t{0xFFFFFFFF}); }) ==
        damaged + "it is too short for a table of 4294967295 sections");
  CHECK(Complaint([](Bytes& file) { Overwrite(file, 12, std::uint32_t{1}); }) ==
        damaged + "section ABCD starts at byte 96, expected 64");
  CHECK(Complaint(at(16, 111)) == damaged + "it has 112 bytes, its header says 111");
  CHECK(Complaint(at(second + 8, 96)) ==  // over the first section
        damaged + "section EF01 starts at byte 96, expected 104");
  CHECK(Complaint(at(second + 8, 108)) ==
        damaged + "section EF01 starts at byte 108, expected 104");
  CHECK(Complaint(at(first + 8, 0)) == damaged + "section ABCD starts at byte 0, expected 96");
  CHECK(Complaint(at(second + 16, 9)) ==
        damaged + "section EF01 has 9 bytes, the file ends before");
  CHECK(Complaint(at(second + 16, std::numeric_limits<std::uint64_t>::max())) ==
        damaged + "section EF01 has 18446744073709551615 bytes, the file ends before");
  CHECK(Complaint(at(first + 16, 16)) == damaged + "section EF01 starts at byte 104, expected 112");
  CHECK(Complaint([&](Bytes& file) { Overwrite(file, second + 4, std::uint32_t{2}); }) ==
        damaged + "section EF01 has unknown flags 2");
  CHECK(Complaint([](Bytes& file) { file[100] = 1; }) ==
        damaged + "the padding of section ABCD is not zero");
  CHECK(Complaint([](Bytes& file) {
          file.resize(120);
          Overwrite(file, 16, std::uint64_t{120});
        }) == damaged + "bytes follow its last section");
  CHECK(Complaint([&](Bytes& file) { file[first] = 'a'; }) ==
        "the name of a section is not four of A-Z and 0-9");
  CHECK(Complaint([&](Bytes& file) {
          std::copy_n(file.data() + EntryAt(0), 4, file.data() + EntryAt(1));
        }) == "there are two sections ABCD");
}

TEST_CASE("names that no file may have are not written") {
  for (const char* name : {"", "ABC", "ABCDE", "ab12", "AB 1"}) {
    CHECK_THROWS_AS(testing::PutTogether({{name, true, {}}}), std::invalid_argument);
  }
  CHECK_THROWS_AS(testing::PutTogether({{"ABCD", true, {}}, {"ABCD", false, {}}}),
                  std::invalid_argument);
}

}  // namespace rankforest
