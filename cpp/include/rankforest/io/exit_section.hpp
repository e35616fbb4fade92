#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "rankforest/core/exit_schedule.hpp"
#include "rankforest/io/bytes.hpp"

namespace rankforest {

// The section that says when documents stop being scored, with the notation of
// ensemble_sections.hpp. It is critical, for it changes scores, and only where documents exit.
//
//   EXIT  u32 k of margins      u32 1 if documents that exit rank below the others, otherwise 0
//         u64 n_exits; then, for each:
//           u32 round           u32 documents to keep, 0 for no such rule
//           f64 fraction        f64 margin, infinite for no such rule

inline Bytes EncodeExits(const ExitSchedule& exits) {
  ByteWriter out;
  out.Put(exits.k);
  out.Put(std::uint32_t{exits.demote ? 1U : 0U});
  out.Put(std::uint64_t{exits.points.size()});
  for (const ExitPoint& point : exits.points) {
    out.Put(point.round);
    out.Put(point.keep);
    out.Put(point.fraction);
    out.Put(point.margin);
  }
  return std::move(out).Take();
}

/// Throws std::invalid_argument where counts, sizes or codes contradict each other; the exits are
/// still to be checked with Validate.
inline ExitSchedule DecodeExits(ByteView bytes) {
  ByteReader in("section EXIT", bytes);
  ExitSchedule exits;
  exits.k = in.Get<std::uint32_t>();
  const auto demote = in.Get<std::uint32_t>();
  if (demote > 1) {
    throw std::invalid_argument("whether documents that exit are demoted is " +
                                std::to_string(demote) + ", expected 0 or 1");
  }
  exits.demote = demote == 1;
  const auto n_exits = in.Get<std::uint64_t>();
  if (n_exits == 0) throw std::invalid_argument("section EXIT has no exit");
  for (std::uint64_t i = 0; i < n_exits; ++i) {
    ExitPoint point;
    point.round = in.Get<std::uint32_t>();
    point.keep = in.Get<std::uint32_t>();
    point.fraction = in.Get<double>();
    point.margin = in.Get<double>();
    exits.points.push_back(point);
  }
  in.RequireEnd();
  return exits;
}

}  // namespace rankforest
