#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "rankforest/detail/eight_bytes.hpp"
#include "rankforest/detail/quoted.hpp"
#include "rankforest/io/letor_data.hpp"
#include "rankforest/io/letor_error.hpp"

namespace rankforest::detail {

inline bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline const char* SkipBlanks(const char* begin, const char* end) {
  while (begin != end && IsBlank(*begin)) ++begin;
  return begin;
}

/// Whether `c` cannot be part of a token: a blank, a line break or a control character.
inline bool EndsToken(char c) { return static_cast<unsigned char>(c) <= ' '; }

/// The first byte from `p` on that ends a token.
inline const char* EndOfToken(const char* p) {
  std::uint64_t blank = MarkBlank(LoadEight(p));
  for (; blank == 0; blank = MarkBlank(LoadEight(p))) p += 8;
  return p + BytesBeforeMark(blank);
}

/// Bytes after the end of a line that its parser may read.
inline constexpr std::size_t kLineReach = 32;

/// A line while it is parsed, from its first character to before its line break. Such a line,
/// maybe a copy of the one in the source, has kLineReach readable bytes from its end on, the
/// first of which ends a token: this spares the parser's loops a check for the end.
struct LetorLine {
  const LetorSource& source;
  std::size_t offset = 0;  ///< of the line in the source's text
  const char* begin = nullptr;
  const char* end = nullptr;

  [[nodiscard]] std::size_t OffsetOf(const char* p) const {
    return offset + static_cast<std::size_t>(p - begin);
  }

  /// Where a part of the line stands in the source, which outlives the line.
  [[nodiscard]] std::string_view InSource(std::string_view part) const {
    return source.text.substr(OffsetOf(part.data()), part.size());
  }

  /// The token from `p` on. A comment may follow it without a blank.
  [[nodiscard]] std::string_view Token(const char* p) const {
    const std::string_view token(p, static_cast<std::size_t>(EndOfToken(p) - p));
    return token.substr(0, token.find('#'));
  }

  /// Throws the error that something else than expected stands at `p`.
  [[noreturn]] void Fail(const char* p, const std::string& expectation) const {
    std::string found = "the end of the line";
    if (p != end) {
      const std::string_view token = Token(p);
      const bool is_blank = token.empty() && IsBlank(*p);
      found = is_blank ? "a blank" : Quoted({p, std::max<std::size_t>(token.size(), 1)});
    }
    throw LetorError(Place(source, OffsetOf(p)) + ": found " + found + ", " + expectation);
  }
};

}  // namespace rankforest::detail
