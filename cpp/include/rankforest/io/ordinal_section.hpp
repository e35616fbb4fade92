#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/ordinal.hpp"
#include "rankforest/io/bytes.hpp"

namespace rankforest {

// The section of an ordinal model's problems, with the notation of ensemble_sections.hpp:
//
//   ORDN  u64 n_grades, f64 for each grade, ascending; u64 n_members; then, for each member of the
//         ensemble: u32 its problem, f64 base, u64 n_groups, f64 weight for each group
//
// It is not critical: scores do not depend on it, and a model that is not ordinal has none.

inline Bytes EncodeOrdinal(const Ordinal& ordinal) {
  ByteWriter out;
  out.Put(std::uint64_t{ordinal.grades.size()});
  for (const double grade : ordinal.grades) out.Put(grade);
  out.Put(std::uint64_t{ordinal.parts.size()});
  for (const Ordinal::Part& part : ordinal.parts) {
    out.Put(part.problem);
    out.Put(part.base);
    out.Put(std::uint64_t{part.group_weights.size()});
    for (const double weight : part.group_weights) out.Put(weight);
  }
  return std::move(out).Take();
}

/// Throws std::invalid_argument unless the bytes are of the form; ValidateOrdinal checks the rest.
inline Ordinal DecodeOrdinal(ByteView bytes) {
  ByteReader in("section ORDN", bytes);
  Ordinal ordinal;
  const auto n_grades = in.Get<std::uint64_t>();
  // Values are appended as they are read: an announced number alone allocates nothing.
  for (std::uint64_t i = 0; i < n_grades; ++i) ordinal.grades.push_back(in.Get<double>());
  const auto n_parts = in.Get<std::uint64_t>();
  for (std::uint64_t p = 0; p < n_parts; ++p) {
    Ordinal::Part part;
    part.problem = in.Get<std::uint32_t>();
    part.base = in.Get<double>();
    const auto n_groups = in.Get<std::uint64_t>();
    for (std::uint64_t g = 0; g < n_groups; ++g) part.group_weights.push_back(in.Get<double>());
    ordinal.parts.push_back(std::move(part));
  }
  in.RequireEnd();
  return ordinal;
}

}  // namespace rankforest
