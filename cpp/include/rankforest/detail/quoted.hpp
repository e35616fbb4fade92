#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rankforest::detail {

/// `text` in quotes, printable and short: other bytes than printable ASCII as \xNN.
inline std::string Quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  constexpr char kHex[] = "0123456789abcdef";
  std::string quoted = "'";
  for (const char c : text.substr(0, kLongest)) {
    if (c >= ' ' && c <= '~') {
      quoted += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      quoted += {'\\', 'x', kHex[byte / 16], kHex[byte % 16]};
    }
  }
  return quoted + (text.size() > kLongest ? "...'" : "'");
}

}  // namespace rankforest::detail
