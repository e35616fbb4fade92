#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "rankforest/detail/input_file.hpp"
#include "rankforest/detail/uninitialized.hpp"
#include "rankforest/io/letor_data.hpp"
#include "rankforest/io/letor_line.hpp"

namespace rankforest::detail {

inline std::size_t SizeOf(const LetorSource& source) {
  return source.file != nullptr ? source.file->size() : source.text.size();
}

/// Memory for a piece of a source at a time; reading in pieces that stay in a core's cache takes no
/// longer than mapping the file.
class LetorPiece {
 public:
  /// The bytes [begin, end) of a source that is a file, followed by kLineReach zeros, as a source
  /// of their own that lasts until the next piece.
  LetorSource Read(const LetorSource& source, std::size_t begin, std::size_t end) {
    assert(source.file != nullptr);
    buffer_.resize(end - begin + kLineReach);
    source.file->Read(begin, end - begin, buffer_.data());
    std::memset(buffer_.data() + (end - begin), 0, kLineReach);
    return {source.name, {buffer_.data(), buffer_.size()}, {}, nullptr};
  }

 private:
  UninitializedVector<char> buffer_;
};

/// The place of the first line break at or after `offset`, or `end`.
inline std::size_t FindLineBreak(const LetorSource& source, std::size_t offset, std::size_t end) {
  if (source.file == nullptr) return std::min(source.text.find('\n', offset), end);
  char window[4096];
  while (offset < end) {
    const std::size_t n = std::min(sizeof window, end - offset);
    source.file->Read(offset, n, window);
    const auto* const found = static_cast<const char*>(std::memchr(window, '\n', n));
    if (found != nullptr) return offset + static_cast<std::size_t>(found - window);
    offset += n;
  }
  return end;
}

/// The first bytes of a source, at most `n`.
inline std::string StartOf(const LetorSource& source, std::size_t n) {
  n = std::min(n, SizeOf(source));
  if (source.file == nullptr) return std::string(source.text.substr(0, n));
  std::string start(n, '\0');
  source.file->Read(0, n, start.data());
  return start;
}

/// A copy of the source that is in memory up to `end`, for messages: they count lines.
class LetorCopy {
 public:
  LetorCopy(const LetorSource& source, std::size_t end)
      : text_(StartOf(source, end)), copy_{source.name, text_, source.damage, nullptr} {}
  LetorCopy(const LetorCopy&) = delete;
  LetorCopy& operator=(const LetorCopy&) = delete;

  [[nodiscard]] const LetorSource& source() const { return copy_; }

 private:
  std::string text_;
  LetorSource copy_;
};

}  // namespace rankforest::detail
