#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "rankforest/io/bytes.hpp"
#include "rankforest/io/utf8.hpp"

namespace rankforest {

// The section of a user's own texts, with the notation of ensemble_sections.hpp:
//
//   META  u64 number of entries; then, for each: u32 size in bytes, UTF-8 key,
//         u32 size in bytes, UTF-8 value. Keys ascend, byte by byte.
//
// It is not critical: scores do not depend on it, and a model without such texts has none.

/// Texts by key. Nothing in the library reads them.
using Metadata = std::map<std::string, std::string>;

/// Most bytes of a key, >= 1 of them.
inline constexpr std::size_t kMostKeyBytes = 255;
/// Most bytes of all keys and values together: a model file is no store of documents.
inline constexpr std::size_t kMostMetadataBytes = std::size_t{1} << 20;

/// Throws std::invalid_argument, naming the key, unless keys and values can be kept.
inline void ValidateMetadata(const Metadata& metadata) {
  std::size_t total = 0;
  for (const auto& [key, value] : metadata) {
    if (!IsUtf8(TextBytes(key))) {
      throw std::invalid_argument("a key of the metadata is not valid UTF-8");
    }
    if (key.empty() || key.size() > kMostKeyBytes) {
      const std::string size = std::to_string(key.size());
      throw std::invalid_argument(
          "a key of the metadata must have 1 to " + std::to_string(kMostKeyBytes) + " bytes; " +
          (key.empty() ? "one has none" : "'" + key.substr(0, 20) + "...' has " + size));
    }
    if (!IsUtf8(TextBytes(value))) {
      throw std::invalid_argument("metadata '" + key + "' is not valid UTF-8");
    }
    total += key.size() + value.size();
    if (total > kMostMetadataBytes) {
      throw std::invalid_argument("the metadata must have at most " +
                                  std::to_string(kMostMetadataBytes) + " bytes; '" + key +
                                  "' goes beyond");
    }
  }
}

inline Bytes EncodeMetadata(const Metadata& metadata) {
  ByteWriter out;
  out.Put(std::uint64_t{metadata.size()});
  for (const auto& [key, value] : metadata) {
    for (const std::string* text : {&key, &value}) {
      out.Put(static_cast<std::uint32_t>(text->size()));
      out.PutBytes(TextBytes(*text));
    }
  }
  return std::move(out).Take();
}

/// Throws std::invalid_argument unless the bytes are of the form, which gives equal texts equal
/// bytes; ValidateMetadata checks the rest.
inline Metadata DecodeMetadata(ByteView bytes) {
  ByteReader in("section META", bytes);
  Metadata metadata;
  const auto n_entries = in.Get<std::uint64_t>();
  for (std::uint64_t i = 0; i < n_entries; ++i) {
    std::string key = ToText(in.Take(in.Get<std::uint32_t>(), 1));
    std::string value = ToText(in.Take(in.Get<std::uint32_t>(), 1));
    if (!metadata.empty() && key <= metadata.rbegin()->first) {
      throw std::invalid_argument("the keys of section META do not ascend");
    }
    metadata.emplace_hint(metadata.end(), std::move(key), std::move(value));
  }
  in.RequireEnd();
  return metadata;
}

}  // namespace rankforest
