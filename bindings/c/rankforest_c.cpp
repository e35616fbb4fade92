#include "rankforest_c.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankforest/detail/quoted.hpp"
#include "rankforest/scoring.hpp"

struct rankforest_scorer {
  rankforest_scorer(rankforest::Model model, rankforest::Isa isa)
      : compiled(model.ensemble, isa), feature_names(std::move(model.info.feature_names)) {}

  rankforest::CompiledScorer compiled;
  std::vector<std::string> feature_names;
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

void RequireScorer(const rankforest_scorer* scorer) {
  Require(scorer != nullptr, "scorer is null, expected one of rankforest_load");
}

/// Gives the caller a scorer of the model that load() returns.
template <class Load>
int Make(const Load& load, rankforest_scorer** scorer, char* error,
         std::size_t error_size) noexcept {
  if (scorer != nullptr) *scorer = nullptr;
  const auto work = [&] {
    Require(scorer != nullptr, "scorer is null, expected where to put it");
    rankforest::Model model = load();
    RequireNumbers(model.info);
    const rankforest::Isa isa = rankforest::IsaOfEnvironment();
    *scorer = std::make_unique<rankforest_scorer>(std::move(model), isa).release();
  };
  return StatusOf(work, error, error_size);
}

/// The caller's documents, once what is given of them makes sense.
rankforest::FeatureMatrix Documents(const rankforest_scorer& scorer, const float* features,
                                    std::size_t n_documents, std::size_t row_stride) {
  const std::size_t n_features = scorer.compiled.n_features();
  if (row_stride < n_features) {
    throw std::invalid_argument("row_stride is " + std::to_string(row_stride) +
                                ", expected at least the model's " + std::to_string(n_features) +
                                " features");
  }
  Require(features != nullptr || n_documents == 0 || n_features == 0,
          "features is null, expected documents");
  return {features, n_documents, n_features, row_stride};
}

void Score(const rankforest::CompiledScorer& scorer, const rankforest::FeatureMatrix& rows,
           rankforest::Span<double> scores) {
  if (!scorer.needs_queries()) {
    scorer.Score(rows, scores);
    return;
  }
  const std::vector<rankforest::QueryId> one_query(rows.n_rows);
  const std::vector<double> combined = scorer.Score(rows, one_query, rankforest::Threads{1});
  std::copy(combined.begin(), combined.end(), scores.begin());
}

void CheckFeatures(const std::vector<std::string>& expected, std::size_t n_features,
                   rankforest::Span<const char* const> names) {
  if (expected.empty()) {
    throw std::invalid_argument("the model was trained without feature names, expected " +
                                std::to_string(n_features) + " features in its order");
  }
  const std::size_t n_both = std::min(expected.size(), names.size());
  for (std::size_t f = 0; f < n_both; ++f) {
    if (names[f] == nullptr) {
      throw std::invalid_argument("the name of feature " + std::to_string(f) + " is null");
    }
    if (expected[f] == names[f]) continue;
    throw std::invalid_argument("feature " + std::to_string(f) + " is " +
                                rankforest::detail::Quoted(names[f]) + ", expected " +
                                rankforest::detail::Quoted(expected[f]));
  }
  if (names.size() == expected.size()) return;
  std::string problem = std::to_string(names.size()) + " names are given, expected " +
                        std::to_string(expected.size());
  if (n_both < expected.size()) {
    problem += "; the first that is missing is " + rankforest::detail::Quoted(expected[n_both]);
  }
  throw std::invalid_argument(problem);
}

/// The limits in the form of C++. What a newer header may append must be zero.
rankforest::ScoreLimits LimitsOf(const rankforest_limits& given, std::size_t n_features) {
  constexpr std::size_t kLargest = 1024;  // of any version to come
  if (given.size < sizeof given || given.size > kLargest) {
    throw std::invalid_argument("limits.size is " + std::to_string(given.size) +
                                ", expected sizeof(rankforest_limits)");
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(&given);
  const bool only_known = std::all_of(bytes + sizeof given, bytes + given.size,
                                      [](unsigned char byte) { return byte == 0; });
  Require(only_known, "limits has fields that this version of the library does not know");
  Require(given.has_budget <= 1, "limits.has_budget must be 0 or 1");
  Require(given.exit_demote <= 1, "limits.exit_demote must be 0 or 1");
  Require(given.reserved == 0, "limits.reserved must be 0");
  rankforest::ScoreLimits limits;
  if (given.exit_every > 0) {
    limits.early_exit =
        rankforest::EarlyExit{given.exit_every, given.exit_fraction, rankforest::ExitScope::kQuery,
                              given.exit_demote == 1};
  }
  if (given.has_budget == 1) limits.budget = given.budget;
  Require(given.has_budget == 0 || given.tree_cost != 0.0 || given.feature_costs != nullptr,
          "limits.budget is set but nothing has a cost: set tree_cost or feature_costs");
  limits.costs.tree = given.tree_cost;
  if (given.feature_costs != nullptr) {
    limits.costs.features.assign(given.feature_costs, given.feature_costs + n_features);
  }
  if (given.should_stop != nullptr) {
    const auto stop = given.should_stop;
    void* const context = given.context;
    limits.should_stop = [stop, context] { return stop(context) != 0; };
  }
  return limits;
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

size_t rankforest_n_trees(const rankforest_scorer* scorer) {
  return scorer == nullptr ? 0 : scorer->compiled.n_trees();
}

size_t rankforest_n_rounds(const rankforest_scorer* scorer) {
  return scorer == nullptr ? 0 : scorer->compiled.n_rounds();
}

int rankforest_needs_queries(const rankforest_scorer* scorer) {
  return scorer != nullptr && scorer->compiled.needs_queries() ? 1 : 0;
}

const char* rankforest_feature_name(const rankforest_scorer* scorer, size_t feature) {
  if (scorer == nullptr || feature >= scorer->feature_names.size()) return nullptr;
  return scorer->feature_names[feature].c_str();
}

int rankforest_check_features(const rankforest_scorer* scorer, const char* const* names,
                              size_t n_names, char* error, size_t error_size) {
  const auto work = [&] {
    RequireScorer(scorer);
    Require(names != nullptr || n_names == 0, "names is null, expected those of the features");
    CheckFeatures(scorer->feature_names, scorer->compiled.n_features(), {names, n_names});
  };
  return StatusOf(work, error, error_size);
}

int rankforest_score(const rankforest_scorer* scorer, const float* features, size_t n_documents,
                     size_t row_stride, double* scores, char* error, size_t error_size) {
  const auto work = [&] {
    RequireScorer(scorer);
    const auto rows = Documents(*scorer, features, n_documents, row_stride);
    if (n_documents == 0) return;
    Require(scores != nullptr, "scores is null, expected a place for each document");
    Score(scorer->compiled, rows, {scores, n_documents});
  };
  return StatusOf(work, error, error_size);
}

int rankforest_top(const rankforest_scorer* scorer, const float* features, size_t n_documents,
                   size_t row_stride, size_t k, rankforest_ranked* best, size_t* n_found,
                   char* error, size_t error_size) {
  if (n_found != nullptr) *n_found = 0;
  const auto work = [&] {
    RequireScorer(scorer);
    Require(n_found != nullptr, "n_found is null, expected where to put the number of documents");
    const auto rows = Documents(*scorer, features, n_documents, row_stride);
    Require(best != nullptr || k == 0 || n_documents == 0,
            "best is null, expected places for k documents");
    const std::vector<rankforest::RankedDocument> found = scorer->compiled.Top(rows, k);
    for (std::size_t i = 0; i < found.size(); ++i) best[i] = {found[i].row, found[i].score};
    *n_found = found.size();
  };
  return StatusOf(work, error, error_size);
}

int rankforest_score_within(const rankforest_scorer* scorer, const rankforest_limits* limits,
                            const float* features, size_t n_documents, size_t row_stride,
                            double* scores, uint32_t* rounds, double* cost, char* error,
                            size_t error_size) {
  const auto work = [&] {
    RequireScorer(scorer);
    Require(limits != nullptr, "limits is null, expected a rankforest_limits");
    const auto rows = Documents(*scorer, features, n_documents, row_stride);
    Require(scores != nullptr || n_documents == 0,
            "scores is null, expected a place for each document");
    const rankforest::ScoreLimits within = LimitsOf(*limits, rows.n_features);
    std::vector<std::uint32_t> own_rounds(rounds == nullptr ? n_documents : 0);
    std::uint32_t* const exits = rounds == nullptr ? own_rounds.data() : rounds;
    const rankforest::ScoreReport report =
        scorer->compiled.ScoreWithin(within, rows, {scores, n_documents}, {exits, n_documents},
                                     rankforest::ScoreScratch::OfThread());
    if (cost != nullptr) *cost = report.cost;
  };
  return StatusOf(work, error, error_size);
}
