#pragma once

#include <cstddef>
#include <string>

#include "rankforest/io/letor_line.hpp"

namespace rankforest::testing {

/// A line of a file "f" on its own, with what its parser may read behind it.
class OneLine {
 public:
  explicit OneLine(std::string text)
      : size_(text.size()),
        padded_(text + std::string(detail::kLineReach, '\0')),
        source_{"f", {padded_.data(), size_}, ""} {}
  OneLine(const OneLine&) = delete;
  OneLine& operator=(const OneLine&) = delete;

  [[nodiscard]] const char* begin() const { return padded_.data(); }
  [[nodiscard]] detail::LetorLine line() const { return {source_, 0, begin(), begin() + size_}; }

 private:
  std::size_t size_;
  std::string padded_;
  LetorSource source_;
};

/// The message of the LetorError that `parse()` throws; "" if it does not.
template <class Parse>
std::string MessageOf(const Parse& parse) {
  try {
    parse();
  } catch (const LetorError& error) {
    return error.what();
  }
  return "";
}

}  // namespace rankforest::testing
