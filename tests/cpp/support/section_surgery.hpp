#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/io/bytes.hpp"
#include "rankforest/io/section_file.hpp"
#include "rankforest/io/xxh64.hpp"

namespace rankforest::testing {

// Section files, opened to be damaged with right checksums.

template <class T>
void Overwrite(Bytes& bytes, std::size_t at, T value) {
  detail::StoreLittleEndian(value, bytes.data() + at);
}

/// Where the table entry of a section starts.
inline std::size_t EntryAt(std::size_t section) { return 24 + 32 * section; }

/// Recomputes every checksum whose bytes and place are within the file.
inline void Reseal(Bytes& file) {
  const auto number = [&](std::size_t at) {
    return detail::LoadLittleEndian<std::uint64_t>(file.data() + at);
  };
  if (file.size() < 32) return;
  const std::uint64_t n_sections = detail::LoadLittleEndian<std::uint32_t>(file.data() + 12);
  const std::size_t fitting = (file.size() - 32) / 32;
  for (std::size_t s = 0; s < std::min<std::uint64_t>(n_sections, fitting); ++s) {
    const std::uint64_t offset = number(EntryAt(s) + 8);
    const std::uint64_t size = number(EntryAt(s) + 16);
    if (offset > file.size() || size > file.size() - offset) continue;
    const ByteView section = ByteView(file).subspan(offset, size);
    Overwrite(file, EntryAt(s) + 24, Xxh64(section));
  }
  if (n_sections > fitting) return;
  const std::size_t end = EntryAt(n_sections);
  Overwrite(file, end, Xxh64(ByteView(file).subspan(0, end)));
}

/// A section with bytes of its own.
struct OwnedSection {
  std::string name;
  bool critical = true;
  Bytes bytes;
};

inline std::vector<OwnedSection> TakeApart(ByteView file) {
  std::vector<OwnedSection> parts;
  for (const Section& section : DecodeSections(file)) {
    parts.push_back({section.name, section.critical, {section.bytes.begin(), section.bytes.end()}});
  }
  return parts;
}

inline Bytes PutTogether(const std::vector<OwnedSection>& parts) {
  std::vector<Section> sections;
  for (const OwnedSection& part : parts) {
    sections.push_back({part.name, part.critical, part.bytes});
  }
  return EncodeSections(sections);
}

}  // namespace rankforest::testing
