#pragma once

#include <cstddef>
#include <cstdint>

#include "rankforest/io/bytes.hpp"

namespace rankforest {

/// Whether `text` is well-formed UTF-8 (Unicode 15, table 3-7): no surrogates, no overlong forms,
/// nothing beyond U+10FFFF.
inline bool IsUtf8(ByteView text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const std::uint8_t lead = text[i++];
    if (lead < 0x80) continue;
    if (lead < 0xC2 || lead > 0xF4) return false;
    const std::size_t n_continuations = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (text.size() - i < n_continuations) return false;
    // The first continuation byte has a narrower range after four of the lead bytes.
    const std::uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (text[i] < low || text[i] > high) return false;
    for (std::size_t k = 1; k < n_continuations; ++k) {
      if ((text[i + k] & 0xC0) != 0x80) return false;
    }
    i += n_continuations;
  }
  return true;
}

}  // namespace rankforest
