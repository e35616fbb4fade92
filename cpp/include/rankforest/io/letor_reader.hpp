#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/io/letor_chunks.hpp"
#include "rankforest/io/letor_data.hpp"
#include "rankforest/io/letor_error.hpp"
#include "rankforest/io/letor_layout.hpp"
#include "rankforest/io/letor_parser.hpp"
#include "rankforest/io/letor_pieces.hpp"
#include "rankforest/io/letor_survey.hpp"

namespace rankforest::detail {

/// Reads LETOR text in two passes over its chunks, each on several threads. The first counts the
/// documents, so that the second can parse each into its final row of a matrix that is allocated
/// once. The first pass also guesses the columns, from the last feature of each line; where
/// parsing finds another index base or number of columns (which takes lines whose indices do not
/// ascend), it starts again with what it found.
class LetorReader {
 public:
  LetorReader(Span<const LetorSource> sources, const LetorOptions& options)
      : sources_(sources), options_(options) {}

  LetorData Read() {
    chunks_ = CutIntoChunks(sources_, options_.chunk_bytes);
    const LetorIndices guess = Survey();
    layout_ = Layout(guess);
    Parse();
    const LetorIndices indices = FoundIndices();
    const LetorLayout found = Layout(indices);
    if (!(found == layout_)) {
      layout_ = found;
      Parse();
      assert(Layout(FoundIndices()) == layout_);
    }
    CollectQueries();
    CollectComments();
    for (const LetorSource& source : sources_) {
      if (source.file != nullptr) source.file->RequireUnchanged();
    }
    data_.zero_based = layout_.first_index == 0;
    data_.n_mentioned =
        static_cast<std::size_t>(std::max(indices.end, layout_.first_index) - layout_.first_index);
    return std::move(data_);
  }

 private:
  /// Sizes everything but the matrix, which depends on the layout.
  LetorIndices Survey() {
    constexpr double kSecondsPerByte = 1e-10;
    const Threads threads = ForLoopOf(options_.threads, Bytes(), kSecondsPerByte);
    std::vector<LetorSurvey> surveys(chunks_.size());
    pieces_.resize(WorkerCount(threads, chunks_.size()));
    ParallelFor(threads, chunks_.size(), [&](std::size_t c, std::size_t worker) {
      surveys[c] = SurveyOf(chunks_[c], worker);
    });
    LetorIndices guess;
    documents_of_source_.assign(sources_.size(), 0);
    rows_.resize(chunks_.size());
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      const LetorSurvey& survey = surveys[c];
      if (data_.n_documents == 0 && survey.n_documents > 0) first_has_qid_ = survey.first_has_qid;
      rows_[c].first_row = data_.n_documents;
      rows_[c].n_rows = survey.n_documents;
      data_.n_documents += survey.n_documents;
      documents_of_source_[chunks_[c].source] += survey.n_documents;
      guess.end = std::max(guess.end, survey.end_index);
      guess.has_zero = guess.has_zero || survey.has_index_zero;
    }
    if (data_.n_documents > std::numeric_limits<RowId>::max()) {
      throw std::invalid_argument("the text has " + std::to_string(data_.n_documents) +
                                  " documents, expected fewer than 2^32");
    }
    data_.grades.resize(data_.n_documents);
    return guess;
  }

  [[nodiscard]] std::size_t Bytes() const {
    std::size_t n_bytes = 0;
    for (const LetorSource& source : sources_) n_bytes += SizeOf(source);
    return n_bytes;
  }

  LetorLayout Layout(LetorIndices indices) const {
    return MakeLayout(options_, indices, options_.require_qid || first_has_qid_, data_.n_documents,
                      Bytes());
  }

  void Parse() {
    data_.n_features = layout_.n_columns;
    data_.features = {};  // first gives back the memory of a wrong guess
    TakeMemory();
    PreferLargePages(data_.features.data(), data_.features.size() * sizeof(float));
    constexpr double kSecondsPerByte = 1e-9;
    const Threads threads = ForLoopOf(options_.threads, Bytes(), kSecondsPerByte);
    ParallelFor(threads, chunks_.size(),
                [&](std::size_t c, std::size_t worker) { ParseChunk(c, worker); });
  }

  void TakeMemory() {
    try {
      data_.features.resize(data_.n_documents * data_.n_features);  // both are below 2^32
    } catch (const std::exception&) {  // std::length_error, where no vector is so long
      throw LetorMemoryError(data_.n_documents, data_.n_features);
    }
  }

  LetorSurvey SurveyOf(const LetorChunk& chunk, std::size_t worker) {
    const LetorSource& source = sources_[chunk.source];
    if (source.file == nullptr) return SurveyChunk(source.text, chunk);
    const LetorSource piece = pieces_[worker].Read(source, chunk.begin, chunk.end);
    return SurveyChunk(piece.text, InPiece(chunk));
  }

