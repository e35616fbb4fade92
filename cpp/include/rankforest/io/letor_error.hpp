#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rankforest/detail/quoted.hpp"
#include "rankforest/io/letor_data.hpp"

namespace rankforest {

/// LETOR text that cannot be read; what() is "FILE:LINE:COLUMN: found ..., expected ...".
/// Lines and columns count from 1, columns in UTF-8 characters.
class LetorError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// There is no memory for the matrix that LETOR text asks for.
class LetorMemoryError : public std::bad_alloc {
 public:
  LetorMemoryError(std::size_t n_documents, std::size_t n_features)
      : what_(std::make_shared<const std::string>(
            "there is no memory for the features of " + std::to_string(n_documents) +
            " documents with " + std::to_string(n_features) + " features, " +
            std::to_string(static_cast<double>(n_documents) * static_cast<double>(n_features) *
                           sizeof(float) / 1e9) +
            " GB")) {}
  [[nodiscard]] const char* what() const noexcept override { return what_->c_str(); }

 private:
  std::shared_ptr<const std::string> what_;  // copied without failing
};

namespace detail {

/// "FILE:LINE:COLUMN" of the byte at `offset`, which may be the end of the text.
inline std::string Place(const LetorSource& source, std::size_t offset) {
  const std::string_view before = source.text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view in_line = before.substr(line_begin);
  // Bytes 10xxxxxx continue a character; a byte order mark is no column of its own.
  auto column =
      std::count_if(in_line.begin(), in_line.end(), [](char c) { return (c & '\xC0') != '\x80'; }) +
      1;
  if (in_line.substr(0, 3) == "\xEF\xBB\xBF") --column;
  return source.name + ':' + std::to_string(line) + ':' + std::to_string(column);
}

}  // namespace detail
}  // namespace rankforest
