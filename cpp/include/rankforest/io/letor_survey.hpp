#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rankforest/io/letor_chunks.hpp"
#include "rankforest/io/letor_data.hpp"

namespace rankforest::detail {

/// What a quick look at a chunk tells before it is parsed. The number of documents is exact; the
/// rest is right for text without errors whose indices ascend on each line, and a guess for other
/// text.
struct LetorSurvey {
  std::size_t n_documents = 0;
  std::uint64_t end_index = 0;  ///< one more than the largest index; 0 without features
  bool has_index_zero = false;
  bool first_has_qid = false;  ///< whether the first document has one
};

/// The next token at or after `begin`: up to a blank or to `end`.
inline std::string_view NextToken(const char* begin, const char* end) {
  begin = SkipBlanks(begin, end);
  const char* const token_end = std::find_if(begin, end, IsBlank);
  return {begin, static_cast<std::size_t>(token_end - begin)};
}

/// One more than the index of the last feature of a line without its comment; 0 if there is none
/// or it has more than ten digits.
inline std::uint64_t LastEndIndex(std::string_view line) {
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) return 0;
  std::uint64_t index = 0;
  std::uint64_t power = 1;
  std::size_t digit = colon;
  for (; digit > 0 && line[digit - 1] >= '0' && line[digit - 1] <= '9'; --digit, power *= 10) {
    if (colon - digit == 10) return 0;
    index += power * static_cast<std::uint64_t>(line[digit - 1] - '0');
  }
  return digit == colon ? 0 : index + 1;
}

inline LetorSurvey SurveyChunk(std::string_view text, const LetorChunk& chunk) {
  constexpr std::string_view kQid = "qid:";
  LetorSurvey survey;
  ForEachLine(text, chunk, [&](const char* begin, const char* end) {
    if (*begin == '#') return;
    const std::string_view line(begin, static_cast<std::size_t>(end - begin));
    survey.end_index = std::max(survey.end_index, LastEndIndex(line.substr(0, line.find('#'))));
    const std::string_view grade = NextToken(begin, end);
    std::string_view token = NextToken(grade.data() + grade.size(), end);
    const bool has_qid = token.substr(0, kQid.size()) == kQid;
    if (has_qid) token = NextToken(token.data() + token.size(), end);
    survey.has_index_zero = survey.has_index_zero || token.substr(0, 2) == "0:";
    if (survey.n_documents == 0) survey.first_has_qid = has_qid;
    ++survey.n_documents;
  });
  return survey;
}

}  // namespace rankforest::detail
