#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "rankforest/core/categories.hpp"
#include "rankforest/io/bytes.hpp"
#include "rankforest/io/utf8.hpp"

namespace rankforest {

// The section of categorical features, with the notation of ensemble_sections.hpp:
//
//   CATG  u64 n_features; then, for each: u32 its column, u32 kind of its levels: 0 whole numbers,
//         1 texts; f32 unseen, f32 missing, u64 n_levels; for each level, ascending: i64, or u32
//         size in bytes, UTF-8; then f32 for each level, what stands for it
//
// It is critical: trees compare what stands for a level, not the level. A model without
// categorical features has none.

/// Throws std::invalid_argument for a text that is not UTF-8.
inline void RequireTexts(const Categories& categories) {
  for (const CategoricalFeature& each : categories) {
    for (const std::string& text : each.texts) {
      if (IsUtf8(TextBytes(text))) continue;
      throw std::invalid_argument("categorical feature " + std::to_string(each.feature) +
                                  " has a level that is not valid UTF-8");
    }
  }
}

inline Bytes EncodeCategories(const Categories& categories) {
  ByteWriter out;
  out.Put(std::uint64_t{categories.size()});
  for (const CategoricalFeature& each : categories) {
    out.Put(each.feature);
    out.Put(static_cast<std::uint32_t>(each.is_text));
    out.Put(each.unseen);
    out.Put(each.missing);
    out.Put(std::uint64_t{each.n_levels()});
    for (const std::int64_t number : each.numbers) out.Put(number);
    for (const std::string& text : each.texts) {
      out.Put(static_cast<std::uint32_t>(text.size()));
      out.PutBytes(TextBytes(text));
    }
    for (const float value : each.values) out.Put(value);
  }
  return std::move(out).Take();
}

namespace detail {

inline CategoricalFeature DecodeCategorical(ByteReader& in) {
  CategoricalFeature each;
  each.feature = in.Get<std::uint32_t>();
  const auto kind = in.Get<std::uint32_t>();
  if (kind > 1) {
    throw std::invalid_argument("section CATG has levels of kind " + std::to_string(kind) +
                                ", expected 0 or 1");
  }
  each.is_text = kind == 1;
  each.unseen = in.Get<float>();
  each.missing = in.Get<float>();
  const auto n_levels = in.Get<std::uint64_t>();
  // Levels are appended as they are read: an announced number alone allocates nothing.
  for (std::uint64_t i = 0; i < n_levels; ++i) {
    if (each.is_text) {
      each.texts.push_back(ToText(in.Take(in.Get<std::uint32_t>(), 1)));
    } else {
      each.numbers.push_back(in.Get<std::int64_t>());
    }
  }
  for (std::uint64_t i = 0; i < n_levels; ++i) each.values.push_back(in.Get<float>());
  return each;
}

}  // namespace detail

/// Throws std::invalid_argument unless the bytes are of the form; ValidateCategories and
/// RequireTexts check the rest.
inline Categories DecodeCategories(ByteView bytes) {
  ByteReader in("section CATG", bytes);
  Categories categories;
  const auto n_features = in.Get<std::uint64_t>();
  for (std::uint64_t i = 0; i < n_features; ++i) {
    categories.push_back(detail::DecodeCategorical(in));
  }
  in.RequireEnd();
  if (categories.empty()) {
    throw std::invalid_argument("section CATG has no feature; a model without any has no section");
  }
  return categories;
}

}  // namespace rankforest
