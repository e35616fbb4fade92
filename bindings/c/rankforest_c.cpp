#include "rankforest_c.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/io/model_file.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/isa_environment.hpp"

struct rankforest_scorer {
  rankforest_scorer(const rankforest::Ensemble& ensemble, rankforest::Isa isa)
      : compiled(ensemble, isa) {}

  rankforest::CompiledScorer compiled;
};

namespace {

/// Writes a text that ends with a zero byte, cut between two characters of UTF-8 where it is too
/// long.
void Put(std::string_view text, char* to, std::size_t size) noexcept {
  if (to == nullptr || size == 0) return;
  std::size_t n = std::min(text.size(), size - 1);
  while (n > 0 && n < text.size() && (text[n] & '\xC0') == '\x80') --n;
  std::memcpy(to, text.data(), n);
  to[n] = '\0';
}

/// Does the work of a function that can fail, and returns its status.
template <class Work>
int StatusOf(const Work& work, char* error, std::size_t error_size) noexcept {
  try {
    work();
    Put("", error, error_size);
    return RANKFOREST_OK;
  } catch (const std::filesystem::filesystem_error& problem) {
    Put(problem.what(), error, error_size);
    return RANKFOREST_UNREADABLE;
  } catch (const std::invalid_argument& problem) {
    Put(problem.what(), error, error_size);
    return RANKFOREST_INVALID;
  } catch (const std::bad_alloc&) {
    Put("out of memory", error, error_size);
    return RANKFOREST_NO_MEMORY;
  } catch (const std::exception& problem) {
    Put(problem.what(), error, error_size);
    return RANKFOREST_FAILED;
  } catch (...) {
    Put("an unknown error", error, error_size);
    return RANKFOREST_FAILED;
  }
}

void Require(bool holds, const char* expectation) {
  if (!holds) throw std::invalid_argument(expectation);
}

/// Gives the caller a scorer of the model that load() returns.
template <class Load>
int Make(const Load& load, rankforest_scorer** scorer, char* error,
         std::size_t error_size) noexcept {
  if (scorer != nullptr) *scorer = nullptr;
  const auto work = [&] {
    Require(scorer != nullptr, "scorer is null, expected where to put it");
    const rankforest::Model model = load();
    const rankforest::Isa isa = rankforest::IsaOfEnvironment();
    *scorer = std::make_unique<rankforest_scorer>(model.ensemble, isa).release();
  };
  return StatusOf(work, error, error_size);
}

void Score(const rankforest::CompiledScorer& scorer, const rankforest::FeatureMatrix& rows,
           rankforest::Span<double> scores) {
  if (!rankforest::NeedsQueries(scorer.combine())) {
    scorer.Score(rows, scores);
    return;
  }
  const std::vector<rankforest::QueryId> one_query(rows.n_rows);
  const std::vector<double> combined = scorer.Score(rows, one_query, rankforest::Threads{1});
  std::copy(combined.begin(), combined.end(), scores.begin());
}

}  // namespace

const char* rankforest_version(void) { return RANKFOREST_VERSION; }

int rankforest_load(const char* path, rankforest_scorer** scorer, char* error, size_t error_size) {
  const auto load = [&] {
    Require(path != nullptr, "path is null, expected the name of a file");
    return rankforest::LoadModel(path, rankforest::Threads{1});
  };
  return Make(load, scorer, error, error_size);
}

int rankforest_load_memory(const void* bytes, size_t n_bytes, rankforest_scorer** scorer,
                           char* error, size_t error_size) {
  const auto load = [&] {
    Require(bytes != nullptr, "bytes is null, expected those of a model file");
    return rankforest::ReadModel({static_cast<const char*>(bytes), n_bytes},
                                 rankforest::Threads{1});
  };
  return Make(load, scorer, error, error_size);
}

void rankforest_free(rankforest_scorer* scorer) { delete scorer; }

size_t rankforest_n_features(const rankforest_scorer* scorer) {
  return scorer == nullptr ? 0 : scorer->compiled.n_features();
}

int rankforest_score(const rankforest_scorer* scorer, const float* features, size_t n_documents,
                     size_t row_stride, double* scores, char* error, size_t error_size) {
  const auto work = [&] {
    Require(scorer != nullptr, "scorer is null, expected one of rankforest_load");
    const std::size_t n_features = scorer->compiled.n_features();
    if (row_stride < n_features) {
      throw std::invalid_argument("row_stride is " + std::to_string(row_stride) +
                                  ", expected at least the model's " + std::to_string(n_features) +
                                  " features");
    }
    if (n_documents == 0) return;
    Require(features != nullptr || n_features == 0, "features is null, expected documents");
    Require(scores != nullptr, "scores is null, expected a place for each document");
    Score(scorer->compiled, {features, n_documents, n_features, row_stride}, {scores, n_documents});
  };
  return StatusOf(work, error, error_size);
}
