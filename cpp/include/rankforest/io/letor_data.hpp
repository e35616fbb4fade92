#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/input_file.hpp"
#include "rankforest/detail/uninitialized.hpp"

namespace rankforest {

// LETOR text, also called SVMLight or LIBSVM text, has one document on each line:
//
//     GRADE qid:ID INDEX:VALUE INDEX:VALUE ... # COMMENT
//
//   grade    how relevant the document is: a finite number >= 0
//   id       of the query: any text without blanks and '#'. Documents with the same id, byte for
//            byte, belong to one query, wherever they stand
//   index    of a feature: a whole number, in any order, each at most once on a line
//   value    a finite number, or nan or NULL for a missing one
//   comment  from the first '#' to the end of the line, kept without the blanks around it; often
//            the document's name
//
// Blanks are spaces, tabs and carriage returns. Blank lines, lines with nothing but a comment
// and a byte order mark are skipped.

/// Whether the smallest index of a feature is 0.
enum class ZeroBased {
  kNo,
  kYes,
  kAuto,  ///< yes if index 0 occurs anywhere in the text, in whichever file
};

struct LetorOptions {
  ZeroBased zero_based = ZeroBased::kNo;
  /// The value of a feature that a line does not mention: 0 or NaN.
  float absent = 0.0F;
  /// The number of features; an index beyond it is an error. 0: as many as the text has, within
  /// reason (see IndexLimit in letor_layout.hpp).
  std::size_t n_features = 0;
  /// false: text whose first document has no qid is read as text without queries.
  bool require_qid = true;
  bool keep_comments = true;
  Threads threads;
  /// Bytes of text that one thread parses at a time, >= 1. Never changes a result.
  std::size_t chunk_bytes = std::size_t{1} << 20U;
};

/// Text to read, borrowed.
struct LetorSource {
  std::string name;       ///< of the file, for messages
  std::string_view text;  ///< in memory
  /// Why the text stops where it does if that is not its end, for example because it was
  /// decompressed from a damaged file; empty otherwise. Reported as an error at its last line.
  std::string damage;
  const detail::InputFile* file = nullptr;  ///< what holds the text instead
};

/// What LETOR text says, documents in the order of the text.
struct LetorData {
  std::size_t n_documents = 0;
  std::size_t n_features = 0;
  detail::UninitializedVector<float> features;  ///< n_documents x n_features, row by row
  std::vector<double> grades;
  std::vector<QueryId> query_codes;    ///< of each document, into query_ids; empty without qid
  std::vector<std::string> query_ids;  ///< in order of appearance
  std::vector<std::string> comments;   ///< of each document, "" for none; empty if all are ""
  bool zero_based = false;             ///< whether index 0 is the first column
  std::size_t n_mentioned = 0;         ///< columns up to the last one that any line mentions
};

}  // namespace rankforest
