#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rankforest/io/letor_chunks.hpp"
#include "rankforest/io/letor_features.hpp"
#include "rankforest/io/letor_layout.hpp"
#include "rankforest/io/letor_line.hpp"
#include "rankforest/io/letor_numbers.hpp"

namespace rankforest::detail {

/// Documents in a row that have the same query; a run lasts until the next one starts.
struct QueryRun {
  std::size_t first_row = 0;
  std::string_view id;
};

/// Where the documents of a chunk go, and what else is found in them.
struct LetorRows {
  std::size_t first_row = 0;
  std::size_t n_rows = 0;
  LetorIndices indices;
  std::vector<QueryRun> runs;
  std::vector<std::string_view> comments;  ///< of each row; empty if there are none
  std::vector<char> own;                   ///< ids and comments whose text does not last

  /// Keeps ids and comments when the text that they are part of goes.
  void Own() {
    std::size_t size = 0;
    ForEachText([&](std::string_view& text) { size += text.size(); });
    own.resize(size);
    char* next = own.data();
    ForEachText([&](std::string_view& text) {
      next = std::copy(text.begin(), text.end(), next);
      text = {next - text.size(), text.size()};
    });
  }

 private:
  template <class Visit>
  void ForEachText(const Visit& visit) {
    for (QueryRun& run : runs) visit(run.id);
    for (std::string_view& comment : comments) visit(comment);
  }
};

/// Parses the lines of one chunk.
class LetorParser {
 public:
  /// `features` and `grades` are those of the chunk's first row.
  LetorParser(const LetorLayout& layout, const LetorOptions& options, float* features,
              double* grades, LetorRows& rows)
      : layout_(layout),
        options_(options),
        feature_parser_(layout, options.absent),
        features_(features),
        grades_(grades),
        rows_(rows) {}

  void Parse(const LetorSource& source, const LetorChunk& chunk) {
    const char* const text = source.text.data();
    const char* const text_end = text + source.text.size();
    std::string padded;
    ForEachLine(source.text, chunk, [&](const char* begin, const char* end) {
      const auto offset = static_cast<std::size_t>(begin - text);
      if (static_cast<std::size_t>(text_end - end) >= kLineReach) {
        ParseLine({source, offset, begin, end});
      } else {
        padded.assign(begin, end).append(kLineReach, '\0');
        ParseLine({source, offset, padded.data(), padded.data() + (end - begin)});
      }
    });
    RequireAsSurveyed(row_ == rows_.n_rows, source);
    rows_.indices = feature_parser_.indices();
  }

 private:
  void ParseLine(const LetorLine& line) {
    const char* p = line.begin;
    if (*p != '#') {
      RequireAsSurveyed(row_ < rows_.n_rows, line.source);
      grades_[row_] = ParseGrade(line, p);
      if (layout_.has_qid) ParseQid(line, p);
      p = feature_parser_.Parse(line, p, features_ + row_ * layout_.n_columns);
      if (p != line.end) KeepComment(ParseComment(line, p));
      ++row_;
    } else {
      ParseComment(line, p);
    }
  }

  /// Somebody may have written to the file between the passes; there is room for the documents that
  /// were counted.
  static void RequireAsSurveyed(bool holds, const LetorSource& source) {
    if (!holds) throw std::invalid_argument(source.name + ": the text changed while it was read");
  }

  /// Reads "qid:ID" at `p` and moves `p` behind it.
  void ParseQid(const LetorLine& line, const char*& p) {
    constexpr std::string_view kQid = "qid:";
    p = SkipBlanks(p, line.end);
    const std::string_view token = line.Token(p);
    if (token.substr(0, kQid.size()) != kQid) line.Fail(p, "expected qid:ID after the grade");
    const std::string_view id = token.substr(kQid.size());
    if (id.empty()) line.Fail(p, "expected an id right after qid:");
    if (rows_.runs.empty() || rows_.runs.back().id != id) {
      rows_.runs.push_back({rows_.first_row + row_, line.InSource(id)});
    }
    p += token.size();
  }

  /// The comment that starts with the '#' at `p`, without the blanks around it.
  static std::string_view ParseComment(const LetorLine& line, const char* p) {
    const void* const nul = std::memchr(p, '\0', static_cast<std::size_t>(line.end - p));
    if (nul != nullptr) line.Fail(static_cast<const char*>(nul), "expected text without NUL bytes");
    const char* const begin = SkipBlanks(p + 1, line.end);
    const char* end = line.end;
    while (end != begin && IsBlank(end[-1])) --end;
    return line.InSource({begin, static_cast<std::size_t>(end - begin)});
  }

  void KeepComment(std::string_view comment) {
    if (!options_.keep_comments || comment.empty()) return;
    rows_.comments.resize(rows_.n_rows);
    rows_.comments[row_] = comment;
  }

  const LetorLayout& layout_;
  const LetorOptions& options_;
  LetorFeatureParser feature_parser_;
  float* const features_;
  double* const grades_;
  LetorRows& rows_;
  std::size_t row_ = 0;  ///< of the current line, among the chunk's rows
};

}  // namespace rankforest::detail
