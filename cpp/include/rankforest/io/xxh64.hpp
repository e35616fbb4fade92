#pragma once

#include <cstddef>
#include <cstdint>

#include "rankforest/io/bytes.hpp"

namespace rankforest {

namespace detail {

inline constexpr std::uint64_t kXxhPrime1 = 0x9E3779B185EBCA87ULL;
inline constexpr std::uint64_t kXxhPrime2 = 0xC2B2AE3D27D4EB4FULL;
inline constexpr std::uint64_t kXxhPrime3 = 0x165667B19E3779F9ULL;
inline constexpr std::uint64_t kXxhPrime4 = 0x85EBCA77C2B2AE63ULL;
inline constexpr std::uint64_t kXxhPrime5 = 0x27D4EB2F165667C5ULL;

inline std::uint64_t RotateLeft(std::uint64_t x, int bits) {
  return (x << bits) | (x >> (64 - bits));
}

inline std::uint64_t XxhRound(std::uint64_t lane, std::uint64_t word) {
  return RotateLeft(lane + word * kXxhPrime2, 31) * kXxhPrime1;
}

/// What is left after the stripes of 32 bytes: words of 8, 4 and 1.
inline std::uint64_t XxhTail(std::uint64_t hash, const std::uint8_t* at, std::size_t left) {
  for (; left >= 8; left -= 8, at += 8) {
    hash ^= XxhRound(0, LoadLittleEndian<std::uint64_t>(at));
    hash = RotateLeft(hash, 27) * kXxhPrime1 + kXxhPrime4;
  }
  if (left >= 4) {
    hash ^= LoadLittleEndian<std::uint32_t>(at) * kXxhPrime1;
    hash = RotateLeft(hash, 23) * kXxhPrime2 + kXxhPrime3;
    left -= 4;
    at += 4;
  }
  for (; left > 0; --left, ++at) {
    hash ^= *at * kXxhPrime5;
    hash = RotateLeft(hash, 11) * kXxhPrime1;
  }
  return hash;
}

}  // namespace detail

/// The checksum of model files: XXH64 with seed 0, as its specification says (version 0.2.0,
/// github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). Finds damage, not malice.
inline std::uint64_t Xxh64(ByteView bytes) {
  using namespace detail;
  const std::uint8_t* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t hash = kXxhPrime5;
  if (left >= 32) {
    std::uint64_t lanes[4] = {kXxhPrime1 + kXxhPrime2, kXxhPrime2, 0, 0 - kXxhPrime1};
    for (; left >= 32; left -= 32) {
      for (std::uint64_t& lane : lanes) {
        lane = XxhRound(lane, LoadLittleEndian<std::uint64_t>(at));
        at += 8;
      }
    }
    hash = RotateLeft(lanes[0], 1) + RotateLeft(lanes[1], 7) + RotateLeft(lanes[2], 12) +
           RotateLeft(lanes[3], 18);
    for (const std::uint64_t lane : lanes) {
      hash = (hash ^ XxhRound(0, lane)) * kXxhPrime1 + kXxhPrime4;
    }
  }
  hash = XxhTail(hash + bytes.size(), at, left);
  hash = (hash ^ (hash >> 33)) * kXxhPrime2;
  hash = (hash ^ (hash >> 29)) * kXxhPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace rankforest
