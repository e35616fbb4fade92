#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest::fuzz {

using Input = std::vector<std::uint8_t>;

/// Changes inputs at random, in ways that readers of text and of binary files trip over.
class Mutation {
 public:
  Mutation(const std::vector<Input>& pool, std::size_t most_bytes)
      : pool_(pool), most_bytes_(most_bytes) {}

  /// An input of the pool with one to eight changes.
  [[nodiscard]] Input Next(Rng& rng) const {
    Input input = Any(rng);
    for (std::uint32_t left = 1U << rng.Below(4); left > 0; --left) Change(input, rng);
    if (input.size() > most_bytes_) input.resize(most_bytes_);
    return input;
  }

 private:
  void Change(Input& input, Rng& rng) const {
    if (input.empty()) {
      input.push_back(AnyByte(rng));
      return;
    }
    const std::size_t at = Place(input.size(), rng);
    switch (rng.Below(9)) {
      case 0:
        input[at] = static_cast<std::uint8_t>(input[at] ^ (1U << rng.Below(8)));
        return;
      case 1:
        input[at] = AnyByte(rng);
        return;
      case 2:
        return Erase(input, at, rng);
      case 3:
        return Insert(input, at, Input(1 + rng.Below(8), AnyByte(rng)));
      case 4:
        return Insert(input, at, Piece(input, rng));
      case 5:
        return Insert(input, at, Piece(Any(rng), rng));
      case 6:
        return Overwrite(input, at, Piece(Any(rng), rng));
      case 7:
        return Overwrite(input, at, OddNumber(rng));
      default:
        return Insert(input, at, OddText(rng));
    }
  }

  [[nodiscard]] const Input& Any(Rng& rng) const {
    return pool_[rng.Below(static_cast<std::uint32_t>(pool_.size()))];
  }
  static std::size_t Place(std::size_t size, Rng& rng) {
    return rng.Below(static_cast<std::uint32_t>(size));
  }
  static std::uint8_t AnyByte(Rng& rng) { return static_cast<std::uint8_t>(rng.Below(256)); }

  static void Erase(Input& input, std::size_t at, Rng& rng) {
    const std::size_t size = std::min<std::size_t>(1U << rng.Below(8), input.size() - at);
    const auto from = input.begin() + static_cast<std::ptrdiff_t>(at);
    input.erase(from, from + static_cast<std::ptrdiff_t>(size));
  }
  static void Insert(Input& input, std::size_t at, const Input& piece) {
    input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), piece.begin(), piece.end());
  }
  static void Overwrite(Input& input, std::size_t at, const Input& piece) {
    const std::size_t size = std::min(piece.size(), input.size() - at);
    std::copy_n(piece.begin(), size, input.begin() + static_cast<std::ptrdiff_t>(at));
  }
  static Input Piece(const Input& input, Rng& rng) {
    if (input.empty()) return {};
    const std::size_t at = Place(input.size(), rng);
    const std::size_t size = std::min<std::size_t>(1U << rng.Below(8), input.size() - at);
    const auto from = input.begin() + static_cast<std::ptrdiff_t>(at);
    return {from, from + static_cast<std::ptrdiff_t>(size)};
  }

  /// The bytes of a number at an edge: small, largest, a float's special values.
  static Input OddNumber(Rng& rng) {
    using Float = std::numeric_limits<float>;
    switch (rng.Below(6)) {
      case 0:
        return BytesOf(std::uint64_t{1} << rng.Below(64));
      case 1:
        return BytesOf(~std::uint64_t{0} >> rng.Below(64));
      case 2:
        return BytesOf(static_cast<std::uint32_t>(rng.Below(16)) - 8U);
      case 3: {
        const std::array<float, 6> odd = {Float::quiet_NaN(),  Float::infinity(), -0.0F,
                                          Float::denorm_min(), Float::max(),      Float::lowest()};
        return BytesOf(odd[rng.Below(6)]);
      }
      case 4:
        return BytesOf(std::numeric_limits<double>::quiet_NaN());
      default:
        return BytesOf(std::uint32_t{1} << rng.Below(32));
    }
  }

  /// Words that the text formats know.
  static Input OddText(Rng& rng) {
    static const std::array<std::string, 20> kWords = {
        "-0",  "nan",    "inf",   "1e999", "1e-999",      "4294967296", "18446744073709551616",
        "\n",  " ",      ":",     "=",     "#",           "qid:",       "-1",
        "0.1", "tree\n", "Tree=", "@10",   "(gain=exp2)", "NULL"};
    const std::string& word = kWords[rng.Below(static_cast<std::uint32_t>(kWords.size()))];
    return {word.begin(), word.end()};
  }

  template <class T>
  static Input BytesOf(T value) {
    Input bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
  }

  const std::vector<Input>& pool_;
  std::size_t most_bytes_;
};

}  // namespace rankforest::fuzz