  static LetorChunk InPiece(const LetorChunk& chunk) {
    return {chunk.source, 0, chunk.end - chunk.begin, chunk.ends_source};
  }

  void ParseChunk(std::size_t c, std::size_t worker) {
    const LetorChunk& chunk = chunks_[c];
    const LetorSource& source = sources_[chunk.source];
    LetorRows rows;
    rows.first_row = rows_[c].first_row;
    rows.n_rows = rows_[c].n_rows;
    if (source.file == nullptr) {
      ParserInto(rows).Parse(source, chunk);
    } else {
      const LetorSource piece = pieces_[worker].Read(source, chunk.begin, chunk.end);
      try {
        ParserInto(rows).Parse(piece, InPiece(chunk));
      } catch (const LetorError&) {
        const LetorCopy copy(source, chunk.end);  // says on which line it is
        ParserInto(rows).Parse(copy.source(), chunk);
        source.file->FailAsChanged();
      }
      rows.Own();
    }
    if (chunk.ends_source) CheckEnd(chunk.source);
    rows_[c] = std::move(rows);
  }

  LetorParser ParserInto(LetorRows& rows) {
    float* const features = data_.features.data() + rows.first_row * data_.n_features;
    return {layout_, options_, features, data_.grades.data() + rows.first_row, rows};
  }

  void CheckEnd(std::size_t s) const {
    const LetorSource& source = sources_[s];
    if (!source.damage.empty()) {
      throw LetorError(Place(source, source.text.size()) + ": found the end of the text, " +
                       "expected more: " + source.damage);
    }
    if (documents_of_source_[s] == 0) {
      const LetorCopy copy(source, SizeOf(source));
      throw LetorError(Place(copy.source(), SizeOf(source)) +
                       ": found the end of the text, expected at least one document");
    }
  }

  LetorIndices FoundIndices() const {
    LetorIndices found;
    for (const LetorRows& rows : rows_) {
      found.end = std::max(found.end, rows.indices.end);
      found.has_zero = found.has_zero || rows.indices.has_zero;
    }
    return found;
  }

  void CollectQueries() {
    if (!layout_.has_qid) return;
    data_.query_codes.resize(data_.n_documents);
    std::unordered_map<std::string_view, QueryId> codes;
    for (const LetorRows& rows : rows_) {
      for (std::size_t run = 0; run < rows.runs.size(); ++run) {
        const std::size_t begin = rows.runs[run].first_row;
        const std::size_t end = run + 1 < rows.runs.size() ? rows.runs[run + 1].first_row
                                                           : rows.first_row + rows.n_rows;
        const auto next_code = static_cast<QueryId>(codes.size());
        const auto [entry, is_new] = codes.try_emplace(rows.runs[run].id, next_code);
        if (is_new) data_.query_ids.emplace_back(rows.runs[run].id);
        std::fill_n(data_.query_codes.data() + begin, end - begin, entry->second);
      }
    }
  }

  void CollectComments() {
    for (const LetorRows& rows : rows_) {
      if (rows.comments.empty()) continue;
      data_.comments.resize(data_.n_documents);
      for (std::size_t row = 0; row < rows.n_rows; ++row) {
        data_.comments[rows.first_row + row] = rows.comments[row];
      }
    }
  }

  Span<const LetorSource> sources_;
  const LetorOptions& options_;
  LetorLayout layout_;
  std::vector<LetorChunk> chunks_;
  std::vector<LetorRows> rows_;     ///< of each chunk
  std::vector<LetorPiece> pieces_;  ///< of each thread
  std::vector<std::size_t> documents_of_source_;
  bool first_has_qid_ = false;
  LetorData data_;
};

}  // namespace rankforest::detail

namespace rankforest {

/// Reads LETOR text (letor_data.hpp says what that is) from memory; all sources are one data set.
///
/// The result depends on neither the number of threads nor the size of the chunks. Throws
/// std::invalid_argument for an option out of range and LetorError for text that is not as it
/// should be: always for the first such place, in the order of the sources.
inline LetorData ReadLetor(Span<const LetorSource> sources, const LetorOptions& options = {}) {
  if (sources.empty()) throw std::invalid_argument("sources is empty, expected at least one");
  if (options.chunk_bytes == 0) throw std::invalid_argument("chunk_bytes is 0, expected >= 1");
  if (options.absent != 0.0F && !std::isnan(options.absent)) {
    throw std::invalid_argument("absent is " + std::to_string(options.absent) +
                                ", expected 0 or NaN");
  }
  return detail::LetorReader(sources, options).Read();
}

}  // namespace rankforest
