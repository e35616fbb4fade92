#include "rankforest/io/metadata_section.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "rankforest/io/bytes.hpp"

namespace rankforest {

namespace {

std::string MetadataComplaint(const Metadata& metadata) {
  try {
    ValidateMetadata(metadata);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("metadata is a count, then sizes, keys and values in the order of keys") {
  const Bytes expected{2, 0, 0, 0, 0, 0, 0, 0,   1, 0, 0, 0, 'a', 0,
                       0, 0, 0, 1, 0, 0, 0, 'b', 2, 0, 0, 0, 'x', 'y'};
  CHECK(EncodeMetadata({{"b", "xy"}, {"a", ""}}) == expected);
  CHECK(DecodeMetadata(expected) == Metadata{{"a", ""}, {"b", "xy"}});
}

TEST_CASE("metadata keeps every character") {
  const Metadata metadata{{"caf\xC3\xA9", "\xF0\x9F\x8C\xB2\n"},
                          {std::string("nul\0nul", 7), std::string("\0", 1)}};
  CHECK(MetadataComplaint(metadata) == "");
  CHECK(DecodeMetadata(EncodeMetadata(metadata)) == metadata);
}

TEST_CASE("keys that do not ascend, and sizes that the section does not hold, are refused") {
  Bytes bytes = EncodeMetadata({{"a", ""}, {"b", ""}});
  bytes[12] = 'b';
  CHECK_THROWS_WITH_AS(DecodeMetadata(bytes), "the keys of section META do not ascend",
                       std::invalid_argument);
  for (const std::uint64_t count : {1ULL, 3ULL, ~0ULL}) {
    Bytes damaged = EncodeMetadata({{"a", ""}, {"b", ""}});
    detail::StoreLittleEndian(count, damaged.data());
    CHECK_THROWS_AS(DecodeMetadata(damaged), std::invalid_argument);
  }
}

TEST_CASE("metadata that cannot be kept is refused, with the key") {
  const std::string long_key(256, 'k');
  CHECK(MetadataComplaint({{std::string(255, 'k'), "v"}}) == "");
  CHECK(MetadataComplaint({{long_key, "v"}}) ==
        "a key of the metadata must have 1 to 255 bytes; 'kkkkkkkkkkkkkkkkkkkk...' has 256");
  CHECK(MetadataComplaint({{"", "v"}}) ==
        "a key of the metadata must have 1 to 255 bytes; one has none");
  CHECK(MetadataComplaint({{"\xFF", "v"}}) == "a key of the metadata is not valid UTF-8");
  CHECK(MetadataComplaint({{"a", "\xFF"}}) == "metadata 'a' is not valid UTF-8");
  const std::string most(kMostMetadataBytes - 1, 'v');
  CHECK(MetadataComplaint({{"a", most}}) == "");
  CHECK(MetadataComplaint({{"a", most}, {"b", ""}}) ==
        "the metadata must have at most 1048576 bytes; 'b' goes beyond");
}

}  // namespace rankforest
