#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/io/letor_data.hpp"
#include "rankforest/io/letor_line.hpp"
#include "rankforest/io/letor_pieces.hpp"

namespace rankforest::detail {

/// A run of whole lines of one source: what one thread parses at a time.
struct LetorChunk {
  std::size_t source = 0;
  std::size_t begin = 0;  ///< the first byte
  std::size_t end = 0;    ///< one past the last byte
  bool ends_source = false;
};

/// The bytes of a source that hold whole lines: all of them, or, where the text is cut off, those
/// up to the last line's end.
inline std::size_t WholeLines(const LetorSource& source) {
  return source.damage.empty() ? SizeOf(source) : source.text.rfind('\n') + 1;
}

/// The first byte of the first line that starts at or after `offset`, or `end`.
inline std::size_t NextLine(const LetorSource& source, std::size_t offset, std::size_t end) {
  if (offset == 0) return 0;
  return std::min(end, FindLineBreak(source, offset - 1, end) + 1);
}

/// Cuts the sources into chunks of about `chunk_bytes`, in order. Every source ends with a chunk
/// of its own, empty if the source is, so that what is wrong at its end has a place in the order.
inline std::vector<LetorChunk> CutIntoChunks(Span<const LetorSource> sources,
                                             std::size_t chunk_bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::vector<LetorChunk> chunks;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const std::size_t size = WholeLines(sources[s]);
    const bool marked = StartOf(sources[s], kByteOrderMark.size()) == kByteOrderMark;
    std::size_t begin = std::min(size, marked ? kByteOrderMark.size() : 0);
    for (bool last = false; !last;) {
      const std::size_t target = size - begin > chunk_bytes ? begin + chunk_bytes : size;
      const std::size_t end = NextLine(sources[s], target, size);
      last = end == size;
      chunks.push_back({s, begin, end, last});
      begin = end;
    }
  }
  return chunks;
}

/// Calls visit(begin, end) for each line of a chunk that is not blank: from its first character
/// that is no blank to its line break, or to the end of the text.
template <class Visit>
void ForEachLine(std::string_view text, const LetorChunk& chunk, const Visit& visit) {
  const char* line = text.data() + chunk.begin;
  const char* const chunk_end = text.data() + chunk.end;
  while (line != chunk_end) {
    const auto left = static_cast<std::size_t>(chunk_end - line);
    const auto* const line_break = static_cast<const char*>(std::memchr(line, '\n', left));
    const char* const end = line_break != nullptr ? line_break : chunk_end;
    const char* const begin = SkipBlanks(line, end);
    if (begin != end) visit(begin, end);
    line = line_break != nullptr ? line_break + 1 : chunk_end;
  }
}

}  // namespace rankforest::detail
