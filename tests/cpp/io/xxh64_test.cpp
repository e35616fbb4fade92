#include "rankforest/io/xxh64.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace rankforest {

TEST_CASE("XXH64 has the values of its specification") {
  CHECK(Xxh64(TextBytes("")) == 0xEF46DB3751D8E999ULL);
  CHECK(Xxh64(TextBytes("a")) == 0xD24EC4F1A98C6E5BULL);
  CHECK(Xxh64(TextBytes("abc")) == 0x44BC2CF5AD770999ULL);
}

TEST_CASE("XXH64 equals the xxhash package of Python at every kind of length") {
  // Bytes (167 i + 13) mod 256, hashed with xxhash.xxh64(..., seed=0).
  struct Known {
    std::size_t size;
    std::uint64_t hash;
  };
  const Known table[] = {
      {3, 0x634D95FC01A189CDULL},   {4, 0xEED340908A1AC6C6ULL},   {7, 0x0DA493621D6DC898ULL},
      {8, 0x76F916C7BB523126ULL},   {11, 0x8BEAE4D88D350B4BULL},  {12, 0xFB52F89A1DC449D2ULL},
      {31, 0x65C5FEB01DA7464DULL},  {32, 0x7665C921C9BF2EC7ULL},  {33, 0xB5A9D9EF259AE821ULL},
      {39, 0xE2148DBBC5AB4089ULL},  {44, 0x99597B95F6740623ULL},  {63, 0xB0289CD9324034F0ULL},
      {64, 0xFFF2525C99BF2005ULL},  {100, 0x74E502DB362EFD4CULL}, {127, 0x48B995C66A54BA1CULL},
      {200, 0x4D9D64CA846491AFULL},
  };
  Bytes bytes(200);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(167 * i + 13);
  }
  for (const Known& known : table) {
    CHECK(Xxh64(ByteView(bytes).subspan(0, known.size)) == known.hash);
  }
}

}  // namespace rankforest
