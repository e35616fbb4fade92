#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/io/bytes.hpp"
#include "rankforest/io/xxh64.hpp"

namespace rankforest {

// A file of named sections. All numbers are little-endian and unsigned, all checksums XXH64 with
// seed 0. With n sections:
//
//   offset       size
//   0            8     magic: 89 52 46 4D 0D 0A 1A 0A (\x89 R F M \r \n \x1A \n), which a transfer
//                      as text would damage
//   8            4     format version: 1
//   12           4     n
//   16           8     size of the file
//   24           32 n  table: one entry for each section
//                        0   4  name: four of A-Z and 0-9, no two sections share one
//                        4   4  flags: bit 0 is "critical", the others are 0
//                        8   8  offset of the section in the file
//                        16  8  size of the section, padding not counted
//                        24  8  checksum of the section, padding not included
//   24 + 32 n    8     checksum of all bytes before it
//   32 + 32 n          sections in the order of the table, each padded with zeros to a multiple
//                      of 8 bytes; nothing else stands between them or behind them
//
// A reader that does not know a critical section must refuse the file; other unknown sections do
// not change the meaning of the rest, and are kept when the file is written anew.

struct Section {
  std::string name;
  bool critical = false;
  ByteView bytes;
};

namespace detail {

inline constexpr std::uint8_t kMagic[8] = {0x89, 'R', 'F', 'M', '\r', '\n', 0x1A, '\n'};
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::size_t kHeaderSize = 24;
inline constexpr std::size_t kEntrySize = 32;
inline constexpr std::size_t kChecksumSize = 8;

inline std::size_t Padded(std::size_t size) { return (size + 7) / 8 * 8; }

[[noreturn]] inline void Damaged(const std::string& problem) {
  throw std::invalid_argument("the model file is damaged: " + problem);
}

/// Throws std::invalid_argument unless the names are four of A-Z and 0-9 each, and differ.
inline void CheckNames(Span<const Section> sections) {
  const auto is_allowed = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  std::vector<std::string> names;
  for (const Section& section : sections) {
    const std::string& name = section.name;
    if (name.size() != 4 || !std::all_of(name.begin(), name.end(), is_allowed)) {
      throw std::invalid_argument("the name of a section is not four of A-Z and 0-9");
    }
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  const auto twin = std::adjacent_find(names.begin(), names.end());
  if (twin != names.end()) throw std::invalid_argument("there are two sections " + *twin);
}

/// Whether a file starts with the magic.
inline bool HasMagic(ByteView file) {
  return file.size() >= sizeof kMagic && std::equal(kMagic, kMagic + sizeof kMagic, file.data());
}

/// Where the sections start, once the header and the table have passed their checks.
inline std::size_t CheckHeader(ByteView file) {
  if (!HasMagic(file)) throw std::invalid_argument("not a rankforest model file");
  if (file.size() < kHeaderSize + kChecksumSize) Damaged("it ends within the header");
  const auto version = LoadLittleEndian<std::uint32_t>(file.data() + 8);
  if (version != kFormatVersion) {
    throw std::invalid_argument("the model file has format version " + std::to_string(version) +
                                "; this version of rankforest reads version 1");
  }
  const std::size_t n_sections = LoadLittleEndian<std::uint32_t>(file.data() + 12);
  const auto size = LoadLittleEndian<std::uint64_t>(file.data() + 16);
  if (size != file.size()) {
    Damaged("it has " + std::to_string(file.size()) + " bytes, its header says " +
            std::to_string(size));
  }
  if (n_sections > (file.size() - kHeaderSize - kChecksumSize) / kEntrySize) {
    Damaged("it is too short for a table of " + std::to_string(n_sections) + " sections");
  }
  const std::size_t end = kHeaderSize + n_sections * kEntrySize;
  if (Xxh64(file.subspan(0, end)) != LoadLittleEndian<std::uint64_t>(file.data() + end)) {
    Damaged("the checksum of its header and table does not match");
  }
  return end + kChecksumSize;
}

/// The section of one table entry, which must start at `begin`; its checksum is not looked at.
inline Section CheckEntry(ByteView file, const std::uint8_t* entry, std::size_t begin) {
  Section section;
  section.name = ToText({entry, 4});
  const auto flags = LoadLittleEndian<std::uint32_t>(entry + 4);
  const auto offset = LoadLittleEndian<std::uint64_t>(entry + 8);
  const auto size = LoadLittleEndian<std::uint64_t>(entry + 16);
  if (flags > 1) Damaged("section " + section.name + " has unknown flags " + std::to_string(flags));
  if (offset != begin) {
    Damaged("section " + section.name + " starts at byte " + std::to_string(offset) +
            ", expected " + std::to_string(begin));
  }
  if (size > file.size() - begin || Padded(static_cast<std::size_t>(size)) > file.size() - begin) {
    Damaged("section " + section.name + " has " + std::to_string(size) +
            " bytes, the file ends before");
  }
  section.critical = flags == 1;
  section.bytes = file.subspan(begin, static_cast<std::size_t>(size));
  const std::uint8_t* end = section.bytes.end();
  const std::uint8_t* padded_end = file.data() + begin + Padded(section.bytes.size());
  if (std::any_of(end, padded_end, [](std::uint8_t byte) { return byte != 0; })) {
    Damaged("the padding of section " + section.name + " is not zero");
  }
  return section;
}

}  // namespace detail

/// Writes sections as one file.
inline Bytes EncodeSections(Span<const Section> sections) {
  using namespace detail;
  CheckNames(sections);
  const std::size_t first = kHeaderSize + sections.size() * kEntrySize + kChecksumSize;
  std::size_t size = first;
  for (const Section& section : sections) size += Padded(section.bytes.size());
  ByteWriter out;
  out.Reserve(size);
  out.PutBytes(ByteView(kMagic, sizeof kMagic));
  out.Put(kFormatVersion);
  out.Put(static_cast<std::uint32_t>(sections.size()));
  out.Put(std::uint64_t{size});
  std::uint64_t offset = first;
  for (const Section& section : sections) {
    out.PutBytes(TextBytes(section.name));
    out.Put(std::uint32_t{section.critical ? 1U : 0U});
    out.Put(offset);
    out.Put(std::uint64_t{section.bytes.size()});
    out.Put(Xxh64(section.bytes));
    offset += Padded(section.bytes.size());
  }
  out.Put(Xxh64(out.bytes()));
  for (const Section& section : sections) {
    out.PutBytes(section.bytes);
    out.PadTo(Padded(out.bytes().size()));
  }
  return std::move(out).Take();
}

/// The sections of a file, as views into `file`. Throws std::invalid_argument unless header,
/// table, places, padding and checksums are right.
inline std::vector<Section> DecodeSections(ByteView file, Threads threads = {}) {
  using namespace detail;
  std::size_t begin = CheckHeader(file);
  const std::size_t n_sections = (begin - kChecksumSize - kHeaderSize) / kEntrySize;
  const std::uint8_t* table = file.data() + kHeaderSize;
  std::vector<Section> sections;
  for (std::size_t s = 0; s < n_sections; ++s) {
    sections.push_back(CheckEntry(file, table + s * kEntrySize, begin));
    begin += Padded(sections.back().bytes.size());
  }
  if (begin != file.size()) Damaged("bytes follow its last section");
  CheckNames(sections);
  constexpr double kSecondsPerByte = 1e-10;
  ParallelFor(ForLoopOf(threads, file.size(), kSecondsPerByte), n_sections, [&](std::size_t s) {
    const auto stored = LoadLittleEndian<std::uint64_t>(table + s * kEntrySize + 24);
    if (Xxh64(sections[s].bytes) != stored) {
      Damaged("the checksum of section " + sections[s].name + " does not match");
    }
  });
  return sections;
}

}  // namespace rankforest
